#pragma once

#include <ration/rate.hpp>

namespace ration::core {

/// A stretch of time, `end` not included.
struct Window {
    Time begin;
    Time end;

    friend bool operator==(Window const&, Window const&) = default;
};

/// The natural window of a calendar rate that contains `wall`. Windows of one rate follow each other without
/// gap or overlap. A pure function of its arguments and the system's time zone data; safe from any thread.
/// Requires: rate.is_calendar(), and `wall` from 1970 to 2200.
///
/// Windows are stretches of local time, counted from 1970-01-01 00:00 local (weeks from Monday 1969-12-29):
/// with `every` = 6, hours begin at 00:00, 06:00, 12:00 and 18:00. What happens when the clocks change:
///
/// Day, week, month, year follow the date, and the date never goes back. A window begins when the local clock
/// first shows its midnight or anything later. So a day has 23 or 25 hours when the clocks change; a day
/// without midnight (America/Sao_Paulo 2018-11-04) begins at the change, at 01:00; a midnight that comes
/// twice counts the first time; a day that does not exist (Pacific/Apia 2011-12-30) has no window.
///
/// Second, minute, hour follow the clock. A window begins whenever the local clock arrives at a multiple of
/// its length or is put forward over one; being put back begins one only if it lands on a multiple. So an
/// hour always lasts 60 minutes where clocks change by whole hours, and a repeated hour is two windows. Where
/// the change is no multiple of the window, the one next to it is shorter or longer: at Lord Howe, which
/// changes by 30 minutes, the hour from 02:00 lasts 30 minutes in October and the one from 01:00 90 minutes
/// in April; six hours from midnight still end at 06:00, after 5 or 7.
Window calendar_window_at(Rate const& rate, Time wall);

}  // namespace ration::core
