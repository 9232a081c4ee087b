#pragma once

#include "client/context.hpp"
#include "core/request_queue.hpp"
#include "core/store.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ration::client {

/// A request with somebody behind it who wants to hear the outcome.
class Waiter : public core::Request {
public:
    virtual ~Waiter() = default;

    /// Called once, without any lock held. The waiter may be gone when this returns. True if whoever waited has reacted
    /// by then.
    virtual bool complete(core::Outcome const& outcome, Handlers handlers) = 0;

private:
    friend class QueueDriver;
    bool queued_ = false;
};

/// Does what a request queue says: calls the store, sets the timer, hands out outcomes.
///
/// One thread at a time runs the queue; who comes meanwhile leaves his event and lets that thread go on. So
/// outcomes are handed out in the order in which they were decided. A thread that brings an event of the store or the
/// clock may run handlers right here; one that came with a request of its own must not.
class QueueDriver : public std::enable_shared_from_this<QueueDriver> {
public:
    QueueDriver(std::shared_ptr<Context> context, std::shared_ptr<core::PermitStore> store,
                std::shared_ptr<void> owner);
    ~QueueDriver();

    /// `owner`: what has to live while somebody waits here.
    static std::shared_ptr<QueueDriver> make(std::shared_ptr<Context> context,
                                             std::shared_ptr<core::PermitStore> store,
                                             std::shared_ptr<void> owner = nullptr);

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
    Context& context() const noexcept { return *context_; }

private:
    void run(std::unique_lock<std::mutex>& lock, Handlers handlers);
    void collect();
    void deliver(std::unique_lock<std::mutex>& lock, Handlers handlers);
    void count_waiting(std::size_t waiting);
    bool call_first(std::unique_lock<std::mutex>& lock);
    void call(std::unique_lock<std::mutex>& lock, core::RequestQueue::Call const& wanted);
    void on_result(std::size_t call, core::CallResult const& result);
    void take_result(std::size_t call, core::CallResult const& result);
    void let_it_be_written();
    void let_handlers_run();
    void go_on_after_a_turn();
    void wait(Time until);
    void on_alarm();

    std::shared_ptr<Context> const context_;
    std::shared_ptr<core::PermitStore> const store_;
    std::shared_ptr<void> const owner_;
    bool const replies_inside_;
    std::mutex mutable mutex_;
    core::RequestQueue queue_;
    std::vector<core::RequestQueue::Completion> completed_;   // out of the queue, about to hear of it
    std::vector<core::RequestQueue::Completion> delivering_;  // hear of it now; kept for its memory
    std::unique_ptr<Alarm> alarm_;
    Time alarm_at_ = Time::max();
    bool running_ = false;
    bool all_reacted_ = true;        // those who were completed since the last turn
    bool is_being_written_ = false;  // a second call: the executor has it, but has had no turn
    std::vector<std::pair<std::size_t, core::CallResult>>
        early_;  // came meanwhile; at most one for each call
    bool gate_shut_ = false;
    bool closed_ = false;
    std::size_t waiting_ = 0;  // as told to the context
    QueueCounts counts_;

    friend Context;
    QueueDriver* previous_ = nullptr;  // in the context's list, under its lock
    QueueDriver* next_ = nullptr;
};

}  // namespace ration::client
