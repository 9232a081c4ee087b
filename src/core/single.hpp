#pragma once

#include "core/verdict.hpp"

#include <ration/rate.hpp>

namespace ration::core {

/// One algorithm with a rate of its own.
///
/// Every algorithm comes in two halves: a Cell, the state, small enough to exist by the million, and Params,
/// what the rate says, which all cells of a keyed limiter share. A Cell made by its default constructor was
/// never used. Single joins one of each; the members below say what every Cell does, whose functions take the
/// Params first:
///
///     TokenBucket bucket{rate};             bucket.take(now, n);
///     TokenBucket::Params params{rate};     TokenBucket::Cell cell;     cell.take(params, now, n);
///
/// Requires: 1970 <= now < 2200; 1 <= n <= rate.capacity(), in `release` n >= 0.
template <class CellType, class ParamsType>
class Single {
public:
    using Cell = CellType;
    using Params = ParamsType;

    explicit Single(Rate const& rate) : params_{rate} {}

    /// Takes n permits if that many are free.
    Verdict take(Time now, Permits n) { return cell_.take(params_, now, n); }

    /// SlidingLog only: see there.
    Verdict take(Time now, Permits n, Duration resolution) { return cell_.take(params_, now, n, resolution); }

    /// TokenBucket only: see there.
    void settle(Time now) { cell_.settle(params_, now); }

    /// SlidingLog and TokenBucket only: see there.
    bool can_join(Time now, Permits n) const { return cell_.can_join(params_, now, n); }
    template <class Done>
    Verdict join(Permits n, Done done)
    {
        return cell_.join(params_, n, done);
    }

    /// What take would say. Nothing is taken, nothing is stored.
    Verdict look(Time now, Permits n) const { return cell_.look(params_, now, n); }

    /// Gives back permits that are in use, at most those.
    void release(Time now, Permits n) { cell_.release(params_, now, n); }

    /// Keeps what is in use, even if the new rate has less than that (debt). What is free by now stays free.
    void change_rate(Rate const& rate, Time now)
    {
        Params const changed{rate};
        cell_.change_rate(params_, changed, now);
        params_ = changed;
    }

    /// 0 <= available <= capacity.
    Permits available(Time now) const { return cell_.available(params_, now); }

    /// True if a fresh one would answer the same from now on.
    bool is_idle(Time now) const { return cell_.is_idle(params_, now); }

private:
    Cell cell_{};  // first: what take writes lies next to its owner's lock
    Params params_;
};

}  // namespace ration::core
