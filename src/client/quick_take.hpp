#pragma once

// `take` for a limiter, with a short way for one whose store is in this process: MemoryLimiter::decide_quickly, made part of
// the public function. On it nothing is called, so nothing is saved or cleaned up; everything else stands apart.

#include "client/limiter.hpp"
#include "client/take.hpp"

namespace ration::client {

/// The long way from its beginning.
[[gnu::noinline]] inline Decision take_by_rule(Limiter const& limiter, core::Ask ask, Duration timeout,
                                               std::stop_token const* stop)
{
    return take(limiter, ask, timeout, stop);
}

/// The rest of the long way, once the counter was read and the lock taken.
[[gnu::noinline]] inline Decision take_by_rule(Limiter const& limiter, core::Ask ask, core::Ticks ticks,
                                               Duration timeout, std::stop_token const* stop)
{
    core::AtOnce at_once;
    Decision decision = limiter.embedded()->decide_and_unlock(ticks, ask, at_once);
    if (!at_once.is_decided()) [[unlikely]]
        take_slowly(limiter, ask, at_once, decision, timeout, stop);
    return decision;
}

[[gnu::always_inline]] inline Decision take_quickly(Limiter const& limiter, core::Ask ask, Duration timeout,
                                                    std::stop_token const* stop = nullptr)
{
    auto* const embedded = limiter.embedded();
    if (embedded == nullptr || !is_sound(limiter, ask.n, timeout)) [[unlikely]]
        return take_by_rule(limiter, ask, timeout, stop);
    ask.patient = timeout > Duration{};
    return embedded->decide_quickly(
        ask, [&](core::Ticks ticks) { return take_by_rule(limiter, ask, ticks, timeout, stop); },
        [&] { return take_by_rule(limiter, ask, timeout, stop); });
}

}  // namespace ration::client
