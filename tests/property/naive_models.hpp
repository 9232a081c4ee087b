#pragma once

// What the algorithms mean, written down as plainly as possible: lists of grants and fractions, no search, no
// shortcut, no care for speed. Each model says how much is free at a moment if nothing more happens; waits
// are found by asking it about later moments.

#include "core/calendar.hpp"

#include <ration/rate.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace ration::testing {

__extension__ using Wide = __int128;

/// Grants as they were made; with a resolution, as they were joined.
class NaiveLog {
public:
    explicit NaiveLog(Rate const& rate) : rate_{rate} {}

    Permits free_at(Time t) const
    {
        Permits free = rate_.permits();
        for (auto const& grant : grants_) {
            if (grant.last > t - rate_.interval()) free -= grant.permits;
        }
        return free;
    }

    void settle(Time now)
    {
        std::erase_if(grants_, [&](Grant const& grant) { return grant.last <= now - rate_.interval(); });
    }

    void add(Time now, Permits n, Duration resolution)
    {
        Duration const span = std::max(resolution, Duration{1});
        if (grants_.empty() || now > grants_.back().last) {
            if (!grants_.empty() && now - grants_.back().first < span) {
                grants_.back().last = now;
                grants_.back().permits += n;
            } else {
                grants_.push_back({now, now, n});
            }
            return;
        }
        auto const next =
            std::ranges::find_if(grants_, [&](Grant const& grant) { return grant.last >= now; });
        if (next->last - now < span) {
            next->permits += n;
        } else {
            grants_.insert(next, {now, now + span - Duration{1}, n});
        }
    }

    void release(Permits n)
    {
        for (auto& grant : grants_) {
            Permits const back = std::min(n, grant.permits);
            grant.permits -= back;
            n -= back;
        }
        std::erase_if(grants_, [](Grant const& grant) { return grant.permits == 0; });
    }

    void change_rate(Rate const& rate, Time now)
    {
        rate_ = rate;
        settle(now);
    }

private:
    struct Grant {
        Time first;
        Time last;
        Permits permits;
    };

    Rate rate_;
    std::vector<Grant> grants_;  // by `last`
};

/// The oldest first.
inline void give_back(std::vector<Permits>& grants, Permits n)
{
    for (Permits& grant : grants) {
        Permits const back = std::min(n, grant);
        grant -= back;
        n -= back;
    }
    std::erase(grants, 0);
}

/// The grants of a window that opened at `opened_`.
class NaiveFixedWindow {
public:
    explicit NaiveFixedWindow(Rate const& rate) : rate_{rate} {}

    Permits free_at(Time t) const
    {
        if (t >= opened_ + rate_.interval()) return rate_.permits();
        return std::accumulate(grants_.begin(), grants_.end(), rate_.permits(), std::minus<>{});
    }

    void settle(Time now)
    {
        if (now >= opened_ + rate_.interval()) grants_.clear();
        opened_ = std::min(opened_, now);
    }

    void add(Time now, Permits n, Duration)
    {
        if (grants_.empty()) opened_ = now;
        grants_.push_back(n);
    }

    void release(Permits n) { give_back(grants_, n); }

    void change_rate(Rate const& rate, Time now)
    {
        opened_ = std::min(opened_ + rate_.interval(), now + rate.interval()) - rate.interval();
        rate_ = rate;
    }

private:
    Rate rate_;
    Time opened_{};
    std::vector<Permits> grants_;
};

/// The grants of the natural window that was open at the first of them.
class NaiveCalendarWindow {
public:
    explicit NaiveCalendarWindow(Rate const& rate) : rate_{rate} {}

    Permits free_at(Time t) const
    {
        if (t >= end_) return rate_.permits();
        return std::accumulate(grants_.begin(), grants_.end(), rate_.permits(), std::minus<>{});
    }

    void settle(Time now)
    {
        if (now >= end_) grants_.clear();
    }

    void add(Time now, Permits n, Duration)
    {
        if (grants_.empty()) end_ = core::calendar_window_at(rate_, now).end;
        grants_.push_back(n);
    }

    void release(Permits n) { give_back(grants_, n); }

    void change_rate(Rate const& rate, Time now)
    {
        bool const same =
            rate.unit() == rate_.unit() && rate.every() == rate_.every() && rate.zone() == rate_.zone();
        rate_ = rate;
        if (!same && !grants_.empty()) end_ = core::calendar_window_at(rate_, now).end;
    }

private:
    Rate rate_;
    Time end_{};
    std::vector<Permits> grants_;
};

/// How much the bucket holds, in 1/interval of a permit: a microsecond brings `permits` of those.
class NaiveTokenBucket {
public:
    explicit NaiveTokenBucket(Rate const& rate) : rate_{rate}, held_{full()} {}

    Permits free_at(Time t) const
    {
        Wide const held = held_at(t);
        Wide const whole = held / interval();
        return static_cast<Permits>(held < whole * interval() ? whole - 1 : whole);  // floor
    }

    void add(Time now, Permits n, Duration)
    {
        settle(now);
        held_ -= n * interval();
    }

    void settle(Time now)
    {
        held_ = held_at(now);
        updated_ = std::max(updated_, now);
    }

    void release(Permits n) { held_ = std::min(held_ + n * interval(), full()); }

    void change_rate(Rate const& rate, Time)
    {
        Wide const missing = full() - held_;
        Wide const missing_whole = (missing + interval() - 1) / interval();
        Wide const back = missing_whole * interval() - missing;  // of the last one, less than a permit
        // The stored fraction has the smallest denominator that can count the refill of a microsecond.
        Wide const common = std::gcd(rate.permits(), rate.interval().count());
        Wide const denominator = rate.interval().count() / common;
        Wide const new_back = back * denominator / interval() * common;
        rate_ = rate;
        held_ = full() - missing_whole * interval() + new_back;
    }

    Time updated() const { return updated_; }

private:
    Wide interval() const { return rate_.interval().count(); }
    Wide full() const { return rate_.capacity() * interval(); }

    Wide held_at(Time t) const
    {
        Wide const elapsed = std::max<std::int64_t>((t - updated_).count(), 0);
        return std::min(held_ + elapsed * rate_.permits(), full());
    }

    Rate rate_;
    Wide held_;
    Time updated_{};
};

}  // namespace ration::testing
