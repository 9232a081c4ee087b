#pragma once

// Calendar window: a fixed window that ends where a natural unit of time does.
//
// Time zones are asked only when a window opens; until its end the stored one is used. That is fast, and a
// clock that steps back before the window's begin finds it still open: a delay by at most the step, no gift.
// As in fixed_window.hpp, `used_ == 0` means "never opened".

#include "core/single.hpp"

#include <algorithm>

namespace ration::core {

struct CalendarWindowParams {
    /// Requires: rate.is_calendar().
    explicit CalendarWindowParams(Rate const& calendar) : rate{calendar} {}

    Rate rate;
};

class CalendarWindowCell {
public:
    Verdict take(CalendarWindowParams const& params, Time now, Permits n)
    {
        if (is_idle(params, now)) [[unlikely]]
            open(params, now);
        Permits const permits = params.rate.permits();
        Duration const left = end_ - now;
        if (used_ + n > permits) return {false, std::max<Permits>(permits - used_, 0), left, left};
        used_ += n;
        return {true, permits - used_, Duration{}, left};
    }

    Verdict look(CalendarWindowParams const& params, Time now, Permits n) const
    {
        return CalendarWindowCell{*this}.take(params, now, n);
    }

    void release(CalendarWindowParams const& params, Time now, Permits n);
    void change_rate(CalendarWindowParams const& from, CalendarWindowParams const& to, Time now);

    Permits available(CalendarWindowParams const& params, Time now) const
    {
        Permits const permits = params.rate.permits();
        return is_idle(params, now) ? permits : std::max<Permits>(permits - used_, 0);
    }

    bool is_idle(CalendarWindowParams const&, Time now) const { return used_ == 0 || end_ <= now; }

private:
    void open(CalendarWindowParams const& params, Time now);

    Time end_{};
    Permits used_ = 0;
};

using CalendarWindow = Single<CalendarWindowCell, CalendarWindowParams>;

static_assert(sizeof(CalendarWindow::Cell) == 16 && sizeof(CalendarWindow) <= 128);

}  // namespace ration::core
