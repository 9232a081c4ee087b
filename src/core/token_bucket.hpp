#pragma once

// Token bucket: how many permits are missing from a full bucket, exactly.
//
// Why not the usual single "arrival time": one permit rarely takes a whole number of microseconds, and at
// 900 000/s the rounding lets 11 % too much through. With g = gcd(permits, interval in µs), a microsecond
// brings exactly permits/g parts of a permit, of which interval/g make a whole one; the state counts whole
// permits and such parts.
//
// Why *missing* and not *held*: all zero is then a full bucket whatever the rate, so a fresh cell needs no
// rate, and a changed rate leaves the number alone: debt is simply missing > capacity.
//
// Products fit 64 bits except after very long pauses or with extreme rates; those are done in the .cpp.

#include "core/single.hpp"

#include <algorithm>
#include <cstdint>

namespace ration::core {

/// A bucket of 2^32 - 1 that gets one permit in ten years is full after 40 billion years, more than a
/// Duration can say. Waits end here, so that a moment plus a wait never overflows.
inline constexpr Duration longest_wait = Duration::max() / 2;

struct TokenBucketParams {
    explicit TokenBucketParams(Rate const& rate);

    Permits capacity;
    std::int64_t whole;        ///< parts that make one permit
    std::int64_t refill;       ///< parts that come per microsecond
    std::int64_t max_elapsed;  ///< µs; up to here max_elapsed * refill + whole fits 64 bits
    Permits max_missing;       ///< up to here max_missing * whole + refill fits 64 bits
    Permits max_joined;        ///< so many may be missing after a grant that joins another
};

class TokenBucketCell {
public:
    TokenBucketCell() = default;

    /// A bucket that was kept elsewhere: as of `updated`, `permits` were missing less `parts` of one.
    TokenBucketCell(Time updated, Permits permits, std::int64_t parts)
        : updated_{updated}, gap_{permits, parts}
    {}

    Verdict take(TokenBucketParams const& params, Time now, Permits n)
    {
        Gap const gap = gap_at(params, now);
        if (gap.permits + n > params.capacity) [[unlikely]]
            return denial(params, now, n, gap);
        updated_ = std::max(updated_, now);
        gap_.permits = gap.permits + n;
        gap_.parts = gap.parts;
        return {true, params.capacity - gap_.permits, Duration{},
                (updated_ - now) + time_to_fill(params, gap_, gap_.permits)};
    }

    /// Puts in what has come back by `now`, and nothing else.
    void settle(TokenBucketParams const& params, Time now)
    {
        gap_ = gap_at(params, now);
        updated_ = std::max(updated_, now);
    }

    /// Whether n permits can join what is known: it is of this very moment, and they are free.
    bool can_join(TokenBucketParams const& params, Time now, Permits n) const
    {
        return now == updated_ && n <= params.max_joined - gap_.permits;
    }

    /// What take does if they can. Calls `done` when all is read and written, before the arithmetic.
    template <class Done>
    Verdict join(TokenBucketParams const& params, Permits n, Done done)
    {
        gap_.permits += n;
        Gap const gap = gap_;
        TokenBucketParams const rate = params;
        done();
        return {true, rate.capacity - gap.permits, Duration{}, short_time_to_fill(rate, gap, gap.permits)};
    }

    Verdict look(TokenBucketParams const& params, Time now, Permits n) const
    {
        return TokenBucketCell{*this}.take(params, now, n);
    }

    void release(TokenBucketParams const& params, Time now, Permits n);
    void change_rate(TokenBucketParams const& from, TokenBucketParams const& to, Time now);

    Permits available(TokenBucketParams const& params, Time now) const
    {
        return std::max<Permits>(params.capacity - gap_at(params, now).permits, 0);
    }

    /// A full bucket that has seen a later time than `now` is not idle: it would refill later than a fresh
    /// one.
    bool is_idle(TokenBucketParams const& params, Time now) const
    {
        return updated_ <= now && gap_at(params, now).permits == 0;
    }

private:
    // What is missing: `permits` less `parts` of one, which have come back already.
    struct Gap {
        Permits permits = 0;
        std::int64_t parts = 0;  // 0 <= parts < whole; zero if the bucket is full
    };

    // A clock that stepped back brings nothing until it has caught up.
    Gap gap_at(TokenBucketParams const& params, Time now) const
    {
        if (now <= updated_ || gap_.permits == 0) return gap_;
        std::int64_t const elapsed = (now - updated_).count();
        if (elapsed > params.max_elapsed) [[unlikely]]
            return gap_after_long(params, elapsed);
        auto const parts = static_cast<std::uint64_t>(gap_.parts + elapsed * params.refill);
        auto const whole = static_cast<std::uint64_t>(params.whole);
        return filled(gap_, static_cast<Permits>(parts / whole), static_cast<std::int64_t>(parts % whole));
    }

    static Gap filled(Gap gap, Permits permits, std::int64_t parts)
    {
        return permits >= gap.permits ? Gap{} : Gap{gap.permits - permits, parts};
    }

    // Until `count` of the missing permits are back. Requires: count <= gap.permits.
    static Duration time_to_fill(TokenBucketParams const& params, Gap gap, Permits count)
    {
        if (count == 0) return Duration{};
        if (count > params.max_missing) [[unlikely]]
            return long_time_to_fill(params, gap, count);
        return short_time_to_fill(params, gap, count);
    }

    // Requires: 1 <= count <= max_missing.
    static Duration short_time_to_fill(TokenBucketParams const& params, Gap gap, Permits count)
    {
        auto const parts = static_cast<std::uint64_t>(count * params.whole - gap.parts + params.refill - 1);
        return Duration{static_cast<std::int64_t>(parts / static_cast<std::uint64_t>(params.refill))};
    }

    // The same in 128 bits.
    Gap gap_after_long(TokenBucketParams const& params, std::int64_t elapsed) const;
    static Duration long_time_to_fill(TokenBucketParams const& params, Gap gap, Permits count);

    Verdict denial(TokenBucketParams const& params, Time now, Permits n, Gap gap) const;

    Time updated_{};  // the latest time seen by a grant or settle; gap_ is as of then
    Gap gap_;
};

using TokenBucket = Single<TokenBucketCell, TokenBucketParams>;

static_assert(sizeof(TokenBucket::Cell) == 24 && sizeof(TokenBucket) <= 128);

}  // namespace ration::core
