// For random rates and random histories: every algorithm says what its naive model says (see
// algorithm_walk.hpp), and the promises hold, counted over what was granted.
//
// "Real" time is time that has passed: it does not go back when the clock does.

#include "property/algorithm_walk.hpp"

namespace ration::testing {
namespace {

// Seeds that failed once, be it under a deliberate fault; they stay.
constexpr std::uint64_t kept_seeds[] = {1, 2, 3, 7, 11};

constexpr int histories_per_seed = often(200);
constexpr int steps_per_history = 250;

template <class Subject, class Law>
void walk(Mix mix, Law holds)
{
    std::vector<std::uint64_t> seeds{std::begin(kept_seeds), std::end(kept_seeds)};
    seeds.push_back(seed());
    for (auto const from : seeds) {
        Random random{from};
        for (int history = 0; history < histories_per_seed; ++history) {
            auto const where = "RATION_SEED=" + std::to_string(from) + ", history " + std::to_string(history);
            Walk<Subject> walk{random, mix};
            for (int i = 0; i < steps_per_history; ++i) {
                walk.step();
                ASSERT_FALSE(::testing::Test::HasFailure()) << where << ", step " << i << ", " << walk.text();
            }
            ASSERT_TRUE(holds(walk)) << where << ", " << walk.text();
        }
    }
}

constexpr auto no_law = [](auto const&) { return true; };

// At every grant: what was granted in the interval before it, less what was given back, fits the rate.
bool no_window_holds_more_than_the_rate(Walk<Log> const& walk)
{
    auto const& events = walk.events();
    for (auto last = events.begin(); last != events.end(); ++last) {
        if (last->granted == 0) continue;
        Permits sum = 0;
        for (auto event = events.begin(); event <= last; ++event) {
            if (event->real > last->real - last->interval) sum += event->granted - event->released;
        }
        if (sum > last->capacity) return false;
    }
    return true;
}

// From every event to every later one: at most a full bucket, what came in meanwhile and what was given back.
bool no_span_holds_more_than_capacity_and_refill(Walk<Bucket> const& walk)
{
    auto const& events = walk.events();
    Rate const& rate = walk.rate();
    for (auto first = events.begin(); first != events.end(); ++first) {
        Permits sum = 0;
        for (auto last = first; last != events.end(); ++last) {
            sum += last->granted - last->released;
            Wide const refill = Wide{(last->real - first->real).count()} * rate.permits();
            if (Wide{sum - rate.capacity()} * rate.interval().count() > refill) return false;
        }
    }
    return true;
}

// A grant that finds all permits free opens a window. No window holds more than the rate, and none opens
// earlier than an interval after the one before.
bool windows_are_an_interval_apart(Walk<Fixed> const& walk)
{
    Rate const& rate = walk.rate();
    Permits sum = 0;
    Duration opened = -rate.interval();
    for (auto const& event : walk.events()) {
        if (event.remaining + event.granted == rate.permits()) {
            if (event.real - opened < rate.interval()) return false;
            opened = event.real;
            sum = 0;
        }
        sum += event.granted;
        if (sum > rate.permits()) return false;
    }
    return true;
}

// A grant counts for the natural window of the latest clock reading, be it set back since.
bool no_natural_window_holds_more_than_the_rate(Walk<Calendar> const& walk)
{
    Rate const& rate = walk.rate();
    Permits sum = 0;
    Time end{};
    for (auto const& event : walk.events()) {
        if (event.clock >= end) {
            end = core::calendar_window_at(rate, event.clock).end;
            sum = 0;
        }
        sum += event.granted;
        if (sum > rate.permits()) return false;
    }
    return true;
}

TEST(AlgorithmProperty, SlidingLog)
{
    walk<Log>(Mix::all, no_window_holds_more_than_the_rate);
}

TEST(AlgorithmProperty, TokenBucket)
{
    walk<Bucket>(Mix::takes_and_releases, no_span_holds_more_than_capacity_and_refill);
    walk<Bucket>(Mix::all, no_law);
}

TEST(AlgorithmProperty, FixedWindow)
{
    walk<Fixed>(Mix::takes, windows_are_an_interval_apart);
    walk<Fixed>(Mix::all, no_law);
}

TEST(AlgorithmProperty, CalendarWindow)
{
    walk<Calendar>(Mix::takes, no_natural_window_holds_more_than_the_rate);
    walk<Calendar>(Mix::all, no_law);
}

}  // namespace
}  // namespace ration::testing
