#include "core/fixed_window.hpp"

#include "unit/story.hpp"

namespace ration::core {
namespace {

using namespace std::chrono_literals;
using namespace ration::testing;

TEST(FixedWindow, OpensWithTheFirstGrantAndClosesAllAtOnce)
{
    tell_story<FixedWindow>("5/2s",
                            {
                                {"the first grant opens the window", 0s, take(3), granted(2, 2s)},
                                {"the end stands", 1s, take(1), granted(1, 1s)},
                                {"two are too many", 1500ms, take(2), denied(1, 500ms, 500ms)},
                                {"a denial took nothing", 1500ms, take(1), granted(0, 500ms)},
                                {"the last microsecond", 1999999us, take(1), denied(0, 1us, 1us)},
                                {"at the end all is free; a new window opens", 2s, take(5), granted(0, 2s)},
                                {"that one has its own end", 3s, take(1), denied(0, 1s, 1s)},
                                {"after a pause the window opens late", 10s, take(1), granted(4, 2s)},
                                {"and ends late", 11999999us, take(5), denied(4, 1us, 1us)},
                            });
}

TEST(FixedWindow, Release)
{
    tell_story<FixedWindow>(
        "5/2s", {
                    {"nothing to give back yet", 0s, release(3), leaves(5)},
                    {"all taken", 0s, take(5), granted(0, 2s)},
                    {"two come back", 500ms, release(2), leaves(2)},
                    {"two can go", 500ms, take(2), granted(0, 1500ms)},
                    {"more than is in use: full, not more", 1s, release(100), leaves(5)},
                    {"nothing in use: the next grant opens anew", 1500ms, take(5), granted(0, 2s)},
                    {"after the end there is nothing to give back", 3500ms, release(1), leaves(5)},
                    {"so this is a new window", 3500ms, take(5), granted(0, 2s)},
                });
}

TEST(FixedWindow, ChangedRateKeepsGrants)
{
    tell_story<FixedWindow>(
        "5/2s", {
                    {"four of five", 0s, take(4), granted(1, 2s)},
                    {"two less leave a debt of one", 1s, change_rate("3/2s"), leaves(0)},
                    {"nothing passes in debt", 1s, take(1), denied(0, 1s, 1s)},
                    {"releasing pays the debt first", 1s, release(1), leaves(0)},
                    {"then frees", 1s, release(1), leaves(1)},
                    {"more permits, same window", 1s, change_rate("10/2s"), leaves(8)},
                    {"a longer interval leaves the end alone", 1s, change_rate("10/1h"), leaves(8)},
                    {"as seen here", 1s, take(9), denied(8, 1s, 1s)},
                    {"a shorter one ends it sooner", 1s, change_rate("10/100ms"), leaves(8)},
                    {"at once, not with the next call", 1050ms, take(9), denied(8, 50ms, 50ms)},
                    {"free at the new end", 1100ms, take(9), granted(1, 100ms)},
                    {"a window that is over is forgotten", 1300ms, change_rate("2/1h"), leaves(2)},
                });
}

TEST(FixedWindow, ClockStepsBack)
{
    tell_story<FixedWindow>(
        "5/2s", {
                    {"all taken", 10s, take(5), granted(0, 2s)},
                    {"a small step delays by the step at most", 9500ms, take(1), denied(0, 2s, 2s)},
                    {"the end has moved here", 10500ms, take(1), denied(0, 1s, 1s)},
                    {"a large step too", 1s, take(1), denied(0, 2s, 2s)},
                    {"a full interval later it is free", 3s, take(1), granted(4, 2s)},
                    {"a step within the window moves nothing", 4s, take(1), granted(3, 1s)},
                    {"back", 3s, take(1), granted(2, 2s)},
                });
}

TEST(FixedWindow, ExtremeRatesAndTimes)
{
    constexpr Time in_1970{};
    constexpr Time in_2199 = std::chrono::sys_days{std::chrono::year{2199} / 1 / 1};
    constexpr Duration ten_years = Rate::max_interval;
    for (Time const start : {in_1970, in_2024, in_2199}) {
        tell_story<FixedWindow>(
            "1/3653days",
            {
                {"one in ten years", 0s, take(1), granted(0, ten_years)},
                {"not one microsecond early", ten_years - 1us, take(1), denied(0, 1us, 1us)},
                {"ten years later", ten_years, take(1), granted(0, ten_years)},
            },
            start);
        tell_story<FixedWindow>("4294967295/s",
                                {
                                    {"all but one", 0s, take(4294967294), granted(1, 1s)},
                                    {"two are too many", 1us, take(2), denied(1, 999999us, 999999us)},
                                    {"the last one", 2us, take(1), granted(0, 999998us)},
                                    {"all again", 1s, take(4294967295), granted(0, 1s)},
                                },
                                start);
    }
}

TEST(FixedWindow, CountsExactly)
{
    for (char const* const text : {"900000/s", "1000003/s"}) {
        SCOPED_TRACE(text);
        auto const rate = Rate::parse(text);
        FixedWindow window{rate};
        Permits passed = 0;
        for (Duration t{}; t < 3s; t += 1us) passed += window.take(in_2024 + t, 1).granted ? 1 : 0;
        EXPECT_EQ(passed, 3 * std::min<Permits>(rate.permits(), 1'000'000));
    }
}

TEST(FixedWindow, IdleWhenNothingIsInUse)
{
    FixedWindow::Params const params{Rate::parse("5/2s")};
    FixedWindow::Cell cell;
    EXPECT_TRUE(cell.is_idle(params, in_2024));
    EXPECT_TRUE(cell.take(params, in_2024, 1).granted);
    EXPECT_FALSE(cell.is_idle(params, in_2024 + 2s - 1us));
    EXPECT_TRUE(cell.is_idle(params, in_2024 + 2s));
    cell.release(params, in_2024 + 1s, 1);
    EXPECT_TRUE(cell.is_idle(params, in_2024 + 1s));
}

}  // namespace
}  // namespace ration::core
