#include "client/take.hpp"

#include <boost/asio/recycling_allocator.hpp>

namespace ration::client {

namespace {

void prepare(Waiter& waiter, Context const& context, core::Ask const& ask, Duration timeout)
{
    waiter.n = ask.n;
    waiter.patient = ask.patient;
    waiter.expected = ask.algorithm;
    if (!ask.patient || timeout == for_ever) return;
    Time const now = context.clock().now();
    if (timeout < Time::max() - now) waiter.deadline = now + timeout;
}

}  // namespace

core::Outcome take_in_queue(Context const& context, std::shared_ptr<QueueDriver> const& driver,
                            core::Ask const& ask, Duration timeout, std::stop_token const& stop)
{
    if (context.would_deadlock()) {
        // Who stands behind somebody is denied without the store.
        auto const denied = ask.patient ? std::nullopt : driver->denial_behind_head();
        return denied ? core::Outcome{{}, *denied, {}} : core::Outcome::failed(Errc::would_deadlock);
    }
    auto const waiter = BlockingWaiter::make();
    prepare(*waiter, context, ask, timeout);
    driver->submit(*waiter);
    if (waiter->is_done()) return waiter->outcome();

    // Who does not want to wait only lets another thread finish what it does with the queue.
    bool const would_deadlock = ask.patient && context.on_io_thread();
    if (would_deadlock) driver->cancel(*waiter);
    std::stop_callback const on_stop{stop, [&] { driver->cancel(*waiter); }};
    if (!context.await(*waiter)) {
        driver->cancel(*waiter);  // or, if its call is out, whenever that comes back
        return context.nobody_runs_it();
    }
    core::Outcome outcome = waiter->outcome();
    if (would_deadlock && outcome.error == Errc::cancelled) outcome.error = Errc::would_deadlock;
    return outcome;
}

void take_in_queue(std::shared_ptr<QueueDriver> driver, core::Ask const& ask, Duration timeout,
                   detail::Handler<Decision>&& handler)
{
    Context const& context = driver->context();
    // A handler that asks again gets the memory that was just given back on its thread.
    auto waiter = std::allocate_shared<AsyncWaiter>(boost::asio::recycling_allocator<AsyncWaiter>{},
                                                    std::move(driver), std::move(handler));
    prepare(*waiter, context, ask, timeout);
    AsyncWaiter::submit(std::move(waiter));
}

}  // namespace ration::client
