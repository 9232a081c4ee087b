#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace ration {

/// The right to do one unit of work, counted.
using Permits = std::int64_t;

/// Every span of time in ration: whole microseconds, never a double.
using Duration = std::chrono::microseconds;

/// A moment, in microseconds since 1970-01-01 UTC.
using Time = std::chrono::sys_time<Duration>;

/// Whom a limit counts together.
enum class RateType : std::uint8_t {
    overall,     ///< all clients that name the limiter share one limit
    per_client,  ///< each client has the whole limit for itself
};

/// How grants free up again. The pages in docs/ draw each of them.
enum class Algorithm : std::uint8_t {
    sliding_log,      ///< each grant frees exactly `interval` after it was made
    fixed_window,     ///< all at once, `interval` after the window's first grant
    calendar_window,  ///< all at once, at the next boundary of a natural unit of time
    token_bucket,     ///< evenly, one permit per interval/permits
};

/// The name as the command line writes it, e.g. "per-client".
std::string_view to_string(RateType type) noexcept;

/// The name as this header writes it, e.g. "sliding_log".
std::string_view to_string(Algorithm algorithm) noexcept;

}  // namespace ration
