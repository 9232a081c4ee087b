#pragma once

#include "client/queue_driver.hpp"

#include <boost/asio/executor_work_guard.hpp>

#include <memory>
#include <optional>
#include <semaphore>

namespace ration::client {

/// A thread that stands still until its outcome is there. Owns itself while it is in the queue: the thread may give up
/// before that.
class BlockingWaiter final : public Waiter {
public:
    static std::shared_ptr<BlockingWaiter> make()
    {
        auto waiter = std::make_shared<BlockingWaiter>();
        waiter->self_ = waiter;
        return waiter;
    }

    bool complete(core::Outcome const& outcome, Handlers /*of others*/) override
    {
        auto const keep = std::move(self_);
        outcome_ = outcome;
        done_.release();
        return false;
    }

    bool is_done() { return seen_ = seen_ || done_.try_acquire(); }
    bool wait_for(Duration span) { return seen_ = seen_ || done_.try_acquire_for(span); }
    void wait()
    {
        if (!seen_) done_.acquire();
        seen_ = true;
    }

    /// Requires: it is done.
    core::Outcome const& outcome() const noexcept { return outcome_; }

private:
    core::Outcome outcome_;
    std::binary_semaphore done_{0};
    bool seen_ = false;
    std::shared_ptr<BlockingWaiter> self_;
};

/// A completion handler. Owns itself while it is in the queue.
///
/// A crowd of callers pays for every reference that is counted and every executor that is moved on the way here: handlers travel
/// by reference, and owners are handed on.
class AsyncWaiter final : public Waiter {
public:
    AsyncWaiter(std::shared_ptr<QueueDriver> driver, detail::Handler<Decision>&& handler);

    static void submit(std::shared_ptr<AsyncWaiter> waiter);
    bool complete(core::Outcome const& outcome, Handlers handlers) override;

private:
    std::shared_ptr<QueueDriver> driver_;
    detail::Handler<Decision> handler_;
    // The handler's io_context must not run out of work while it waits here. Empty if it runs on our own thread, which never
    // does.
    std::optional<boost::asio::executor_work_guard<boost::asio::any_io_executor>> work_;
    std::shared_ptr<AsyncWaiter> self_;
};

/// What an async operation completes with.
boost::system::error_code to_boost(std::optional<Errc> error) noexcept;

}  // namespace ration::client
