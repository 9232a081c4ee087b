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
        Verdict verdict = std::visit(
            [&]<class State>(State& state) {
                if constexpr (std::is_same_v<State, SlidingLog>) {
                    return state.take(now, n, resolution);
                } else {
                    return state.take(now, n);
                }
            },
            state_);
        if (!verdict.granted && n == 1) {
            empty_ = {now, verdict.retry_after, verdict.reset_after};
        } else if (empty_.retry_after > Duration{}) {
            empty_ = {};
        }
        return verdict;
    }

    // Two short ways past `take`, for the cases that make up nearly all of a busy limiter's: another grant in the same
    // microsecond, and another denial while nothing is free. As long as time does not go back, both say exactly what `take`
    // would. They call `done` as soon as they need nothing here any more, so that a lock is held no longer than that.

    /// Puts in what has come back by `now`. Nobody can tell the difference, but that requests of this time can join.
    void settle(Time now) noexcept
    {
        if (empty_.holds(now)) return;
        if (auto* const bucket = std::get_if<TokenBucket>(&state_)) bucket->settle(now);
    }

    /// Whether n permits are free, in the microsecond of the last grant or of `settle`.
    [[gnu::always_inline]] bool can_join(Time now, Permits n) const noexcept
    {
        if (auto const* const bucket = std::get_if<TokenBucket>(&state_)) return bucket->can_join(now, n);
        if (auto const* const log = std::get_if<SlidingLog>(&state_)) return log->can_join(now, n);
        return false;
    }

    /// What `take` does then. Requires: can_join(now, n).
    template <class Done>
    [[gnu::always_inline]] Verdict join(Permits n, Done done) noexcept
    {
        if (auto* const bucket = std::get_if<TokenBucket>(&state_)) return bucket->join(n, done);
        return std::get_if<SlidingLog>(&state_)->join(n, done);
    }

    /// True if it is known that not even one permit is free.
    bool is_empty(Time now) const noexcept { return empty_.holds(now); }

    /// What `take` says to one permit then. Stores nothing.
    template <class Done>
    Verdict denial(Time now, Done done) const noexcept
    {
        Empty const empty = empty_;
        done();
        return empty.verdict(now);
    }

    Verdict look(Time now, Permits n) const
    {
        return std::visit([&](auto const& state) { return state.look(now, n); }, state_);
    }

    void release(Time now, Permits n)
    {
        empty_ = {};
        std::visit([&](auto& state) { state.release(now, n); }, state_);
    }

    /// Requires: fits the algorithm.
    void change_rate(Rate const& rate, Time now)
    {
        empty_ = {};
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

    /// The last that happened was that one permit was denied: until it is free, every other is too.
    struct Empty {
        Time since{};
        Duration retry_after{};  // zero: something else has happened
        Duration reset_after{};

        // False before `since` too, should the clock have been set back: the difference wraps.
        bool holds(Time now) const noexcept
        {
            return static_cast<std::uint64_t>((now - since).count())
                   < static_cast<std::uint64_t>(retry_after.count());
        }
        Verdict verdict(Time now) const noexcept
        {
            return {false, 0, retry_after - (now - since), reset_after - (now - since)};
        }
    };

    State state_;
    Empty empty_;
};

}  // namespace ration::core
