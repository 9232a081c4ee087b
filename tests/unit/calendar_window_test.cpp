#include "core/calendar_window.hpp"

#include "unit/story.hpp"

namespace ration::core {
namespace {

using namespace std::chrono_literals;
using namespace ration::testing;
using std::chrono::days;

// A moment in UTC.
constexpr Time utc(int year, int month, int day, int hour = 0)
{
    return std::chrono::sys_days{std::chrono::year{year} / month / day} + std::chrono::hours{hour};
}

TEST(CalendarWindow, EndsWhereTheDayEnds)
{
    tell_story<CalendarWindow>(
        "5/day@Asia/Shanghai",
        {
            {"noon in UTC is 20:00 in Shanghai", 12h, take(3), granted(2, 4h)},
            {"the end stands", 15h, take(1), granted(1, 1h)},
            {"two are too many", 15h, take(2), denied(1, 1h, 1h)},
            {"the last microsecond of the day", 16h - 1us, take(2), denied(1, 1us, 1us)},
            {"midnight in Shanghai: all is free", 16h, take(5), granted(0, 24h)},
            {"a whole day later", 40h, take(5), granted(0, 24h)},
            {"after a pause of days the window is still the day's", 100h, take(1), granted(4, 12h)},
        });
}

TEST(CalendarWindow, DaysOf23And25Hours)
{
    tell_story<CalendarWindow>("1/day@Europe/Berlin",
                               {
                                   {"2024-03-31 has 23 hours", 0h, take(1), granted(0, 23h)},
                                   {"free after 23 hours", 23h, take(1), granted(0, 24h)},
                               },
                               utc(2024, 3, 30, 23));
    tell_story<CalendarWindow>("1/day@Europe/Berlin",
                               {
                                   {"2024-10-27 has 25 hours", 0h, take(1), granted(0, 25h)},
                                   {"not free after 24 hours", 24h, take(1), denied(0, 1h, 1h)},
                                   {"free after 25 hours", 25h, take(1), granted(0, 24h)},
                               },
                               utc(2024, 10, 26, 22));
}

TEST(CalendarWindow, MonthsAndQuarters)
{
    tell_story<CalendarWindow>("2/month",
                               {
                                   {"February 2024 has 29 days", days{31}, take(2), granted(0, days{29})},
                                   {"the last day", days{59}, take(1), denied(0, days{1}, days{1})},
                                   {"March", days{60}, take(1), granted(1, days{31})},
                               });
    tell_story<CalendarWindow>("1/3months", {
                                                {"a quarter", days{1}, take(1), granted(0, days{90})},
                                                {"the next one", days{91}, take(1), granted(0, days{91})},
                                            });
}

TEST(CalendarWindow, Release)
{
    tell_story<CalendarWindow>("5/day@UTC",
                               {
                                   {"nothing to give back yet", 0h, release(3), leaves(5)},
                                   {"all taken", 1h, take(5), granted(0, 23h)},
                                   {"two come back", 2h, release(2), leaves(2)},
                                   {"and can go, the end stands", 3h, take(2), granted(0, 21h)},
                                   {"more than is in use: full, not more", 4h, release(100), leaves(5)},
                                   {"the window is the same day", 5h, take(5), granted(0, 19h)},
                                   {"the next day there is nothing to give back", 24h, release(5), leaves(5)},
                                   {"so five can go, no more", 24h, take(5), granted(0, 24h)},
                                   {"none left", 24h, take(1), denied(0, 24h, 24h)},
                               });
}

TEST(CalendarWindow, ChangedRateKeepsGrants)
{
    tell_story<CalendarWindow>(
        "5/day@UTC",
        {
            {"four of five", 1h, take(4), granted(1, 23h)},
            {"two less leave a debt of one", 2h, change_rate("3/day@UTC"), leaves(0)},
            {"nothing passes in debt", 2h, take(1), denied(0, 22h, 22h)},
            {"releasing pays the debt first", 2h, release(2), leaves(1)},
            {"another unit: its window, the same grants", 2h, change_rate("3/hour@UTC"), leaves(1)},
            {"ends with the hour", 150min, take(2), denied(1, 30min, 30min)},
            {"another multiple", 150min, change_rate("3/2hours@UTC"), leaves(1)},
            {"ends with the second hour", 150min, take(2), denied(1, 90min, 90min)},
            {"another zone: it is 08:00", 150min, change_rate("3/2hours@Asia/Kolkata"), leaves(1)},
            {"ends at 10:00 there", 150min, take(2), denied(1, 2h, 2h)},
            {"another zone and unit", 150min, change_rate("3/day@Asia/Shanghai"), leaves(1)},
            {"ends at its midnight", 3h, take(2), denied(1, 13h, 13h)},
            {"what is over is forgotten", 20h, change_rate("2/day@UTC"), leaves(2)},
            {"and the new window is used", 20h, take(2), granted(0, 4h)},
        });
}

TEST(CalendarWindow, ClockStepsBack)
{
    tell_story<CalendarWindow>(
        "5/day@UTC", {
                         {"just after midnight", 24h + 1us, take(5), granted(0, 24h - 1us)},
                         {"set back over midnight: a delay, no gift", 23h, take(1), denied(0, 25h, 25h)},
                         {"the window is used until its end", 48h, take(5), granted(0, 24h)},
                         {"set back by days", 10h, take(1), denied(0, 62h, 62h)},
                     });
}

TEST(CalendarWindow, ExtremeRatesAndTimes)
{
    tell_story<CalendarWindow>(
        "4294967295/year@UTC",
        {
            {"the first microsecond of 1970", 0h, take(4294967295), granted(0, days{365})},
            {"1971", days{365}, take(1), granted(4294967294, days{365})},
        },
        Time{});
    tell_story<CalendarWindow>("1/10years@UTC",
                               {
                                   {"2199 belongs to 2190 to 2199", 0h, take(1), granted(0, days{365})},
                                   {"its last microsecond", days{365} - 1us, take(1), denied(0, 1us, 1us)},
                               },
                               utc(2199, 1, 1));
    tell_story<CalendarWindow>("2/second@UTC", {
                                                   {"late in a second", 999999us, take(2), granted(0, 1us)},
                                                   {"the next one", 1s, take(2), granted(0, 1s)},
                                               });
}

TEST(CalendarWindow, CountsExactly)
{
    CalendarWindow window{Rate::parse("1000003/day@Europe/Berlin")};
    Permits passed = 0;
    // Three days in Berlin, of which 2024-03-31 has 23 hours; ten takers a second would like more than there
    // is.
    Time const begin = utc(2024, 3, 29, 23);
    for (Time t = begin; t < begin + 71h; t += 100ms) passed += window.take(t, 3).granted ? 3 : 0;
    EXPECT_EQ(passed, 3 * 1'000'002) << "threes go into 1 000 003 with one left over";
}

TEST(CalendarWindow, IdleWhenNothingIsInUse)
{
    CalendarWindow::Params const params{Rate::parse("5/day@UTC")};
    CalendarWindow::Cell cell;
    EXPECT_TRUE(cell.is_idle(params, in_2024));
    EXPECT_TRUE(cell.take(params, in_2024, 1).granted);
    EXPECT_FALSE(cell.is_idle(params, in_2024 + 24h - 1us));
    EXPECT_TRUE(cell.is_idle(params, in_2024 + 24h));
    cell.release(params, in_2024 + 1h, 1);
    EXPECT_TRUE(cell.is_idle(params, in_2024 + 1h));
}

}  // namespace
}  // namespace ration::core
