#pragma once

#include "core/delayed_items.hpp"
#include "core/queue_store.hpp"
#include "memory/watchers.hpp"

#include <ration/clock.hpp>

#include <memory>
#include <mutex>
#include <string>

namespace ration::memory {

/// A queue, shared by all clients of a store that have it open.
struct QueueData {
    std::mutex mutex;
    core::DelayedItems items;
    std::shared_ptr<Watchers> const watchers = std::make_shared<Watchers>();

    bool is_empty()
    {
        std::lock_guard const lock{mutex};
        return items.empty();
    }
};

/// A delay queue of the embedded store, as one client sees it.
class MemoryQueue final : public core::QueueStore {
public:
    MemoryQueue(std::shared_ptr<QueueData> data, std::shared_ptr<Clock> clock, QueueOptions const& options);

    void offer(std::string value, core::Due due, core::Reply<std::string> reply) override;
    void take(std::size_t count, core::Reply<core::Taken> reply) override;
    void ack(std::string id, core::Reply<bool> reply) override;
    void cancel(std::string id, core::Reply<bool> reply) override;
    void peek(core::Reply<std::optional<Item>> reply) override;
    void size(core::Reply<std::size_t> reply) override;
    std::unique_ptr<core::Watch> watch(std::function<void(core::Result<core::Unit>)> look) override;

private:
    template <class T, class Action>
    void run(core::Reply<T> reply, Action action);

    std::shared_ptr<QueueData> const data_;
    std::shared_ptr<Clock> const clock_;
    std::optional<Duration> const lease_;
};

}  // namespace ration::memory
