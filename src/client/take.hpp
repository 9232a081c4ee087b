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
concept PermitSource = requires(T const source, core::Ask ask, core::AtOnce& at_once)
{
    {
        source.context()
        } -> std::convertible_to<std::shared_ptr<Context> const&>;
    {
        source.is_sound()
        } -> std::same_as<bool>;
    {
        source.problem()
        } -> std::same_as<std::optional<Problem>>;  // something, if it is not sound
    {
        source.decide_now(ask, at_once)
        } -> std::same_as<Decision>;
    {
        source.driver()
        } -> std::same_as<std::shared_ptr<QueueDriver>>;
    {
        source.describe()
        } -> std::same_as<std::string>;
};

constexpr Duration for_ever = Duration::max();

/// Waits in the queue of `driver`. Zero timeout: now or never.
core::Outcome take_in_queue(Context const& context, std::shared_ptr<QueueDriver> const& driver,
                            core::Ask const& ask, Duration timeout, std::stop_token const& stop);
void take_in_queue(std::shared_ptr<QueueDriver> driver, core::Ask const& ask, Duration timeout,
                   detail::Handler<Decision>&& handler);

/// What is wrong with a request before anybody is asked.
template <PermitSource Source>
std::optional<Problem> check_request(Source const& source, Permits n, Duration timeout)
{
    if (auto problem = check_permits(n)) return problem;
    if (auto problem = check_timeout(timeout)) return problem;
    if (source.context()->closed()) return Problem{Errc::client_closed};
    return source.problem();
}

// `take` is a hot path (quick_take.hpp is a hotter one): part of whoever calls it. What it rarely does stands apart, so that
// it needs few registers and no clean-up. Some 90 instructions run in the time that reading the tick counter takes; every one
// beyond costs.

/// Whether check_request finds nothing.
template <PermitSource Source>
bool is_sound(Source const& source, Permits n, Duration timeout) noexcept
{
    return n >= 1 && timeout >= Duration{} && !source.context()->closed() && source.is_sound();
}

template <PermitSource Source>
[[noreturn, gnu::noinline]] void reject(Source const& source, Permits n, Duration timeout)
{
    throw make_error(source.describe(), *check_request(source, n, timeout));
}

template <PermitSource Source>
[[gnu::noinline]] void take_slowly(Source const& source, core::Ask ask, core::AtOnce at_once,
                                   Decision& decision, Duration timeout, std::stop_token const* stop)
{
    core::Outcome outcome{at_once.error(), decision, {}};
    if (at_once.has_to_queue()) {
        outcome = take_in_queue(*source.context(), source.driver(), ask, timeout,
                                stop != nullptr ? *stop : std::stop_token{});
    }
    if (outcome.error) throw make_error(source.describe(), problem_of(outcome, ask.n));
    decision = outcome.decision;
}

template <PermitSource Source>
[[gnu::always_inline]] inline Decision take(Source const& source, core::Ask ask, Duration timeout,
                                            std::stop_token const* stop = nullptr)
{
    if (!is_sound(source, ask.n, timeout)) [[unlikely]]
        reject(source, ask.n, timeout);
    ask.patient = timeout > Duration{};
    core::AtOnce at_once;
    Decision decision = source.decide_now(ask, at_once);
    if (!at_once.is_decided()) [[unlikely]]
        take_slowly(source, ask, at_once, decision, timeout, stop);
    return decision;
}

template <PermitSource Source>
void async_take(Source const& source, core::Ask ask, Duration timeout, detail::Handler<Decision>&& handler)
{
    Context& context = *source.context();
    if (!is_sound(source, ask.n, timeout)) {
        auto const problem = check_request(source, ask.n, timeout);
        context.post<Decision>(std::move(handler), make_error_code(problem->code), Decision{});
        return;
    }
    ask.patient = timeout > Duration{};
    core::AtOnce at_once;
    if (Decision const decision = source.decide_now(ask, at_once); !at_once.has_to_queue()) {
        context.post<Decision>(std::move(handler), to_boost(at_once.error()), decision);
    } else {
        take_in_queue(source.driver(), ask, timeout, std::move(handler));
    }
}

}  // namespace ration::client
