#pragma once

// Drives an algorithm and its naive model through one random history and compares them at every step.
//
// A history mixes bursts, pauses around the moments where something frees, steps of the clock back, releases,
// rate changes and resolutions.

#include "core/calendar_window.hpp"
#include "core/fixed_window.hpp"
#include "core/sliding_log.hpp"
#include "core/token_bucket.hpp"
#include "property/naive_models.hpp"
#include "property/seed.hpp"
#include "unit/story.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ration::testing {

using namespace std::chrono_literals;
using core::longest_wait;
using core::Verdict;

constexpr Time first_moment{};
constexpr Time last_moment = std::chrono::sys_days{std::chrono::year{2200} / 1 / 1};
constexpr Time starts[] = {first_moment, in_2024, std::chrono::sys_days{std::chrono::year{2199} / 12 / 30}};

struct Log {
    using Tested = core::SlidingLog;
    using Model = NaiveLog;
    static constexpr bool has_resolution = true;
};
struct Fixed {
    using Tested = core::FixedWindow;
    using Model = NaiveFixedWindow;
    static constexpr bool has_resolution = false;
};
struct Calendar {
    using Tested = core::CalendarWindow;
    using Model = NaiveCalendarWindow;
    static constexpr bool has_resolution = false;
};
struct Bucket {
    using Tested = core::TokenBucket;
    using Model = NaiveTokenBucket;
    static constexpr bool has_resolution = false;
};

template <class Subject>
Rate random_rate(Random& random)
{
    static constexpr Permits notable_permits[] = {1, 2, 5, 900'000, 1'000'003, Rate::max_permits};
    static constexpr Duration notable_intervals[] = {1ms, 1s, 2s, 24h, Rate::max_interval};
    Permits const permits =
        random.one_in(2) ? random.pick(notable_permits) : random.magnitude(Rate::max_permits);
    if constexpr (std::is_same_v<Subject, Calendar>) {
        static constexpr char const* zones[] = {"UTC", "Asia/Shanghai", "Europe/Berlin",
                                                "Australia/Lord_Howe"};
        auto const unit = static_cast<CalendarUnit>(random.between(0, 6));
        return Rate::calendar(permits, unit, random.pick(zones), random.between(1, 3));
    } else {
        Duration const interval = random.one_in(2)
                                      ? random.pick(notable_intervals)
                                      : Duration{999 + random.magnitude(Rate::max_interval.count() - 999)};
        auto const rate = Rate::per(permits, interval);
        if (!std::is_same_v<Subject, Bucket> || random.one_in(2)) return rate;
        return rate.with_burst(random.magnitude(Rate::max_permits));
    }
}

// The smallest d <= most with `holds(now + d)`, which stays true once it is; else `most`.
template <class Predicate>
Duration first_wait(Time now, Duration most, Predicate holds)
{
    std::int64_t low = 0;
    std::int64_t high = most.count();
    while (low < high) {
        std::int64_t const middle = low + (high - low) / 2;
        if (holds(now + Duration{middle})) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return Duration{low};
}

/// What happens in a history: takes only; releases too; or rate changes and dropping idle state as well.
enum class Mix : std::uint8_t { takes, takes_and_releases, all };

/// A tested algorithm and its model, driven through one random history.
template <class Subject>
class Walk {
public:
    Walk(Random& random, Mix mix)
        : random_{random},
          mix_{mix},
          rate_{random_rate<Subject>(random)},
          tested_{rate_},
          model_{rate_},
          now_{random.pick(starts)},
          modest_{random.one_in(2)}
    {}

    void step()
    {
        move_clock();
        switch (random_.between(1, 40)) {
        case 1:
        case 2: mix_ == Mix::takes ? take() : release(); break;
        case 3: mix_ == Mix::all ? change_rate() : take(); break;
        case 4:
        case 5: look_idle(); break;
        default: take(); break;
        }
        Permits const available = tested_.available(now_);
        EXPECT_EQ(available, std::max<Permits>(model_.free_at(now_), 0));
        EXPECT_TRUE(0 <= available && available <= rate_.capacity()) << available;
    }

    struct Event {
        Time clock;
        Duration real;
        Permits granted;
        Permits released;
        Permits remaining;
        Permits capacity;   // of the rate at that moment
        Duration interval;  // the shortest one until then
    };
    std::vector<Event> const& events() const { return events_; }
    Rate const& rate() const { return rate_; }
    std::string text() const
    {
        return to_string(rate_) + " at " + std::to_string(now_.time_since_epoch().count()) + " us";
    }

private:
    void move_clock()
    {
        std::int64_t const interval = rate_.interval().count();
        Duration step{};
        // In a modest history small steps only, mostly, so that much is in use at a time.
        switch (modest_ && !random_.one_in(12) ? random_.between(10, 15) : random_.between(1, 15)) {
        case 1: step = 1us; break;
        case 2: step = rate_.interval(); break;
        case 3: step = rate_.interval() - 1us; break;
        case 4: step = wait_; break;
        case 5: step = std::max(wait_ - 1us, 0us); break;
        case 6: step = -Duration{random_.magnitude(interval)}; break;
        case 7: step = Duration{interval * random_.between(1, 3)}; break;
        case 8: step = Duration{random_.magnitude(interval)}; break;
        case 9: step = Duration{interval / random_.between(2, 10)}; break;
        case 10:
        case 11:
        case 12: step = Duration{random_.magnitude(interval / 30)}; break;
        default: break;  // the same microsecond
        }
        Time const moved = step > last_moment - now_ ? now_ : std::max(now_ + step, first_moment);
        real_ += std::max(moved - now_, 0us);
        now_ = moved;
    }

    void take()
    {
        Permits const n = random_n();
        Verdict const looked = tested_.look(now_, n);
        Verdict taken{};
        Duration const resolution = random_resolution();
        if constexpr (Subject::has_resolution) {
            taken = tested_.take(now_, n, resolution);
        } else {
            taken = tested_.take(now_, n);
        }
        EXPECT_EQ(looked, taken) << "n = " << n;
        taken.retry_after = std::min(taken.retry_after, longest_wait);
        taken.reset_after = std::min(taken.reset_after, longest_wait);
        EXPECT_EQ(taken, expected(n, resolution)) << "n = " << n;
        if (taken.granted) {
            note(n, 0);
        } else if (wait_ = taken.retry_after; now_ + wait_ < last_moment) {
            EXPECT_GT(wait_, 0us);
            EXPECT_FALSE(tested_.look(now_ + wait_ - 1us, n).granted) << "n = " << n;
            EXPECT_TRUE(tested_.look(now_ + wait_, n).granted) << "n = " << n;
        }
    }

    // Takes from the model, and finds the waits by asking it about every moment that matters.
    Verdict expected(Permits n, Duration resolution)
    {
        if constexpr (!std::is_same_v<Subject, Bucket>) model_.settle(now_);
        bool const granted = model_.free_at(now_) >= n;
        if (granted) model_.add(now_, n, resolution);
        Duration const most = std::is_same_v<Subject, Bucket> ? longest_wait : 300 * 366 * 24h;
        auto const wait = [&](Permits wanted) {
            return first_wait(now_, most, [&](Time t) { return model_.free_at(t) >= wanted; });
        };
        return {granted, std::max<Permits>(model_.free_at(now_), 0), granted ? 0us : wait(n),
                wait(rate_.capacity())};
    }

    // All of the capacity, large parts of it, single permits, and all between; or, all history long, small
    // parts.
    Permits random_n()
    {
        Permits const most = modest_ ? std::max<Permits>(rate_.capacity() / 40, 1) : rate_.capacity();
        switch (random_.between(1, 4)) {
        case 1: return std::max<Permits>(most / random_.between(1, 5), 1);
        case 2: return random_.magnitude(most);
        case 3: return most;
        default: return 1;
        }
    }

    Duration random_resolution()
    {
        // Mostly none, or one for the whole life of a limiter, as users have it.
        if (random_.one_in(100)) resolution_ = Duration{random_.magnitude(rate_.interval().count() / 5)};
        if (random_.one_in(100)) resolution_ = 0us;
        return random_.one_in(50) ? 0us : resolution_;
    }

    void release()
    {
        Permits const n = random_.one_in(8) ? 0 : random_n();
        model_.settle(now_);
        Permits const before = model_.free_at(now_);
        tested_.release(now_, n);
        model_.release(n);
        note(0, model_.free_at(now_) - before);
    }

    void change_rate()
    {
        auto const rate = random_.one_in(2) ? random_rate<Subject>(random_) : same_interval();
        model_.settle(now_);
        tested_.change_rate(rate, now_);
        model_.change_rate(rate, now_);
        rate_ = rate;
        shortest_ = std::min(shortest_, rate_.interval());
    }

    Rate same_interval()
    {
        Permits const permits = random_.magnitude(Rate::max_permits);
        return rate_.is_calendar() ? Rate::calendar(permits, rate_.unit(), rate_.zone(), rate_.every())
                                   : Rate::per(permits, rate_.interval());
    }

    void look_idle()
    {
        bool const all_free = model_.free_at(now_) == rate_.capacity();
        bool behind = false;
        if constexpr (std::is_same_v<Subject, Bucket>) behind = now_ < model_.updated();
        EXPECT_EQ(tested_.is_idle(now_), all_free && !behind);
        if (!tested_.is_idle(now_)) return;
        typename Subject::Tested fresh{rate_};
        Permits const n = random_n();
        EXPECT_EQ(tested_.look(now_, n), fresh.look(now_, n));
        if (mix_ != Mix::all || random_.one_in(2)) return;
        tested_ = std::move(fresh);
        model_ = typename Subject::Model{rate_};
    }

    void note(Permits granted, Permits released)
    {
        events_.push_back(
            {now_, real_, granted, released, tested_.available(now_), rate_.capacity(), shortest_});
    }

    Random& random_;
    Mix mix_;
    Rate rate_;
    typename Subject::Tested tested_;
    typename Subject::Model model_;
    Time now_;
    bool modest_;
    Duration real_{};
    Duration wait_{};
    Duration resolution_{};
    Duration shortest_ = rate_.interval();
    std::vector<Event> events_;
};

}  // namespace ration::testing
