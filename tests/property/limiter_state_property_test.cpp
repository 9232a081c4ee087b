// The two short ways past LimiterState::take say exactly what take says, whatever happens in between, and whether the state
// was settled before or not. Time does not go back here, as it never does in an Entry.

#include "core/limiter_state.hpp"
#include "property/seed.hpp"
#include "unit/story.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace ration::testing {
namespace {

using namespace std::chrono_literals;
using core::LimiterState;
using core::Verdict;

struct Ways {
    int joined = 0;
    int known_denials = 0;
};

/// As the embedded store asks. Once a short way is done, whoever comes next may change everything.
Verdict take_the_short_way(LimiterState& state, Time now, Permits n, Duration resolution, Ways& ways)
{
    LimiterState after{Algorithm::fixed_window, Rate::per(1, 1s)};
    int done = 0;
    auto const change_all = [&] {
        ++done;
        std::swap(state, after);
    };
    auto const in_the_end = [&](Verdict const& verdict) {
        EXPECT_EQ(done, 1);
        std::swap(state, after);
        return verdict;
    };
    if (state.can_join(now, n)) {
        ++ways.joined;
        return in_the_end(state.join(n, change_all));
    }
    if (n == 1 && state.is_empty(now)) {
        ++ways.known_denials;
        return in_the_end(state.denial(now, change_all));
    }
    return state.take(now, n, resolution);
}

class ShortWays : public ::testing::TestWithParam<Algorithm> {};

TEST_P(ShortWays, SayWhatTakeSays)
{
    SCOPED_TRACE(seed_text());
    Random random;
    Ways ways;
    static constexpr Duration resolutions[] = {0us, 0us, 10us, 1ms};
    auto const random_rate = [&] {
        auto const permits = random.magnitude(random.one_in(10) ? Rate::max_permits : 50);
        if (GetParam() == Algorithm::calendar_window) return Rate::calendar(permits, CalendarUnit::second);
        return Rate::per(permits, random.one_in(4) ? Duration{random.magnitude(1'000'000) + 999} : 1s);
    };
    for (int history = 0; history < 500; ++history) {
        Rate rate = random_rate();
        LimiterState plain{GetParam(), rate};
        LimiterState quick{GetParam(), rate};
        Duration const resolution = random.pick(resolutions);
        Time now = in_2024;
        for (int step = 0; step < 300; ++step) {
            SCOPED_TRACE("history " + std::to_string(history) + ", step " + std::to_string(step));
            if (random.one_in(3)) now += Duration{random.magnitude(2 * rate.interval().count())};
            if (random.one_in(20)) {
                auto const n = random.magnitude(rate.capacity());
                plain.release(now, n);
                quick.release(now, n);
            }
            if (random.one_in(40)) {
                rate = random_rate();
                plain.change_rate(rate, now);
                quick.change_rate(rate, now);
            }
            if (random.one_in(2)) quick.settle(now);
            Permits const n = random.one_in(3) ? random.magnitude(rate.capacity()) : 1;
            ASSERT_EQ(plain.take(now, n, resolution), take_the_short_way(quick, now, n, resolution, ways));
            ASSERT_EQ(plain.available(now), quick.available(now));
        }
    }
    bool const joins = GetParam() == Algorithm::sliding_log || GetParam() == Algorithm::token_bucket;
    EXPECT_EQ(ways.joined > 1000, joins);
    EXPECT_GT(ways.known_denials, 1000);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, ShortWays,
                         ::testing::Values(Algorithm::sliding_log, Algorithm::fixed_window,
                                           Algorithm::calendar_window, Algorithm::token_bucket),
                         [](auto const& test) { return std::string{to_string(test.param)}; });

}  // namespace
}  // namespace ration::testing
