#include "core/token_bucket.hpp"

#include "unit/story.hpp"

namespace ration::core {
namespace {

using namespace std::chrono_literals;
using namespace ration::testing;

TEST(TokenBucket, RefillsEvenly)
{
    tell_story<TokenBucket>("5/2s",
                            {
                                {"a fresh bucket is full", 0s, take(5), granted(0, 2s)},
                                {"empty: one permit takes 400 ms", 0s, take(1), denied(0, 400ms, 2s)},
                                {"two take 800 ms", 100ms, take(2), denied(0, 700ms, 1900ms)},
                                {"not one microsecond early", 399999us, take(1), denied(0, 1us, 1600001us)},
                                {"one is back", 400ms, take(1), granted(0, 2s)},
                                {"halfway to the next", 600ms, take(1), denied(0, 200ms, 1800ms)},
                                {"two and a half are back, two can go", 1400ms, take(2), granted(0, 1800ms)},
                                {"the half was kept", 1600ms, take(1), granted(0, 2s)},
                                {"full, not more, after a long pause", 1h, take(5), granted(0, 2s)},
                                {"none left", 1h, take(1), denied(0, 400ms, 2s)},
                            });
}

TEST(TokenBucket, BurstIsItsCapacity)
{
    tell_story<TokenBucket>("60/m;burst=10",
                            {
                                {"ten at once", 0s, take(10), granted(0, 10s)},
                                {"then one a second", 1s, take(1), granted(0, 10s)},
                                {"a burst of ten needs ten seconds", 1s, take(10), denied(0, 10s, 10s)},
                                {"never more than ten", 1h, take(1), granted(9, 1s)},
                            });
    tell_story<TokenBucket>("1/s;burst=1000",
                            {
                                {"more than a window's worth", 0s, take(1000), granted(0, 1000s)},
                                {"comes back in 1000 s", 999s, take(1000), denied(999, 1s, 1s)},
                            });
}

TEST(TokenBucket, Release)
{
    tell_story<TokenBucket>("5/2s",
                            {
                                {"nothing to give back yet", 0s, release(3), leaves(5)},
                                {"all taken", 0s, take(5), granted(0, 2s)},
                                {"two come back", 200ms, release(2), leaves(2)},
                                {"the half permit was kept", 400ms, take(3), granted(0, 2s)},
                                {"all but a half are back: full, not more", 600ms, release(5), leaves(5)},
                                {"no half is left over", 600ms, take(5), granted(0, 2s)},
                                {"as seen here", 999999us, take(1), denied(0, 1us, 1600001us)},
                                {"more than is missing", 1s, release(4294967295), leaves(5)},
                            });
}

TEST(TokenBucket, ChangedRateKeepsWhatIsMissing)
{
    tell_story<TokenBucket>(
        "5/2s", {
                    {"four of five", 0s, take(4), granted(1, 1600ms)},
                    {"refilled by the old rate first, then two less", 400ms, change_rate("3/2s"), leaves(0)},
                    {"three are missing, 2/3 s each", 400ms, take(1), denied(0, 666667us, 2s)},
                    {"two more", 400ms, change_rate("5/2s"), leaves(2)},
                    {"a debt of two", 400ms, change_rate("1/s"), leaves(0)},
                    {"must be paid before anything passes", 400ms, take(1), denied(0, 3s, 3s)},
                    {"releasing pays the debt first", 400ms, release(2), leaves(0)},
                    {"one second, as always", 400ms, take(1), denied(0, 1s, 1s)},
                    {"the half permit survives the change", 900ms, change_rate("1/10s"), leaves(0)},
                    {"as seen here", 900ms, take(1), denied(0, 5s, 5s)},
                    {"and the next one", 900ms, change_rate("1/3s"), leaves(0)},
                    {"half of three seconds", 900ms, take(1), denied(0, 1500ms, 1500ms)},
                    {"a full bucket stays full", 1h, change_rate("1000/s;burst=7"), leaves(7)},
                });
}

TEST(TokenBucket, ClockStepsBack)
{
    tell_story<TokenBucket>(
        "5/2s", {
                    {"four of five", 10s, take(4), granted(1, 1600ms)},
                    {"set back: what is there can go", 7s, take(1), granted(0, 5s)},
                    {"no gift; the wait is longer by the step", 7s, take(1), denied(0, 3400ms, 5s)},
                    {"no refill before the clock has caught up", 10s, take(1), denied(0, 400ms, 2s)},
                    {"then as ever", 10400ms, take(1), granted(0, 2s)},
                });
}

TEST(TokenBucket, ExtremeRatesAndTimes)
{
    constexpr Time in_1970{};
    constexpr Time in_2199 = std::chrono::sys_days{std::chrono::year{2199} / 1 / 1};
    constexpr Duration ten_years = Rate::max_interval;
    for (Time const start : {in_1970, in_2024, in_2199}) {
        tell_story<TokenBucket>(
            "1/3653days",
            {
                {"one in ten years", 0s, take(1), granted(0, ten_years)},
                {"not one microsecond early", ten_years - 1us, take(1), denied(0, 1us, 1us)},
                {"ten years later", ten_years, take(1), granted(0, ten_years)},
            },
            start);
        tell_story<TokenBucket>("4294967295/s",
                                {
                                    {"all at once", 0s, take(4294967295), granted(0, 1s)},
                                    {"4294 in a microsecond", 1us, take(4294), granted(0, 1s)},
                                    {"0.967295 were kept, so now 4295", 2us, take(4295), granted(0, 1s)},
                                    {"full after a second, not before", 1000001us, take(4294967295),
                                     denied(4294963000, 1us, 1us)},
                                },
                                start);
    }
    tell_story<TokenBucket>("4294967295/3653days",
                            {
                                {"every last one", 0s, take(4294967295), granted(0, ten_years)},
                                {"comes back", 5 * ten_years, take(4294967295), granted(0, ten_years)},
                            });
}

TEST(TokenBucket, WaitsBeyondWhatADurationCanSay)
{
    TokenBucket bucket{Rate::parse("1/3653days;burst=4294967295")};
    EXPECT_EQ(bucket.take(in_2024, 4294967295), granted(0, longest_wait));
    EXPECT_EQ(bucket.take(in_2024, 1), denied(0, Rate::max_interval, longest_wait));
    EXPECT_EQ(bucket.take(in_2024, 4294967295), denied(0, longest_wait, longest_wait));
    EXPECT_EQ(bucket.available(in_2024 + 15 * Rate::max_interval), 15);
}

// Drained first, then asked for all it has, again and again: what comes is the refill, to the permit.
Permits refill(char const* rate, Duration span, Duration step)
{
    TokenBucket bucket{Rate::parse(rate)};
    EXPECT_TRUE(bucket.take(in_2024, Rate::parse(rate).capacity()).granted);
    Permits total = 0;
    for (Time t = in_2024 + step; t <= in_2024 + span; t += step) {
        Permits const here = bucket.available(t);
        if (here == 0) continue;
        EXPECT_TRUE(bucket.take(t, here).granted);
        total += here;
    }
    return total;
}

TEST(TokenBucket, CountsExactly)
{
    EXPECT_EQ(refill("900000/s", 1s, 1us), 900'000);
    EXPECT_EQ(refill("900000/s", 7s, 7us), 6'300'000);
    EXPECT_EQ(refill("1000003/day", 24h, 20ms), 1'000'003);
    EXPECT_EQ(refill("1000003/day", 24h, 27s), 1'000'003);
    EXPECT_EQ(refill("4294967295/s", 1s, 1us), 4'294'967'295);
    EXPECT_EQ(refill("4294967295/s", 3s, 3ms), 3 * 4'294'967'295);
    EXPECT_EQ(refill("1/3653days", 17 * Rate::max_interval, 1h), 17);
}

TEST(TokenBucket, IdleWhenFull)
{
    TokenBucket::Params const params{Rate::parse("5/2s")};
    TokenBucket::Cell cell;
    EXPECT_TRUE(cell.is_idle(params, in_2024));
    EXPECT_TRUE(cell.take(params, in_2024, 2).granted);
    EXPECT_FALSE(cell.is_idle(params, in_2024 + 800ms - 1us));
    EXPECT_TRUE(cell.is_idle(params, in_2024 + 800ms));
    cell.release(params, in_2024 + 100ms, 2);
    EXPECT_TRUE(cell.is_idle(params, in_2024 + 100ms));
    EXPECT_FALSE(cell.is_idle(params, in_2024)) << "a fresh one would refill from here, this one later";
}

}  // namespace
}  // namespace ration::core
