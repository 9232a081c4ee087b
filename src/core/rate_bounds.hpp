#pragma once

#include <ration/rate.hpp>

namespace ration::core {

/// The longest time that `every` units take on the calendar, clock changes aside: day 24 h, month 31 days.
/// Requires: 1 <= every <= max_every(unit).
constexpr Duration nominal_length(CalendarUnit unit, int every)
{
    using std::chrono::days;
    switch (unit) {
    case CalendarUnit::second: return std::chrono::seconds{1} * every;
    case CalendarUnit::minute: return std::chrono::minutes{1} * every;
    case CalendarUnit::hour: return std::chrono::hours{1} * every;
    case CalendarUnit::day: return days{1} * every;
    case CalendarUnit::week: return days{7} * every;
    case CalendarUnit::month: return nominal_length(CalendarUnit::year, every / 12) + days{31} * (every % 12);
    case CalendarUnit::year: return days{365} * every + days{(every + 3) / 4};  // as many leap days as can be
    }
    return Duration{};
}

/// The most units that fit in Rate::max_interval, e.g. 120 months.
constexpr int max_every(CalendarUnit unit)
{
    using Unit = CalendarUnit;
    switch (unit) {
    case Unit::second:
    case Unit::minute:
    case Unit::hour:
    case Unit::day:
    case Unit::week: return static_cast<int>(Rate::max_interval / nominal_length(unit, 1));
    case Unit::month: return 120;
    case Unit::year: return 10;
    }
    return 0;
}

}  // namespace ration::core
