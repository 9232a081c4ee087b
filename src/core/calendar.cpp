#include "core/calendar.hpp"

#include "core/rate_bounds.hpp"
#include "core/time_zone.hpp"

#include <algorithm>
#include <cassert>

namespace ration::core {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

// What a local clock shows, as time since it showed 1970-01-01 00:00.
using Local = Duration;

constexpr Duration tick{1};

constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b)
{
    return a / b - (a % b < 0 ? 1 : 0);
}

// ---- day, week, month, year ----

// How many whole units have passed since the first one began, e.g. months since January 1970.
std::int64_t civil_units(CalendarUnit unit, Local local)
{
    auto const day = std::chrono::floor<days>(local);
    if (unit == CalendarUnit::day) return day.count();
    if (unit == CalendarUnit::week) return floor_div(day.count() + 3, 7);  // from Monday 1969-12-29
    std::chrono::year_month_day const date{sys_days{day}};
    auto const years = static_cast<int>(date.year()) - 1970;
    if (unit == CalendarUnit::year) return years;
    return std::int64_t{years} * 12 + static_cast<unsigned>(date.month()) - 1;
}

// The midnight with which that unit begins.
Local civil_midnight(CalendarUnit unit, std::int64_t units)
{
    if (unit == CalendarUnit::day) return days{units};
    if (unit == CalendarUnit::week) return days{units * 7 - 3};
    auto const months = unit == CalendarUnit::year ? units * 12 : units;
    auto const years = floor_div(months, 12);
    std::chrono::year const year{static_cast<int>(1970 + years)};
    std::chrono::month const month{static_cast<unsigned>(months - years * 12 + 1)};
    return sys_days{year / month / 1}.time_since_epoch();
}

// The first moment at which the clock shows `local` or later.
Time first_reached(TimeZone const& zone, Local local)
{
    // Offsets are less than a day, so it cannot have been earlier than this.
    auto span = zone.span_at(Time{local - days{1}});
    for (;;) {
        auto const moment = std::max(span.begin, Time{local - span.offset});
        if (moment < span.end) return moment;
        span = zone.span_at(span.end);
    }
}

Window civil_window(TimeZone const& zone, Rate const& rate, Time wall)
{
    auto const begin_of = [&](std::int64_t window) {
        return first_reached(zone, civil_midnight(rate.unit(), window * rate.every()));
    };
    Local const local = wall.time_since_epoch() + zone.span_at(wall).offset;
    auto window = floor_div(civil_units(rate.unit(), local), rate.every());
    // The clock may show yesterday again, after today has begun. And today may be a day without a window.
    auto end = begin_of(window + 1);
    while (end <= wall) end = begin_of(++window + 1);
    return {begin_of(window), end};
}

// ---- second, minute, hour ----

// The multiples of one length of time on a zone's clocks.
class Grid {
public:
    Grid(TimeZone const& zone, Duration length) : zone_{zone}, length_{length} {}

    Window window_at(Time wall) const { return {begin_at(wall), end_after(wall)}; }

private:
    std::int64_t windows(Time moment, ZoneSpan const& span) const
    {
        return floor_div((moment.time_since_epoch() + span.offset).count(), length_.count());
    }

    // The last multiple up to `moment`, if the span's offset had always held.
    Time multiple_before(Time moment, ZoneSpan const& span) const
    {
        return Time{windows(moment, span) * length_ - span.offset};
    }

    // The clocks, when they changed to this span's offset, were put forward to or over a multiple.
    bool put_over_multiple(ZoneSpan const& span) const
    {
        auto const before = span.begin - tick;
        return windows(before, zone_.span_at(before)) < windows(span.begin, span);
    }

    Time begin_at(Time wall) const
    {
        for (auto span = zone_.span_at(wall);; span = zone_.span_at(wall)) {
            auto const begin = multiple_before(wall, span);
            if (begin >= span.begin) return begin;
            if (put_over_multiple(span)) return span.begin;
            wall = span.begin - tick;
        }
    }

    Time end_after(Time wall) const
    {
        for (auto span = zone_.span_at(wall);;) {
            auto const end = multiple_before(wall, span) + length_;
            if (end < span.end) return end;
            wall = span.end;
            span = zone_.span_at(wall);
            if (multiple_before(wall, span) == wall || put_over_multiple(span)) return wall;
        }
    }

    TimeZone const& zone_;
    Duration length_;
};

}  // namespace

Window calendar_window_at(Rate const& rate, Time wall)
{
    auto const* const zone = find_time_zone(rate.zone());
    assert(zone != nullptr);  // Rate::calendar has seen to it
    switch (rate.unit()) {
    case CalendarUnit::second:
    case CalendarUnit::minute:
    case CalendarUnit::hour: return Grid{*zone, nominal_length(rate.unit(), rate.every())}.window_at(wall);
    case CalendarUnit::day:
    case CalendarUnit::week:
    case CalendarUnit::month:
    case CalendarUnit::year: break;
    }
    return civil_window(*zone, rate, wall);
}

}  // namespace ration::core
