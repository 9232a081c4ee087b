#include "core/calendar_window.hpp"

#include "core/calendar.hpp"

namespace ration::core {

namespace {

bool same_windows(Rate const& a, Rate const& b)
{
    return a.unit() == b.unit() && a.every() == b.every() && a.zone() == b.zone();
}

}  // namespace

void CalendarWindowCell::open(CalendarWindowParams const& params, Time now)
{
    end_ = calendar_window_at(params.rate, now).end;
    used_ = 0;
}

void CalendarWindowCell::release(CalendarWindowParams const& params, Time now, Permits n)
{
    used_ -= is_idle(params, now) ? used_ : std::min(used_, n);
}

void CalendarWindowCell::change_rate(CalendarWindowParams const& from, CalendarWindowParams const& to,
                                     Time now)
{
    if (is_idle(from, now)) {
        used_ = 0;
    } else if (!same_windows(from.rate, to.rate)) {
        end_ = calendar_window_at(to.rate, now).end;
    }
}

}  // namespace ration::core
