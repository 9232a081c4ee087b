#include "client/waiters.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/error.hpp>

namespace ration::client {

AsyncWaiter::AsyncWaiter(std::shared_ptr<Context> context, std::shared_ptr<QueueDriver> driver,
                         detail::Handler<Decision> handler)
    : context_{std::move(context)}, driver_{std::move(driver)}, handler_{std::move(handler)}
{
    if (!context_->belongs_to_our_thread(handler_.executor)) work_.emplace(handler_.executor);
}

void AsyncWaiter::submit()
{
    self_ = shared_from_this();
    auto const keep = self_;
    if (auto slot = boost::asio::get_associated_cancellation_slot(handler_.function); slot.is_connected()) {
        // Weak: the slot may outlive the operation.
        slot.assign([weak = weak_from_this()](boost::asio::cancellation_type type) {
            if (type == boost::asio::cancellation_type::none) return;
            if (auto const waiter = weak.lock()) waiter->driver_->cancel(*waiter);
        });
    }
    driver_->submit(*this);
}

bool AsyncWaiter::complete(core::Outcome const& outcome, Handlers handlers)
{
    auto const context = std::move(context_);
    auto const work = std::move(work_);
    auto handler = std::move(handler_);
    self_.reset();  // now: a handler that asks again gets the same memory
    return context->complete<Decision>(std::move(handler), handlers, to_boost(outcome.error),
                                       outcome.decision);
}

boost::system::error_code to_boost(std::optional<Errc> error) noexcept
{
    if (!error) return {};
    if (*error == Errc::cancelled) return boost::asio::error::operation_aborted;
    return make_error_code(*error);
}

}  // namespace ration::client
