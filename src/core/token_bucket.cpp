#include "core/token_bucket.hpp"

#include <limits>
#include <numeric>

namespace ration::core {

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

}  // namespace

TokenBucketParams::TokenBucketParams(Rate const& rate) : capacity{rate.capacity()}
{
    std::int64_t const common = std::gcd(rate.permits(), rate.interval().count());
    whole = rate.interval().count() / common;
    refill = rate.permits() / common;
    max_elapsed = (int64_max - whole) / refill;
    max_missing = (int64_max - refill) / whole;
    max_joined = std::min(capacity, max_missing);
}

void TokenBucketCell::release(TokenBucketParams const& params, Time now, Permits n)
{
    Gap const gap = gap_at(params, now);
    updated_ = std::max(updated_, now);
    gap_ = filled(gap, n, gap.parts);
}

void TokenBucketCell::change_rate(TokenBucketParams const& from, TokenBucketParams const& to, Time now)
{
    gap_ = gap_at(from, now);
    updated_ = std::max(updated_, now);
    // Rounded down: the change may cost a part of a permit, it never gives one away.
    gap_.parts = static_cast<std::int64_t>(Wide{gap_.parts} * to.whole / from.whole);
}

// Stores nothing: a denial costs nothing.
Verdict TokenBucketCell::denial(TokenBucketParams const& params, Time now, Permits n, Gap gap) const
{
    Duration const behind = std::max(updated_ - now, Duration{});
    return {false, std::max<Permits>(params.capacity - gap.permits, 0),
            behind + time_to_fill(params, gap, gap.permits + n - params.capacity),
            behind + time_to_fill(params, gap, gap.permits)};
}

TokenBucketCell::Gap TokenBucketCell::gap_after_long(TokenBucketParams const& params,
                                                     std::int64_t elapsed) const
{
    Wide const parts = Wide{elapsed} * params.refill + gap_.parts;
    Wide const permits = std::min<Wide>(parts / params.whole, gap_.permits);
    return filled(gap_, static_cast<Permits>(permits), static_cast<std::int64_t>(parts % params.whole));
}

Duration TokenBucketCell::long_time_to_fill(TokenBucketParams const& params, Gap gap, Permits count)
{
    Wide const parts = Wide{count} * params.whole - gap.parts + params.refill - 1;
    Wide const wait = std::min<Wide>(parts / params.refill, longest_wait.count());
    return Duration{static_cast<std::int64_t>(wait)};
}

}  // namespace ration::core
