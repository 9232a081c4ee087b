#pragma once

#include "core/tick_counter.hpp"
#include "core/ticked_time.hpp"

#include <ration/clock.hpp>

namespace ration::core {

/// The system's clocks. now() asks the system only now and then, and lets the tick counter tell the time in between.
///
/// Who decides millions of times a second reads it in two steps, without a call:
///
///     auto const ticks = read_ticks();
///     if (TickedClock::knows(ticks)) now = clock.at(ticks);
///
/// Requires: has_steady_ticks().
class TickedClock final : public Clock {
public:
    TickedClock();

    Time now() const noexcept override
    {
        auto const ticks = read_ticks();
        return knows(ticks) ? at(ticks) : ask();
    }

    Time wall() const noexcept override;

    /// Whether this thread can tell what time it is at `ticks`.
    static bool knows(TickedTime::Ticks ticks) noexcept { return time.knows(ticks); }

    /// Requires: knows(ticks).
    Time at(TickedTime::Ticks ticks) const noexcept { return Time{offset_ + time.at(ticks)}; }

private:
    Time ask() const noexcept;

    // The first model needs no call, for the price of a few bytes that each thread has from its start on.
    [[gnu::tls_model("initial-exec")]] static constinit thread_local TickedTime time;

    Duration offset_{};  // so that it reads like a date
};

}  // namespace ration::core
