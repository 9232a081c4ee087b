#pragma once

#include "core/tick_counter.hpp"
#include "core/ticked_time.hpp"

#include <ration/clock.hpp>

namespace ration::core {

/// The system's clocks. now() asks the system only now and then, and lets the tick counter tell the time in between.
///
/// Who decides millions of times a second reads only the counter, and the clock when another microsecond has begun:
///
///     Ticks const ticks = read_ticks();
///     if (ticks - same.begin >= same.length) {
///         now = clock.at(ticks);
///         same = clock.rest_of_microsecond(ticks);
///     }
///
/// Requires: has_steady_ticks().
class TickedClock final : public Clock {
public:
    TickedClock();

    Time now() const noexcept override { return at(read_ticks()); }

    Time wall() const noexcept override;

    /// The time at ticks that were read just now.
    Time at(Ticks ticks) const noexcept { return time.knows(ticks) ? Time{offset_ + time.at(ticks)} : ask(); }

    /// The ticks from `ticks` on at which that is still the time. None if this thread cannot tell.
    static TickSpan rest_of_microsecond(Ticks ticks) noexcept
    {
        return time.knows(ticks) ? time.rest_of_microsecond(ticks) : TickSpan{};
    }

private:
    Time ask() const noexcept;

    // The first model needs no call, for the price of a few bytes that each thread has from its start on.
    [[gnu::tls_model("initial-exec")]] static constinit thread_local TickedTime time;

    Duration offset_{};  // so that it reads like a date
};

}  // namespace ration::core
