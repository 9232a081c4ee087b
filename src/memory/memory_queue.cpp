#include "memory/memory_queue.hpp"

namespace ration::memory {

using core::DelayedItems;
using core::Reply;

namespace {

Time moment_of(core::Due const& due, Clock const& clock)
{
    Time const now = clock.now();
    auto const* const moment = std::get_if<Time>(&due);
    auto const delay = moment ? *moment - clock.wall() : std::get<Duration>(due);
    if (delay <= Duration{}) return now;
    return delay < Time::max() - now ? now + delay : Time::max();
}

std::optional<Duration> lease_of(QueueOptions const& options)
{
    if (options.acknowledge == Acknowledge::automatic) return std::nullopt;
    return options.lease;
}

}  // namespace

MemoryQueue::MemoryQueue(std::shared_ptr<QueueData> data, std::shared_ptr<Clock> clock,
                         QueueOptions const& options)
    : data_{std::move(data)}, clock_{std::move(clock)}, lease_{lease_of(options)}
{}

/// Replies what `action(items, now)` returns. Tells those who watch if an item is due earlier than any was before.
template <class T, class Action>
void MemoryQueue::run(Reply<T> reply, Action action)
{
    core::Result<T> result;
    bool is_earlier = false;
    {
        std::lock_guard const lock{data_->mutex};
        auto const before = data_->items.earliest();
        result.value = action(data_->items, clock_->now());
        is_earlier = data_->items.earliest().value_or(Time::max()) < before.value_or(Time::max());
    }
    if (is_earlier) data_->watchers->tell();
    reply(std::move(result));
}

void MemoryQueue::offer(std::string value, core::Due due, Reply<std::string> reply)
{
    run(std::move(reply),
        [&](DelayedItems& items, Time) { return items.offer(std::move(value), moment_of(due, *clock_)); });
}

void MemoryQueue::take(std::size_t count, Reply<core::Taken> reply)
{
    run(std::move(reply), [&](DelayedItems& items, Time now) { return items.take(count, lease_, now); });
}

void MemoryQueue::ack(std::string id, Reply<bool> reply)
{
    run(std::move(reply), [&](DelayedItems& items, Time now) { return items.ack(id, now); });
}

void MemoryQueue::cancel(std::string id, Reply<bool> reply)
{
    run(std::move(reply), [&](DelayedItems& items, Time now) { return items.cancel(id, now); });
}

void MemoryQueue::peek(Reply<std::optional<Item>> reply)
{
    run(std::move(reply), [](DelayedItems& items, Time now) { return items.peek(now); });
}

void MemoryQueue::size(Reply<std::size_t> reply)
{
    run(std::move(reply), [](DelayedItems& items, Time now) { return items.size(now); });
}

std::unique_ptr<core::Watch> MemoryQueue::watch(std::function<void(core::Result<core::Unit>)> look)
{
    return data_->watchers->add([look = std::move(look)] { look({}); });
}

}  // namespace ration::memory
