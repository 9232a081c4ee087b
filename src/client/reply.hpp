#pragma once

// How an operation beside the queue comes back: to a thread that waits, or to a completion handler.

#include "client/context.hpp"
#include "client/queue_driver.hpp"
#include "client/sentences.hpp"

#include <future>

namespace ration::client {

/// A future as something that Context::await can wait for.
template <class T>
struct FutureWaiter {
    std::future<T>& future;

    bool wait_for(Duration span) { return future.wait_for(span) == std::future_status::ready; }
    void wait() { future.wait(); }
};

/// Starts an operation by `start(reply)` and waits for the reply; throws Error about `who`.
template <class T, class Start>
T wait_for(Context const& context, std::string const& who, Start start)
{
    if (context.would_deadlock()) throw make_error(who, {Errc::would_deadlock});
    std::promise<core::Result<T>> promise;
    auto future = promise.get_future();
    start(core::Reply<T>{[promise = std::move(promise)](core::Result<T> result) mutable {
        promise.set_value(std::move(result));
    }});
    FutureWaiter<core::Result<T>> waiter{future};
    if (!context.await(waiter)) throw make_error(who, problem_of(context.nobody_runs_it(), 0));
    core::Result<T> result = future.get();
    if (result.error) throw make_error(who, {*result.error, std::move(result.detail)});
    return std::move(result.value);
}

/// A reply that completes a handler. An operation without a value replies with Unit.
template <class T>
auto reply_to(std::shared_ptr<Context> const& context, detail::Handler<T> handler)
{
    using Value = std::conditional_t<std::is_void_v<T>, core::Unit, T>;
    return core::Reply<Value>{[context, handler = std::move(handler)](core::Result<Value> result) mutable {
        boost::system::error_code error;
        if (result.error) error = make_error_code(*result.error);
        if constexpr (std::is_void_v<T>) {
            context->post<T>(std::move(handler), error);
        } else {
            context->post<T>(std::move(handler), error, std::move(result.value));
        }
    }};
}

/// A reply to an inner operation that passes on what `convert` makes of its value.
template <class Inner, class Outer, class Convert>
core::Reply<Inner> converted(core::Reply<Outer> reply, Convert convert)
{
    return [reply = std::move(reply), convert](core::Result<Inner> result) mutable {
        reply({result.error, std::move(result.detail), convert(std::move(result.value))});
    };
}

/// Runs `action(reply)` unless something is wrong already.
template <class T, class Action>
void checked(Context const& context, std::optional<Problem> const& problem, core::Reply<T> reply,
             Action action)
{
    if (problem) {
        reply(core::Result<T>::failed(problem->code, problem->detail));
    } else if (context.closed()) {
        reply(core::Result<T>::failed(Errc::client_closed));
    } else {
        action(std::move(reply));
    }
}

/// Who waits in that queue, if there is one, learns of a change before the one who made it goes on.
template <class T>
core::Reply<T> then_ask_again(std::shared_ptr<QueueDriver> driver, core::Reply<T> reply)
{
    return [driver = std::move(driver), reply = std::move(reply)](core::Result<T> result) mutable {
        if (!result.error && driver) driver->ask_again();
        reply(std::move(result));
    };
}

/// The reply to a peek at n permits. Whoever would stand behind somebody gets nothing, whatever is free; so the
/// store's answer counts only for its errors then.
core::Reply<Decision> peek_behind(QueueDriver* driver, Permits n, core::Reply<Decision> reply);

}  // namespace ration::client
