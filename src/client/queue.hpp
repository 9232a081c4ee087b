#pragma once

#include "client/context.hpp"
#include "core/queue_store.hpp"
#include "core/take_queue.hpp"

#include <ration/delay_queue.hpp>

#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace ration::client {

/// A taker with somebody behind it who wants to hear the outcome.
class TakeWaiter : public core::Taker {
public:
    virtual ~TakeWaiter() = default;

    /// Called once, without any lock held. The waiter may be gone when this returns.
    virtual void complete(core::TakeQueue::Outcome outcome) = 0;

private:
    friend class Queue;
    bool queued_ = false;
};

/// A delay queue of a client: its store, and those who wait for items. Does what core::TakeQueue says: calls the store, sets
/// the timer, hands out items. One thread at a time runs it; who comes meanwhile leaves his event and lets that one go on.
class Queue : public std::enable_shared_from_this<Queue> {
public:
    Queue(std::shared_ptr<Context> context, std::string name, QueueOptions const& options);
    ~Queue();

    std::string const& name() const noexcept { return name_; }
    QueueOptions const& options() const noexcept { return options_; }
    std::shared_ptr<Context> const& context() const noexcept { return context_; }

    void offer(std::string value, core::Due due, core::Reply<std::string> reply);
    void ack(std::string id, core::Reply<bool> reply);
    void cancel(std::string id, core::Reply<bool> reply);
    void peek(core::Reply<std::optional<Item>> reply);
    void size(core::Reply<std::size_t> reply);

    /// Waits on this thread. Zero timeout: now or never.
    core::TakeQueue::Outcome take(Duration timeout, std::stop_token const& stop);
    void async_take(Duration timeout, detail::Handler<Item> handler);
    void async_take(Duration timeout, detail::Handler<std::optional<Item>> handler);

    /// The waiter is completed exactly once, perhaps before this returns.
    void submit(TakeWaiter& waiter);

    /// Asks the waiter to leave. It is completed all the same: as cancelled, unless its outcome came first.
    void cancel_wait(TakeWaiter& waiter);

    void close();  ///< ends all who wait with client_closed

private:
    template <class T>
    void start_take(Duration timeout, detail::Handler<T> handler);
    void prepare(TakeWaiter& waiter, Duration timeout) const;
    std::optional<Problem> problem_with(Duration timeout) const;

    void look(core::Result<core::Unit> const& notice);
    void run(std::unique_lock<std::mutex>& lock);
    void collect();
    void deliver(std::unique_lock<std::mutex>& lock);
    void call(std::unique_lock<std::mutex>& lock, std::size_t count);
    void wait(Time until);
    void rest();
    void count_waiting();

    std::shared_ptr<Context> const context_;
    std::string const name_;
    QueueOptions const options_;
    std::shared_ptr<core::QueueStore> const store_;

    std::mutex mutex_;
    core::TakeQueue queue_;
    std::vector<core::TakeQueue::Completion> completed_;  // out of the queue, about to hear of it
    std::unique_ptr<core::Watch> watch_;
    std::unique_ptr<Alarm> alarm_;
    Time alarm_at_ = Time::max();
    bool running_ = false;
    bool closed_ = false;
    std::size_t waiting_ = 0;  // as told to the context
};

}  // namespace ration::client
