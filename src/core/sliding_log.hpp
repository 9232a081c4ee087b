#pragma once

// Sliding log: every grant of the last `interval`, so that each frees exactly `interval` after it was made.
//
// It keeps grants, not permits, and grants of the same microsecond are one entry: { time, permits granted up
// to and including it }. Because the counts run on, the permits in use are a difference of two numbers
// (`total_`, granted so far; `freed_`, no longer in use), and both "what has expired" and "when will n be
// free" are binary searches. The counts may wrap around; only differences are used, and those are at most
// 2^32 - 1.
//
// The newest entry lies in the object itself: grants of one microsecond touch one cache line.
//
// `resolution` bounds the memory for any rate: a grant less than that after an entry's first grant joins it,
// and the entry frees `interval` after its last grant. In `interval` then fit interval/resolution + 2 entries
// at most.
//
// After a step of the clock back, entries in the future count as in use. New grants are sorted in between,
// which costs a walk over the entries behind them; with a resolution they may free up to `resolution` late.

#include "core/ring.hpp"
#include "core/single.hpp"

#include <algorithm>
#include <cstdint>

namespace ration::core {

struct SlidingLogParams {
    explicit SlidingLogParams(Rate const& rate) : permits{rate.permits()}, interval{rate.interval()} {}

    Permits permits;
    Duration interval;
};

class SlidingLogCell {
public:
    Verdict take(SlidingLogParams const& params, Time now, Permits n, Duration resolution = {})
    {
        return can_join(params, now, n) ? join(params, n, [] {})
                                        : take_at_other_time(params, now, n, resolution);
    }

    /// Whether n permits can join the last grant: it is of this very moment, and they are free.
    bool can_join(SlidingLogParams const& params, Time now, Permits n) const
    {
        // All that expires at last_ was dropped when a grant made last_ the newest time, or by change_rate.
        return now == last_ && n <= params.permits - static_cast<Permits>(total_ - freed_);
    }

    /// What take does if they can. Calls `done` when all is read and written.
    template <class Done>
    Verdict join(SlidingLogParams const& params, Permits n, Done done)
    {
        total_ += static_cast<std::uint64_t>(n);
        Permits const remaining = params.permits - static_cast<Permits>(total_ - freed_);
        Duration const interval = params.interval;
        done();
        return {true, remaining, Duration{}, interval};
    }

    Verdict look(SlidingLogParams const& params, Time now, Permits n) const;
    void release(SlidingLogParams const& params, Time now, Permits n);
    void change_rate(SlidingLogParams const& from, SlidingLogParams const& to, Time now);
    Permits available(SlidingLogParams const& params, Time now) const;

    bool is_idle(SlidingLogParams const& params, Time now) const
    {
        return total_ == freed_ || last_ <= now - params.interval;
    }

    /// For tests and statistics: what is in memory.
    std::size_t entries() const { return total_ == freed_ ? 0 : older_.size() + 1; }
    std::size_t bytes() const { return older_.capacity() * sizeof(Entry); }

private:
    struct Entry {
        Time last;
        std::uint64_t total;
    };

    Verdict take_at_other_time(SlidingLogParams const& params, Time now, Permits n, Duration resolution);
    Verdict denial(SlidingLogParams const& params, Time now, Permits n, std::uint64_t freed) const;
    void append(Time now, Permits n, Duration span);
    void sort_in(Time now, Permits n, Duration span);
    void purge(Duration interval, Time now);
    void clear();
    std::uint64_t freed_at(Duration interval, Time now) const;

    std::uint64_t total_ = 0;
    std::uint64_t freed_ = 0;
    Time last_{};        // of the newest entry, whose total is total_
    Time first_{};       // of the newest entry
    Ring<Entry> older_;  // sorted by time, each total > freed_
};

using SlidingLog = Single<SlidingLogCell, SlidingLogParams>;

static_assert(sizeof(SlidingLog) <= 128);

}  // namespace ration::core
