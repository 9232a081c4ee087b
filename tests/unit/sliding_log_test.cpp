#include "core/sliding_log.hpp"

#include "unit/story.hpp"

namespace ration::core {
namespace {

using namespace std::chrono_literals;
using namespace ration::testing;

TEST(SlidingLog, EachGrantFreesAfterItsInterval)
{
    tell_story<SlidingLog>(
        "5/2s", {
                    {"two", 0s, take(2), granted(3, 2s)},
                    {"two more", 500ms, take(2), granted(1, 2s)},
                    {"two are too many until the first two are free", 1s, take(2), denied(1, 1s, 1500ms)},
                    {"five need the second two as well", 1s, take(5), denied(1, 1500ms, 1500ms)},
                    {"a denial took nothing", 1s, take(1), granted(0, 2s)},
                    {"the last microsecond", 1999999us, take(1), denied(0, 1us, 1000001us)},
                    {"exactly an interval later it is free", 2s, take(2), granted(0, 2s)},
                    {"the next ones free at 2.5 s", 2s, take(1), denied(0, 500ms, 2s)},
                    {"those at 2.5 s and at 3 s are enough for three", 2s, take(3), denied(0, 1s, 2s)},
                    {"all is free an interval after the last", 4s, take(5), granted(0, 2s)},
                });
}

TEST(SlidingLog, GrantsOfOneMicrosecondAreOneEntry)
{
    SlidingLog::Params const params{Rate::parse("1000000/s")};
    SlidingLog::Cell log;
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(log.take(params, in_2024, 1).granted);
    EXPECT_EQ(log.entries(), 1u);
    EXPECT_EQ(log.bytes(), 0u);
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(log.take(params, in_2024 + 1us, 1).granted);
    EXPECT_EQ(log.entries(), 2u);
    EXPECT_EQ(log.available(params, in_2024 + 1s - 1us), 998'000);
    EXPECT_EQ(log.available(params, in_2024 + 1s), 999'000);
    log.release(params, in_2024 + 1us, 999);
    EXPECT_EQ(log.entries(), 2u);
    log.release(params, in_2024 + 1us, 1);
    EXPECT_EQ(log.entries(), 1u) << "nothing is left of the older one";
}

TEST(SlidingLog, Release)
{
    tell_story<SlidingLog>(
        "5/2s", {
                    {"nothing to give back yet", 0s, release(3), leaves(5)},
                    {"three", 0s, take(3), granted(2, 2s)},
                    {"two", 1s, take(2), granted(0, 2s)},
                    {"two of the oldest three come back", 1s, release(2), leaves(2)},
                    {"one of them is in use until 2 s", 1s, take(3), denied(2, 1s, 2s)},
                    {"the two that came back can go", 1s, take(2), granted(0, 2s)},
                    {"the oldest and one of the next", 1500ms, release(2), leaves(2)},
                    {"nothing frees before 3 s", 2s, take(3), denied(2, 1s, 1s)},
                    {"more than is in use: full, not more", 2500ms, release(100), leaves(5)},
                    {"a fresh start", 2500ms, take(5), granted(0, 2s)},
                    {"what has freed up already is not given back twice", 4500ms, release(5), leaves(5)},
                    {"as seen here", 4500ms, take(5), granted(0, 2s)},
                    {"none left", 4500ms, take(1), denied(0, 2s, 2s)},
                });
}

TEST(SlidingLog, ChangedRateKeepsGrants)
{
    tell_story<SlidingLog>(
        "5/2s", {
                    {"three", 0s, take(3), granted(2, 2s)},
                    {"two", 1s, take(2), granted(0, 2s)},
                    {"a debt of three", 1s, change_rate("2/2s"), leaves(0)},
                    {"even without the first three nothing is left", 1s, take(1), denied(0, 2s, 2s)},
                    {"so it is at 2 s", 2s, take(1), denied(0, 1s, 1s)},
                    {"two more", 2s, change_rate("4/2s"), leaves(2)},
                    {"a longer interval holds what is in use longer", 2s, change_rate("4/10s"), leaves(2)},
                    {"but what was free stays free", 2s, take(3), denied(2, 9s, 9s)},
                    {"a shorter one frees at once", 2s, change_rate("4/500ms"), leaves(4)},
                    {"for good", 2s, change_rate("4/1h"), leaves(4)},
                    {"releasing pays the debt first: four taken", 3s, take(4), granted(0, 1h)},
                    {"three too many", 3s, change_rate("1/1h"), leaves(0)},
                    {"still one too many", 3s, release(2), leaves(0)},
                    {"even", 3s, release(1), leaves(0)},
                    {"one free", 3s, release(1), leaves(1)},
                });
}

TEST(SlidingLog, WhatIsFreeStaysFreeThoughNobodyAsked)
{
    tell_story<SlidingLog>("5/2s", {
                                       {"three", 0s, take(3), granted(2, 2s)},
                                       {"one", 1s, take(1), granted(1, 2s)},
                                       {"a longer interval", 2s, change_rate("5/1h"), leaves(4)},
                                       {"holds the one only", 2s, take(5), denied(4, 3599s, 3599s)},
                                   });
}

TEST(SlidingLog, ClockStepsBack)
{
    tell_story<SlidingLog>(
        "5/2s", {
                    {"two", 10s, take(2), granted(3, 2s)},
                    {"set back: those count, in the future", 7s, take(1), granted(2, 5s)},
                    {"that one frees an interval after it was made", 7s, take(3), denied(2, 2s, 5s)},
                    {"sorted in between", 8s, take(2), granted(0, 4s)},
                    {"the one of 7 s frees first", 8s, take(1), denied(0, 1s, 4s)},
                    {"then the two of 8 s", 8s, take(3), denied(0, 2s, 4s)},
                    {"then the two of 10 s", 8s, take(5), denied(0, 4s, 4s)},
                    {"one", 9s, take(1), granted(0, 3s)},
                    {"two", 10s, take(2), granted(0, 2s)},
                    {"the one of 9 s", 10500ms, take(1), denied(0, 500ms, 1500ms)},
                });
}

TEST(SlidingLog, ClockStepsBackTwice)
{
    tell_story<SlidingLog>(
        "6/2s", {
                    {"two", 10s, take(2), granted(4, 2s)},
                    {"one, far back", 7s, take(1), granted(3, 5s)},
                    {"one in between", 8s, take(1), granted(2, 4s)},
                    {"back again: one between those", 7500ms, take(1), granted(1, 4500ms)},
                    {"two need the one of 7 s", 7500ms, take(2), denied(1, 1500ms, 4500ms)},
                    {"three need the one of 7.5 s", 7500ms, take(3), denied(1, 2s, 4500ms)},
                    {"four need the one of 8 s", 7500ms, take(4), denied(1, 2500ms, 4500ms)},
                    {"five need one of the two of 10 s", 7500ms, take(5), denied(1, 4500ms, 4500ms)},
                });
}

TEST(SlidingLog, ResolutionJoinsGrants)
{
    tell_story<SlidingLog>(
        "5/2s",
        {
            {"the first grant of an entry", 0s, take(1, 100ms), granted(4, 2s)},
            {"99 ms later: joins", 99ms, take(1, 100ms), granted(3, 2s)},
            {"100 ms after the first: an entry of its own", 100ms, take(1, 100ms), granted(2, 2s)},
            {"joins that one", 199ms, take(2, 100ms), granted(0, 2s)},
            {"the first entry frees after its last grant", 1999ms, take(1, 100ms), denied(0, 100ms, 200ms)},
            {"both of it", 2099ms, take(2, 100ms), granted(0, 2s)},
            {"then the second entry", 2198ms, take(1, 100ms), denied(0, 1ms, 1901ms)},
        });
}

TEST(SlidingLog, ResolutionAfterReleasingAll)
{
    tell_story<SlidingLog>("5/2s",
                           {
                               {"one", 0s, take(1, 100ms), granted(4, 2s)},
                               {"joins", 60ms, take(1, 100ms), granted(3, 2s)},
                               {"both come back", 60ms, release(2), leaves(5)},
                               {"so this one is the first of an entry", 60ms, take(1, 100ms), granted(4, 2s)},
                               {"which this one joins", 120ms, take(1, 100ms), granted(3, 2s)},
                               {"and they free together", 2100ms, take(4, 100ms), denied(3, 20ms, 20ms)},
                           });
}

TEST(SlidingLog, ResolutionAfterAStepBack)
{
    tell_story<SlidingLog>(
        "5/2s", {
                    {"one", 10s, take(1, 100ms), granted(4, 2s)},
                    {"a little back: joins", 9950ms, take(1, 100ms), granted(3, 2050ms)},
                    {"far back: an entry up to 7.099999 s", 7s, take(1, 100ms), granted(2, 5s)},
                    {"joins it", 7050ms, take(1, 100ms), granted(1, 4950ms)},
                    {"frees at most the resolution late", 8s, take(2, 100ms), denied(1, 1099999us, 4s)},
                });
}

TEST(SlidingLog, ResolutionBoundsMemory)
{
    SlidingLog::Params const params{Rate::parse("4294967295/s")};
    SlidingLog::Cell log;
    std::size_t const most = 100 + 2;  // interval / resolution + 2
    Time t = in_2024;
    for (int i = 0; i < 300'000; ++i, t += 7us) {
        ASSERT_TRUE(log.take(params, t, 1000, 10ms).granted);
        ASSERT_LE(log.entries(), most) << i;
    }
    t -= 700ms;
    for (int i = 0; i < 300'000; ++i, t += 7us) {
        ASSERT_TRUE(log.take(params, t, 1000, 10ms).granted);
        ASSERT_LE(log.entries(), 2 * most) << i << " after a step back";
    }
    EXPECT_LE(log.entries(), most);
}

TEST(SlidingLog, MemoryFollowsTheWindow)
{
    SlidingLog::Params const params{Rate::parse("1000000/s")};
    SlidingLog::Cell log;
    Time t = in_2024;
    for (int i = 0; i < 100'000; ++i) ASSERT_TRUE(log.take(params, t += 1us, 1).granted);
    EXPECT_EQ(log.entries(), 100'000u);
    EXPECT_LE(log.bytes(), 100'000u * 16 * 2);
    t += 1s - 50us;  // most of them are free
    ASSERT_TRUE(log.take(params, t, 1).granted);
    EXPECT_EQ(log.entries(), 51u);
    EXPECT_LE(log.bytes(), 51u * 16 * 8);
    for (int i = 0; i < 100'000; ++i) ASSERT_TRUE(log.take(params, t += 1us, 1).granted);
    t += 1s;  // all of them are
    ASSERT_TRUE(log.take(params, t, 1).granted);
    EXPECT_EQ(log.entries(), 1u);
    EXPECT_LE(log.bytes(), 256u);
}

TEST(SlidingLog, ExtremeRatesAndTimes)
{
    constexpr Time in_1970{};
    constexpr Time in_2199 = std::chrono::sys_days{std::chrono::year{2199} / 1 / 1};
    constexpr Duration ten_years = Rate::max_interval;
    for (Time const start : {in_1970, in_2024, in_2199}) {
        tell_story<SlidingLog>(
            "1/3653days",
            {
                {"one in ten years", 0s, take(1), granted(0, ten_years)},
                {"not one microsecond early", ten_years - 1us, take(1), denied(0, 1us, 1us)},
                {"ten years later", ten_years, take(1), granted(0, ten_years)},
            },
            start);
        tell_story<SlidingLog>("4294967295/s",
                               {
                                   {"all but one", 0s, take(4294967294), granted(1, 1s)},
                                   {"two are too many", 1us, take(2), denied(1, 999999us, 999999us)},
                                   {"the last one", 2us, take(1), granted(0, 1s)},
                                   {"all of the first", 1s, take(4294967294), granted(0, 1s)},
                                   {"and the last", 1s, take(1), denied(0, 2us, 1s)},
                               },
                               start);
    }
}

TEST(SlidingLog, CountsExactly)
{
    SlidingLog log{Rate::parse("900000/s")};
    Permits passed = 0;
    for (Duration t{}; t < 3s; t += 1us) passed += log.take(in_2024 + t, 1).granted ? 1 : 0;
    EXPECT_EQ(passed, 2'700'000);

    SlidingLog day{Rate::parse("1000003/day")};
    passed = 0;
    for (Duration t{}; t < 72h; t += 50ms) passed += day.take(in_2024 + t, 1).granted ? 1 : 0;
    EXPECT_EQ(passed, 3'000'009);
}

TEST(SlidingLog, IdleWhenNothingIsInUse)
{
    SlidingLog::Params const params{Rate::parse("5/2s")};
    SlidingLog::Cell log;
    EXPECT_TRUE(log.is_idle(params, in_2024));
    EXPECT_TRUE(log.take(params, in_2024, 1).granted);
    EXPECT_FALSE(log.is_idle(params, in_2024 + 2s - 1us));
    EXPECT_TRUE(log.is_idle(params, in_2024 + 2s));
    log.release(params, in_2024 + 1s, 1);
    EXPECT_TRUE(log.is_idle(params, in_2024 + 1s));
}

TEST(SlidingLog, CanBeMoved)
{
    SlidingLog log{Rate::parse("5/2s")};
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(log.take(in_2024 + i * 1ms, 1).granted);
    SlidingLog moved{std::move(log)};
    EXPECT_EQ(moved.take(in_2024 + 10ms, 2), denied(1, 1990ms, 1993ms));
    SlidingLog other{Rate::parse("1/s")};
    other = std::move(moved);
    EXPECT_EQ(other.available(in_2024 + 2s), 2);
}

}  // namespace
}  // namespace ration::core
