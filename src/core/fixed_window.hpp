#pragma once

// Fixed window: one counter and the moment it goes back to zero.
//
// The window opens with its first grant, so an idle limiter needs no state: `used_ == 0` means "never
// opened", also after everything was released. A denial happens only in an open window.

#include "core/single.hpp"

#include <algorithm>

namespace ration::core {

struct FixedWindowParams {
    explicit FixedWindowParams(Rate const& rate) : permits{rate.permits()}, interval{rate.interval()} {}

    Permits permits;
    Duration interval;
};

class FixedWindowCell {
public:
    Verdict take(FixedWindowParams const& params, Time now, Permits n)
    {
        settle(params, now);
        Duration const left = end_ - now;
        if (used_ + n > params.permits)
            return {false, std::max<Permits>(params.permits - used_, 0), left, left};
        used_ += n;
        return {true, params.permits - used_, Duration{}, left};
    }

    Verdict look(FixedWindowParams const& params, Time now, Permits n) const
    {
        return FixedWindowCell{*this}.take(params, now, n);
    }

    void release(FixedWindowParams const& params, Time now, Permits n)
    {
        settle(params, now);
        used_ -= std::min(used_, n);
    }

    void change_rate(FixedWindowParams const& from, FixedWindowParams const& to, Time now)
    {
        settle(from, now);
        settle(to, now);
    }

    Permits available(FixedWindowParams const& params, Time now) const
    {
        return is_idle(params, now) ? params.permits : std::max<Permits>(params.permits - used_, 0);
    }

    bool is_idle(FixedWindowParams const&, Time now) const { return used_ == 0 || end_ <= now; }

private:
    // Closes a window that is over. No window ends later than `interval` from now: after a step of the clock
    // back, or with a shorter interval, the end moves here.
    void settle(FixedWindowParams const& params, Time now)
    {
        Time const latest_end = now + params.interval;
        if (end_ <= now) used_ = 0;
        end_ = used_ == 0 ? latest_end : std::min(end_, latest_end);
    }

    Time end_{};
    Permits used_ = 0;
};

using FixedWindow = Single<FixedWindowCell, FixedWindowParams>;

static_assert(sizeof(FixedWindow::Cell) == 16);

}  // namespace ration::core
