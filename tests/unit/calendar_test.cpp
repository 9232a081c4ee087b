#include "core/calendar.hpp"

#include <gtest/gtest.h>

namespace ration::core {
namespace {

using namespace std::chrono_literals;

// A moment in UTC.
constexpr Time utc(int year, int month, int day, int hour = 0, int minute = 0, int second = 0)
{
    return std::chrono::sys_days{std::chrono::year{year} / month / day} + std::chrono::hours{hour}
           + std::chrono::minutes{minute} + std::chrono::seconds{second};
}

struct Row {
    char const* what;
    char const* rate;
    Time wall;
    Time begin;
    Time end;
};

void expect_windows(std::initializer_list<Row> rows)
{
    for (auto const& row : rows) {
        SCOPED_TRACE(std::string{row.what} + " (" + row.rate + ")");
        auto const rate = Rate::parse(row.rate);
        auto const window = calendar_window_at(rate, row.wall);
        // As distances from `wall` in seconds: a failure is easier to read than microseconds since 1970.
        auto const seconds = [&](Time t) {
            return std::chrono::floor<std::chrono::seconds>(t - row.wall).count();
        };
        EXPECT_EQ(seconds(window.begin), seconds(row.begin));
        EXPECT_EQ(seconds(window.end), seconds(row.end));
        EXPECT_EQ(window, (Window{row.begin, row.end}));
        EXPECT_EQ(calendar_window_at(rate, window.begin), window) << "its first moment belongs to it";
        EXPECT_EQ(calendar_window_at(rate, window.end - 1us), window) << "so does its last";
        EXPECT_EQ(calendar_window_at(rate, window.end).begin, window.end) << "the next follows at once";
        EXPECT_EQ(calendar_window_at(rate, window.begin - 1us).end, window.begin) << "and so did this one";
    }
}

TEST(Calendar, PlainDaysWeeksMonthsYears)
{
    expect_windows({
        {"a day", "1/day@UTC", utc(2024, 5, 15, 13, 7), utc(2024, 5, 15), utc(2024, 5, 16)},
        {"a day begins 8 hours earlier in Shanghai", "1/day@Asia/Shanghai", utc(2024, 5, 15, 16),
         utc(2024, 5, 15, 16), utc(2024, 5, 16, 16)},
        {"two days count from 1970-01-01", "1/2days@UTC", utc(1970, 1, 2, 23), utc(1970, 1, 1),
         utc(1970, 1, 3)},
        {"the week of 1970-01-01 began on Monday", "1/week@UTC", utc(1970, 1, 1), utc(1969, 12, 29),
         utc(1970, 1, 5)},
        {"Sunday ends the week", "1/week@UTC", utc(2024, 5, 19, 23, 59), utc(2024, 5, 13), utc(2024, 5, 20)},
        {"two weeks count from 1969-12-29", "1/2weeks@UTC", utc(1970, 1, 11), utc(1969, 12, 29),
         utc(1970, 1, 12)},
        {"February of a leap year", "1/month@UTC", utc(2024, 2, 29, 12), utc(2024, 2, 1), utc(2024, 3, 1)},
        {"February of 2100, no leap year", "1/month@UTC", utc(2100, 2, 28, 12), utc(2100, 2, 1),
         utc(2100, 3, 1)},
        {"a quarter", "1/3months@UTC", utc(2024, 6, 30), utc(2024, 4, 1), utc(2024, 7, 1)},
        {"a quarter whose ends lie in different offsets", "1/3months@Europe/Berlin", utc(2024, 1, 31),
         utc(2023, 12, 31, 23), utc(2024, 3, 31, 22)},
        {"five months do not restart with the year", "1/5months@UTC", utc(1970, 12, 31), utc(1970, 11, 1),
         utc(1971, 4, 1)},
        {"a year", "1/year@UTC", utc(2024, 12, 31), utc(2024, 1, 1), utc(2025, 1, 1)},
        {"ten years", "1/10years@UTC", utc(2024, 12, 31), utc(2020, 1, 1), utc(2030, 1, 1)},
        {"the last year", "1/year@Asia/Tokyo", utc(2199, 12, 31), utc(2198, 12, 31, 15),
         utc(2199, 12, 31, 15)},
    });
}

TEST(Calendar, TheBeginningOfTime)
{
    expect_windows({
        {"the epoch", "1/day@UTC", Time{}, utc(1970, 1, 1), utc(1970, 1, 2)},
        {"in New York it is still 1969", "1/day@America/New_York", Time{}, utc(1969, 12, 31, 5),
         utc(1970, 1, 1, 5)},
        {"and the sixties", "1/10years@America/New_York", Time{}, utc(1960, 1, 1, 5), utc(1970, 1, 1, 5)},
        {"hours before the first", "1/6h@America/New_York", Time{}, utc(1969, 12, 31, 23),
         utc(1970, 1, 1, 5)},
        {"an offset with seconds: -0:44:30", "1/day@Africa/Monrovia", utc(1971, 6, 1, 12),
         utc(1971, 6, 1, 0, 44, 30), utc(1971, 6, 2, 0, 44, 30)},
    });
}

TEST(Calendar, DaysWhenTheClocksChange)
{
    expect_windows({
        {"23 hours", "1/day@Europe/Berlin", utc(2024, 3, 31, 12), utc(2024, 3, 30, 23), utc(2024, 3, 31, 22)},
        {"25 hours", "1/day@Europe/Berlin", utc(2024, 10, 27, 12), utc(2024, 10, 26, 22),
         utc(2024, 10, 27, 23)},
        {"no midnight: begins at 01:00", "1/day@America/Sao_Paulo", utc(2018, 11, 4, 12), utc(2018, 11, 4, 3),
         utc(2018, 11, 5, 2)},
        {"the day before a day without midnight", "1/day@America/Sao_Paulo", utc(2018, 11, 4, 2, 59),
         utc(2018, 11, 3, 3), utc(2018, 11, 4, 3)},
        {"no midnight in Beirut", "1/day@Asia/Beirut", utc(2022, 3, 27), utc(2022, 3, 26, 22),
         utc(2022, 3, 27, 21)},
        {"23:00 to 24:00 comes twice", "1/day@America/Sao_Paulo", utc(2018, 2, 18, 2, 30),
         utc(2018, 2, 17, 2), utc(2018, 2, 18, 3)},
        {"the day before midnight comes twice", "1/day@America/St_Johns", utc(2006, 10, 29, 2, 29),
         utc(2006, 10, 28, 2, 30), utc(2006, 10, 29, 2, 30)},
        {"one minute after the first midnight, put back to 23:01", "1/day@America/St_Johns",
         utc(2006, 10, 29, 2, 31), utc(2006, 10, 29, 2, 30), utc(2006, 10, 30, 3, 30)},
        {"the day before a skipped day", "1/day@Pacific/Apia", utc(2011, 12, 30, 9, 59),
         utc(2011, 12, 29, 10), utc(2011, 12, 30, 10)},
        {"the day after a skipped day", "1/day@Pacific/Apia", utc(2011, 12, 30, 10), utc(2011, 12, 30, 10),
         utc(2011, 12, 31, 10)},
        {"two days, one of them skipped", "1/2days@Pacific/Apia", utc(2011, 12, 30, 12),
         utc(2011, 12, 30, 10), utc(2011, 12, 31, 10)},
        {"a week with a skipped day", "1/week@Pacific/Apia", utc(2011, 12, 31), utc(2011, 12, 26, 10),
         utc(2012, 1, 1, 10)},
        {"Kwajalein jumps from the 20th to the 22nd", "1/day@Pacific/Kwajalein", utc(1993, 8, 21, 12),
         utc(1993, 8, 21, 12), utc(1993, 8, 22, 12)},
    });
}

TEST(Calendar, HoursFollowTheClock)
{
    expect_windows({
        {"an hour", "1/h@UTC", utc(2024, 5, 15, 13, 7), utc(2024, 5, 15, 13), utc(2024, 5, 15, 14)},
        {"an hour in a zone 45 minutes off", "1/h@Asia/Kathmandu", utc(2024, 5, 15, 13, 7),
         utc(2024, 5, 15, 12, 15), utc(2024, 5, 15, 13, 15)},
        {"seven minutes count from 1970-01-01", "1/7m@UTC", utc(1970, 1, 1, 0, 13), utc(1970, 1, 1, 0, 7),
         utc(1970, 1, 1, 0, 14)},
        {"a second", "1/s@Asia/Tokyo", utc(2024, 5, 15, 13, 7, 9) + 999999us, utc(2024, 5, 15, 13, 7, 9),
         utc(2024, 5, 15, 13, 7, 10)},
        {"the hour before 02:00 becomes 03:00", "1/h@Europe/Berlin", utc(2024, 3, 31, 0, 59),
         utc(2024, 3, 31, 0), utc(2024, 3, 31, 1)},
        {"and the one after", "1/h@Europe/Berlin", utc(2024, 3, 31, 1), utc(2024, 3, 31, 1),
         utc(2024, 3, 31, 2)},
        {"a repeated hour is two windows: the first", "1/h@Europe/Berlin", utc(2024, 10, 27, 0, 30),
         utc(2024, 10, 27, 0), utc(2024, 10, 27, 1)},
        {"a repeated hour is two windows: the second", "1/h@Europe/Berlin", utc(2024, 10, 27, 1, 30),
         utc(2024, 10, 27, 1), utc(2024, 10, 27, 2)},
        {"put back over midnight, at 00:01: 60 minutes until midnight again", "1/h@America/St_Johns",
         utc(2006, 10, 29, 2, 45), utc(2006, 10, 29, 2, 30), utc(2006, 10, 29, 3, 30)},
    });
}

TEST(Calendar, HoursThatDoNotFitTheChange)
{
    expect_windows({
        {"the hour from 01:00 in Lord Howe, of which half is repeated", "1/h@Australia/Lord_Howe",
         utc(2024, 4, 6, 15, 10), utc(2024, 4, 6, 14), utc(2024, 4, 6, 15, 30)},
        {"the hour from 02:00, of which half is left out", "1/h@Australia/Lord_Howe",
         utc(2024, 10, 5, 15, 40), utc(2024, 10, 5, 15, 30), utc(2024, 10, 5, 16)},
        {"the full hour before it", "1/h@Australia/Lord_Howe", utc(2024, 10, 5, 15, 29),
         utc(2024, 10, 5, 14, 30), utc(2024, 10, 5, 15, 30)},
        {"half hours do not notice", "1/30m@Australia/Lord_Howe", utc(2024, 4, 6, 15, 10),
         utc(2024, 4, 6, 15), utc(2024, 4, 6, 15, 30)},
        {"six hours from midnight, 5 in March", "1/6h@Europe/Berlin", utc(2024, 3, 31, 2),
         utc(2024, 3, 30, 23), utc(2024, 3, 31, 4)},
        {"six hours from midnight, 7 in October", "1/6h@Europe/Berlin", utc(2024, 10, 27, 2),
         utc(2024, 10, 26, 22), utc(2024, 10, 27, 5)},
        {"02:00 comes twice, the first time", "1/2h@Europe/Berlin", utc(2024, 10, 27, 0, 30),
         utc(2024, 10, 27, 0), utc(2024, 10, 27, 1)},
        {"02:00 comes twice, the second time", "1/2h@Europe/Berlin", utc(2024, 10, 27, 1, 30),
         utc(2024, 10, 27, 1), utc(2024, 10, 27, 3)},
        {"24 hours over a midnight that is left out", "1/24h@America/Sao_Paulo", utc(2018, 11, 4, 12),
         utc(2018, 11, 4, 3), utc(2018, 11, 5, 2)},
        {"100 hours by the clock, 99 in fact", "1/100h@Europe/Berlin", utc(2024, 3, 31, 2),
         utc(2024, 3, 30, 11), utc(2024, 4, 3, 14)},
    });
}

}  // namespace
}  // namespace ration::core
