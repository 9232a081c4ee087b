#pragma once

#include "client/queue.hpp"
#include "client/waiters.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/executor_work_guard.hpp>

#include <memory>
#include <semaphore>
#include <type_traits>

namespace ration::client {

/// A thread that stands still until its outcome is there. Owns itself while it is in the queue: the thread may give up before
/// that.
class BlockingTaker final : public TakeWaiter {
public:
    static std::shared_ptr<BlockingTaker> make()
    {
        auto waiter = std::make_shared<BlockingTaker>();
        waiter->self_ = waiter;
        return waiter;
    }

    void complete(core::TakeQueue::Outcome outcome) override
    {
        auto const keep = std::move(self_);
        outcome_ = std::move(outcome);
        done_.release();
    }

    bool is_done() { return seen_ = seen_ || done_.try_acquire(); }
    bool wait_for(Duration span) { return seen_ = seen_ || done_.try_acquire_for(span); }
    void wait()
    {
        if (!seen_) done_.acquire();
        seen_ = true;
    }

    /// Requires: it is done.
    core::TakeQueue::Outcome& outcome() noexcept { return outcome_; }

private:
    core::TakeQueue::Outcome outcome_;
    std::binary_semaphore done_{0};
    bool seen_ = false;
    std::shared_ptr<BlockingTaker> self_;
};

/// A completion handler. Owns itself while it is in the queue. T: an Item, or an optional one.
template <class T>
class AsyncTaker final : public TakeWaiter, public std::enable_shared_from_this<AsyncTaker<T>> {
public:
    AsyncTaker(std::shared_ptr<Queue> queue, detail::Handler<T> handler)
        : queue_{std::move(queue)}, handler_{std::move(handler)}, work_{handler_.executor}
    {}

    void submit()
    {
        self_ = this->shared_from_this();
        auto const keep = self_;
        if (auto slot = boost::asio::get_associated_cancellation_slot(handler_.function);
            slot.is_connected()) {
            // Weak: the slot may outlive the operation.
            slot.assign([weak = this->weak_from_this()](boost::asio::cancellation_type type) {
                if (type == boost::asio::cancellation_type::none) return;
                if (auto const taker = weak.lock()) taker->queue_->cancel_wait(*taker);
            });
        }
        queue_->submit(*this);
    }

    void complete(core::TakeQueue::Outcome outcome) override
    {
        auto const keep = std::move(self_);
        auto const error = to_boost(outcome.error);
        if constexpr (std::is_same_v<T, Item>) {
            queue_->context()->template post<T>(std::move(handler_), error,
                                                std::move(outcome.value).value_or(Item{}));
        } else {
            queue_->context()->template post<T>(std::move(handler_), error, std::move(outcome.value));
        }
        work_.reset();
    }

private:
    std::shared_ptr<Queue> queue_;
    detail::Handler<T> handler_;
    // The handler's io_context must not run out of work while it waits here.
    boost::asio::executor_work_guard<boost::asio::any_io_executor> work_;
    std::shared_ptr<AsyncTaker> self_;
};

}  // namespace ration::client
