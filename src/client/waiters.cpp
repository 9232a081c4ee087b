#include "client/waiters.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/error.hpp>

namespace ration::client {

AsyncWaiter::AsyncWaiter(std::shared_ptr<QueueDriver> driver, detail::Handler<Decision>&& handler)
    : driver_{std::move(driver)}, handler_{std::move(handler)}
{
    if (!driver_->context().belongs_to_our_thread(handler_.executor)) work_.emplace(handler_.executor);
}

void AsyncWaiter::submit(std::shared_ptr<AsyncWaiter> waiter)
{
    if (auto slot = boost::asio::get_associated_cancellation_slot(waiter->handler_.function);
        slot.is_connected()) {
        // Weak: the slot may outlive the operation.
        slot.assign([weak = std::weak_ptr{waiter}](boost::asio::cancellation_type type) {
            if (type == boost::asio::cancellation_type::none) return;
            if (auto const locked = weak.lock()) locked->driver_->cancel(*locked);
        });
    }
    AsyncWaiter& submitted = *waiter;
    auto const driver = submitted.driver_;  // the waiter may be gone before it returns
    submitted.self_ = std::move(waiter);
    driver->submit(submitted);
}

bool AsyncWaiter::complete(core::Outcome const& outcome, Handlers handlers)
{
    auto const driver = driver_;  // not moved: somebody who cancels right now reads it
    auto const work = std::move(work_);
    auto const error = to_boost(outcome.error);
    if (handlers == Handlers::run_here && !work && driver->context().may_run_handlers_here()) {
        auto function = std::move(handler_.function);
        self_.reset();  // before the handler, which may ask again and use the same memory
        std::move(function)(error, outcome.decision);
        return true;
    }
    auto handler = std::move(handler_);
    self_.reset();
    driver->context().post<Decision>(std::move(handler), error, outcome.decision);
    return false;
}

boost::system::error_code to_boost(std::optional<Errc> error) noexcept
{
    if (!error) return {};
    if (*error == Errc::cancelled) return boost::asio::error::operation_aborted;
    return make_error_code(*error);
}

}  // namespace ration::client
