#pragma once

// How a request for permits goes: checked, decided inline if nobody has to wait, else handed to a queue.
// Once for named limiters and for keys, blocking and async.

#include "client/queue_driver.hpp"
#include "client/sentences.hpp"
#include "client/waiters.hpp"

#include <concepts>
#include <stop_token>

namespace ration::client {

/// Something that has permits: a limiter, or one key of a keyed limiter.
template <class T>
concept PermitSource = requires(T const source, core::Ask const& ask) {
    { source.context() } -> std::convertible_to<std::shared_ptr<Context> const&>;
    { source.problem() } -> std::same_as<std::optional<Problem>>;
    { source.decide_now(ask) } -> std::same_as<std::optional<core::Outcome>>;
    { source.driver() } -> std::same_as<std::shared_ptr<QueueDriver>>;
    { source.describe() } -> std::same_as<std::string>;
};

constexpr Duration for_ever = Duration::max();

/// Waits in the queue of `driver`. Zero timeout: now or never.
core::Outcome take_in_queue(Context const& context, std::shared_ptr<QueueDriver> const& driver, core::Ask const& ask,
                            Duration timeout, std::stop_token const& stop);
void take_in_queue(std::shared_ptr<Context> const& context, std::shared_ptr<QueueDriver> driver, core::Ask const& ask,
                   Duration timeout, detail::Handler<Decision> handler);

template <PermitSource Source>
std::optional<Problem> check_request(Source const& source, Permits n, Duration timeout)
{
    if (n < 1) [[unlikely]] return check_permits(n);
    if (timeout < Duration{}) [[unlikely]] return check_timeout(timeout);
    if (source.context()->closed()) [[unlikely]] return Problem{Errc::client_closed};
    return source.problem();
}

template <PermitSource Source>
Decision take(Source const& source, core::Ask ask, Duration timeout, std::stop_token const& stop = {})
{
    if (auto const problem = check_request(source, ask.n, timeout)) [[unlikely]] {
        throw make_error(source.describe(), *problem);
    }
    ask.patient = timeout > Duration{};
    auto outcome = source.decide_now(ask);
    if (!outcome) [[unlikely]] outcome = take_in_queue(*source.context(), source.driver(), ask, timeout, stop);
    if (outcome->error) [[unlikely]] throw make_error(source.describe(), problem_of(*outcome, ask.n));
    return outcome->decision;
}

template <PermitSource Source>
void async_take(Source const& source, core::Ask ask, Duration timeout, detail::Handler<Decision> handler)
{
    std::shared_ptr<Context> const& context = source.context();
    if (auto const problem = check_request(source, ask.n, timeout)) {
        context->post<Decision>(std::move(handler), make_error_code(problem->code), Decision{});
        return;
    }
    ask.patient = timeout > Duration{};
    if (auto const outcome = source.decide_now(ask)) {
        context->post<Decision>(std::move(handler), to_boost(outcome->error), outcome->decision);
    } else {
        take_in_queue(context, source.driver(), ask, timeout, std::move(handler));
    }
}

}  // namespace ration::client
