#pragma once

#include "core/store.hpp"

#include <ration/clock.hpp>

#include <atomic>
#include <memory>
#include <mutex>

namespace ration::client {

/// Whether the store is known to be down, so that those who have somebody else to answer need not wait for it in vain.
class StoreHealth : public std::enable_shared_from_this<StoreHealth> {
public:
    /// How long between two questions whether a store that was down is back.
    static constexpr Duration probe_interval = std::chrono::milliseconds{100};

    StoreHealth(std::shared_ptr<core::Store> store, std::shared_ptr<Clock> clock)
        : store_{std::move(store)}, clock_{std::move(clock)}
    {}

    /// If so, asks in the background whether it is back: now and then, while somebody wants to know.
    bool is_down()
    {
        if (!down_.load(std::memory_order_relaxed)) return false;
        probe();
        return true;
    }

    void failed() noexcept { down_.store(true, std::memory_order_relaxed); }

private:
    void probe()
    {
        {
            std::lock_guard const lock{mutex_};
            if (probing_ || clock_->now() < next_probe_) return;
            probing_ = true;
        }
        store_->probe([weak = weak_from_this()](bool is_up) {
            auto const self = weak.lock();
            if (!self) return;
            if (is_up) self->down_.store(false, std::memory_order_relaxed);
            std::lock_guard const lock{self->mutex_};
            self->probing_ = false;
            self->next_probe_ = self->clock_->now() + probe_interval;
        });
    }

    std::shared_ptr<core::Store> const store_;
    std::shared_ptr<Clock> const clock_;
    std::atomic<bool> down_{false};
    std::mutex mutex_;
    bool probing_ = false;
    Time next_probe_{};
};

}  // namespace ration::client
