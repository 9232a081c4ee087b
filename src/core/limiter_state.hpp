#pragma once

#include "core/calendar_window.hpp"
#include "core/fixed_window.hpp"
#include "core/sliding_log.hpp"
#include "core/token_bucket.hpp"

#include <variant>

namespace ration::core {

/// The grants of one limiter, by whatever algorithm.
class LimiterState {
public:
    /// Requires: fits(algorithm, rate).
    LimiterState(Algorithm algorithm, Rate const& rate) : state_{make(algorithm, rate)} {}

    /// `resolution` concerns a sliding log only.
    Verdict take(Time now, Permits n, Duration resolution)
    {
        return std::visit(
            [&]<class State>(State& state) {
                if constexpr (std::is_same_v<State, SlidingLog>) {
                    return state.take(now, n, resolution);
                } else {
                    return state.take(now, n);
                }
            },
            state_);
    }

    Verdict look(Time now, Permits n) const
    {
        return std::visit([&](auto const& state) { return state.look(now, n); }, state_);
    }

    void release(Time now, Permits n)
    {
        std::visit([&](auto& state) { state.release(now, n); }, state_);
    }

    /// Requires: fits the algorithm.
    void change_rate(Rate const& rate, Time now)
    {
        std::visit([&](auto& state) { state.change_rate(rate, now); }, state_);
    }

    Permits available(Time now) const
    {
        return std::visit([&](auto const& state) { return state.available(now); }, state_);
    }

    bool is_idle(Time now) const
    {
        return std::visit([&](auto const& state) { return state.is_idle(now); }, state_);
    }

private:
    using State = std::variant<SlidingLog, FixedWindow, CalendarWindow, TokenBucket>;

    static State make(Algorithm algorithm, Rate const& rate)
    {
        switch (algorithm) {
        case Algorithm::sliding_log: return SlidingLog{rate};
        case Algorithm::fixed_window: return FixedWindow{rate};
        case Algorithm::calendar_window: return CalendarWindow{rate};
        case Algorithm::token_bucket: break;
        }
        return TokenBucket{rate};
    }

    State state_;
};

}  // namespace ration::core
