#pragma once

#include "client/context.hpp"
#include "core/request_queue.hpp"
#include "core/store.hpp"

#include <memory>
#include <mutex>

namespace ration::client {

/// A request with somebody behind it who wants to hear the outcome.
class Waiter : public core::Request {
public:
    virtual ~Waiter() = default;

    /// Called once, without any lock held. The waiter may be gone when this returns.
    virtual void complete(core::Outcome const& outcome) = 0;

private:
    friend class QueueDriver;
    bool queued_ = false;
};

/// Does what a request queue says: calls the store, sets the timer, hands out outcomes.
///
/// One thread at a time runs the queue; who comes meanwhile leaves his event and lets that thread go on. So
/// outcomes are handed out in the order in which they were decided.
class QueueDriver : public std::enable_shared_from_this<QueueDriver> {
public:
    QueueDriver(std::shared_ptr<Context> context, std::shared_ptr<core::PermitStore> store);
    ~QueueDriver();

    static std::shared_ptr<QueueDriver> make(std::shared_ptr<Context> context,
                                             std::shared_ptr<core::PermitStore> store);

    /// The waiter joins the queue and is completed exactly once, perhaps before this returns.
    void submit(Waiter& waiter);

    /// Asks the waiter to leave. It is completed all the same: as cancelled, unless its outcome came first.
    void cancel(Waiter& waiter);

    /// The rate or state changed beside the queue.
    void ask_again();

    /// Completes all waiters with client_closed.
    void close();

    /// What an impatient request would be told now without asking the store; nothing if nobody waits.
    std::optional<Decision> denial_behind_head();

    QueueCounts counts() const;

private:
    void run(std::unique_lock<std::mutex>& lock);
    void deliver(std::unique_lock<std::mutex>& lock);
    void call(std::unique_lock<std::mutex>& lock, core::Batch const& batch);
    void wait(Time until);
    void on_alarm();

    std::shared_ptr<Context> const context_;
    std::shared_ptr<core::PermitStore> const store_;
    std::mutex mutable mutex_;
    core::RequestQueue queue_;
    std::unique_ptr<Alarm> alarm_;
    Time alarm_at_ = Time::max();
    bool running_ = false;
    bool gate_shut_ = false;
    bool closed_ = false;
    QueueCounts counts_;
};

}  // namespace ration::client
