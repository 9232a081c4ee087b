#pragma once

#include <ration/limiter_options.hpp>

#include <optional>

namespace ration::core {

/// What a new limiter with this rate is, if nobody says otherwise.
constexpr Algorithm natural_algorithm(Rate const& rate) noexcept
{
    if (rate.is_calendar()) return Algorithm::calendar_window;
    return rate.burst() ? Algorithm::token_bucket : Algorithm::sliding_log;
}

/// Calendar rates go with calendar windows only, and bursts with token buckets only.
constexpr bool fits(Algorithm algorithm, Rate const& rate) noexcept
{
    if (rate.is_calendar() || algorithm == Algorithm::calendar_window) {
        return rate.is_calendar() && algorithm == Algorithm::calendar_window;
    }
    return !rate.burst() || algorithm == Algorithm::token_bucket;
}

/// What a limiter becomes when this rate is set: what was asked for, else what it is, else what is natural.
constexpr Algorithm algorithm_for(Rate const& rate, std::optional<Algorithm> asked,
                                  LimiterConfig const* stored) noexcept
{
    if (asked) return *asked;
    return stored && fits(stored->algorithm, rate) ? stored->algorithm : natural_algorithm(rate);
}

}  // namespace ration::core
