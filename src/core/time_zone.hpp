#pragma once

#include <ration/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ration::core {

/// A stretch of time in which a zone's clocks keep one distance from UTC. Neighbours differ in offset.
struct ZoneSpan {
    Time begin;       ///< Time::min(): since ever
    Time end;         ///< the first moment after it; Time::max(): for ever, as far as the system knows
    Duration offset;  ///< local time minus UTC, less than a day either way
};

/// A time zone of the system's database, reduced to what a calendar needs. The only part that knows where
/// zones come from. Immutable, so safe to use from any thread.
class TimeZone {
public:
    struct Change {
        Time since;
        Duration offset;
    };

    /// Requires: `changes` is sorted and its first `since` is Time::min().
    TimeZone(std::string name, std::vector<Change> changes);

    std::string_view name() const noexcept { return name_; }
    ZoneSpan span_at(Time moment) const noexcept;

private:
    std::string name_;
    std::vector<Change> changes_;
};

/// The zone of that name, or null if the system does not know it. "UTC" is always known. What it returns is
/// never destroyed, not even at the end of the program: rates refer to it, and so may other threads.
///
/// "localtime" is refused: it would mean something else on each machine that shares a limiter.
TimeZone const* find_time_zone(std::string_view name);

inline constexpr std::string_view time_zone_hint =
    "use a name from the system's time zone database (tzdata), such as UTC, Europe/Berlin or Asia/Shanghai";

}  // namespace ration::core
