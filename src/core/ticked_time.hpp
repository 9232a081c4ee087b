#pragma once

// A clock read off the processor's tick counter, and compared with the system's clock about every 100 µs.
//
// Asking the system for the time was most of what a decision cost; the counter takes less than half of that. Nothing is
// taken on trust: how fast the counter runs is learned from two readings of the system's clock, and what was learned
// serves for `span` ticks only. So when a counter changes its pace, or the machine sleeps or moves elsewhere, the error
// ends with the span. And where the system's clock is slow, because the system itself has stopped using the counter,
// nothing is learned, and it is asked every time.
//
// Guarantees:
// - While the counter runs evenly, a reading is off by less than 2 * max_doubt ticks (1 µs at 2 GHz); in practice by
//   the few dozen nanoseconds that a reading of the system's clock takes. Each span begins at such a reading, so the
//   errors do not add up.
// - Whatever the counter and the clock do, the readings of one TickedTime never go back. Those of two may differ by the
//   error of each.
//
// Not thread-safe: one for each thread.

#include <ration/types.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ration::core {

using Ticks = std::uint64_t;

/// So many ticks from `begin` on.
struct TickSpan {
    Ticks begin = 0;
    std::uint32_t length = 0;
};

class TickedTime {
public:
    /// How long what was learned is used: so short that any error is, and so long that learning costs nothing.
    static constexpr Ticks span = Ticks{1} << 18;
    /// Nothing is learned over a pause longer than this: it may hide anything.
    static constexpr Ticks longest_lesson = Ticks{1} << 24;
    /// A reading of the clock that took more ticks than this was interrupted, so nobody knows when it was made.
    static constexpr Ticks max_doubt = Ticks{1} << 10;

    /// False for ticks before the span too: the difference wraps.
    bool knows(Ticks ticks) const noexcept { return ticks - begin_ < known_; }

    /// Requires: knows(ticks).
    Duration at(Ticks ticks) noexcept
    {
        return never_back(micros_ + static_cast<std::int64_t>(parts_at(ticks) >> 32));
    }

    /// The ticks from `ticks` on at which it is still the same time, as far as that is known. Requires: knows(ticks).
    TickSpan rest_of_microsecond(Ticks ticks) const noexcept
    {
        Ticks length = known_ - (ticks - begin_);
        std::uint64_t const left = one_micro - parts_at(ticks) % one_micro;
        if (pace_ > 0) length = std::min(length, (left + pace_ - 1) / pace_);
        return {ticks, static_cast<std::uint32_t>(length)};
    }

    /// The system's clock showed `clock` nanoseconds at some moment between two readings of the counter. What time it is.
    Duration learn(Ticks before, std::int64_t clock, Ticks after) noexcept
    {
        Ticks const doubt = after - before;
        Ticks const middle = before + doubt / 2;
        if (doubt <= max_doubt && middle - begin_ >= span) begin_span(middle, clock);
        return never_back(clock / 1000);
    }

private:
    static constexpr std::uint64_t one_micro = std::uint64_t{1} << 32;
    static constexpr std::int64_t long_ago = std::numeric_limits<std::int64_t>::min() / 2;

    void begin_span(Ticks ticks, std::int64_t clock) noexcept
    {
        Ticks const passed = ticks - begin_;
        std::int64_t const elapsed = clock - clock_;
        bool const has_learned = passed <= longest_lesson && elapsed > 0 && elapsed < (std::int64_t{1} << 31);
        known_ = has_learned ? span : 0;
        pace_ = has_learned ? micros_part(elapsed) / passed : 0;
        begin_ = ticks;
        clock_ = clock;
        micros_ = clock / 1000;
        part_ = micros_part(clock % 1000);
    }

    // In µs / 2^32, since micros_.
    std::uint64_t parts_at(Ticks ticks) const noexcept { return part_ + (ticks - begin_) * pace_; }

    // In µs / 2^32. Requires: 0 <= nanoseconds < 2^31.
    static std::uint64_t micros_part(std::int64_t nanoseconds) noexcept
    {
        return (static_cast<std::uint64_t>(nanoseconds) << 32) / 1000;
    }

    Duration never_back(std::int64_t micros) noexcept
    {
        latest_ = std::max(latest_, micros);
        return Duration{latest_};
    }

    Ticks begin_ = 0;
    Ticks known_ = 0;          // how many ticks from begin_ on can be told; none if the pace is not known
    std::uint64_t pace_ = 0;   // µs / 2^32 per tick
    std::uint64_t part_ = 0;   // at begin_, µs / 2^32 since micros_
    std::int64_t micros_ = 0;  // at begin_
    std::int64_t clock_ = long_ago;  // at begin_, in nanoseconds
    std::int64_t latest_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace ration::core
