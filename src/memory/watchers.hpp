#pragma once

#include "core/hash_store.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ration::memory {

/// Those who want to hear that something may be due earlier. Thread-safe.
class Watchers : public std::enable_shared_from_this<Watchers> {
public:
    using Look = std::function<void()>;

    std::unique_ptr<core::Watch> add(Look look)
    {
        auto shared = std::make_shared<Look>(std::move(look));
        std::lock_guard const lock{mutex_};
        looks_.push_back(shared);
        return std::make_unique<Entry>(shared_from_this(), std::move(shared));
    }

    /// Without any lock held: they call the store.
    void tell() const
    {
        std::vector<std::shared_ptr<Look>> looks;
        {
            std::lock_guard const lock{mutex_};
            looks = looks_;
        }
        for (auto const& look : looks) (*look)();
    }

private:
    class Entry final : public core::Watch {
    public:
        Entry(std::shared_ptr<Watchers> watchers, std::shared_ptr<Look> look)
            : watchers_{std::move(watchers)}, look_{std::move(look)}
        {}
        ~Entry() override
        {
            std::lock_guard const lock{watchers_->mutex_};
            std::erase(watchers_->looks_, look_);
        }

    private:
        std::shared_ptr<Watchers> const watchers_;
        std::shared_ptr<Look> const look_;
    };

    std::mutex mutable mutex_;
    std::vector<std::shared_ptr<Look>> looks_;
};

}  // namespace ration::memory
