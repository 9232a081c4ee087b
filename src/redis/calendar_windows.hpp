#pragma once

#include "core/calendar.hpp"

#include <ration/types.hpp>

#include <chrono>
#include <string>

namespace ration::redis {

/// The current window of a calendar rate and the next one, by the server's clock, which is not ours: Lua knows no time
/// zones, so the caller works them out.
class CalendarWindows {
public:
    /// `server`: the server's time just now.
    CalendarWindows(Rate const& rate, Time server) : rate_{rate}, ahead_{server - steady()}
    {
        compute(server);
    }

    Rate const& rate() const noexcept { return rate_; }

    /// As the scripts want them: "begin, end of the first, end of the second" in µs.
    std::string text()
    {
        // A little beforehand costs nothing: the script checks them by its own clock.
        if (Time const now = steady() + ahead_; now < begin_ || now >= middle_) compute(now);
        return std::to_string(begin_.time_since_epoch().count()) + ' '
               + std::to_string(middle_.time_since_epoch().count()) + ' '
               + std::to_string(end_.time_since_epoch().count());
    }

private:
    static Time steady()
    {
        return Time{
            std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch())};
    }

    void compute(Time now)
    {
        core::Window const window = core::calendar_window_at(rate_, now);
        begin_ = window.begin;
        middle_ = window.end;
        end_ = core::calendar_window_at(rate_, middle_).end;
    }

    Rate rate_;
    Duration ahead_;  // of the server's clock, before our steady one
    Time begin_{};
    Time middle_{};
    Time end_{};
};

}  // namespace ration::redis
