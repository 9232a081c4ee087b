#include <ration/rate.hpp>

#include <boost/system/error_code.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ration {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using testing::HasSubstr;

std::string error_of(std::string const& text)
{
    try {
        return "no error: " + to_string(Rate::parse(text));
    } catch (Error const& error) {
        EXPECT_EQ(error.code(), Errc::invalid_argument);
        return error.what();
    }
}

TEST(RateText, ReadsAndWrites)
{
    struct Row {
        char const* what;
        char const* text;
        Rate rate;
        char const* shortest;
    };
    using Unit = CalendarUnit;
    Row const rows[] = {
        {"the classic", "5/2s", Rate::per(5, 2s), "5/2s"},
        {"m is minute, never month", "100/m", Rate::per_minute(100), "100/m"},
        {"spelled out", "100/minute", Rate::per_minute(100), "100/m"},
        {"spelled out, many", "100/5minutes", Rate::per(100, 5min), "100/5m"},
        {"one can be written", "100/1min", Rate::per_minute(100), "100/m"},
        {"seconds, every way", "1/sec", Rate::per_second(1), "1/s"},
        {"seconds, every way", "1/2second", Rate::per(1, 2s), "1/2s"},
        {"seconds, every way", "1/2seconds", Rate::per(1, 2s), "1/2s"},
        {"hours", "1/hour", Rate::per_hour(1), "1/h"},
        {"hours", "1/36hours", Rate::per(1, 36h), "1/36h"},
        {"milliseconds", "1/500ms", Rate::per(1, 500ms), "1/500ms"},
        {"the largest unit that divides", "1/1000ms", Rate::per_second(1), "1/s"},
        {"the largest unit that divides", "1/90s", Rate::per(1, 90s), "1/90s"},
        {"the largest unit that divides", "1/120s", Rate::per(1, 2min), "1/2m"},
        {"microseconds, so that any interval has a text", "1/1500us", Rate::per(1, 1500us), "1/1500us"},
        {"a day without a zone is 24 hours", "100/day", Rate::per_day(100), "100/day"},
        {"so is 24h", "100/24h", Rate::per_day(100), "100/day"},
        {"days", "100/2d", Rate::per(100, 48h), "100/2days"},
        {"a week without a zone is 7 times 24 hours", "9/w", Rate::per(9, days{7}), "9/week"},
        {"weeks", "9/2weeks", Rate::per(9, days{14}), "9/2weeks"},
        {"the shortest interval", "1/1ms", Rate::per(1, 1ms), "1/ms"},
        {"the longest interval", "1/3653days", Rate::per(1, Rate::max_interval), "1/3653days"},
        {"the most permits", "4294967295/s", Rate::per_second(4'294'967'295), "4294967295/s"},
        {"a burst", "60/m;burst=10", Rate::per_minute(60).with_burst(10), "60/m;burst=10"},
        {"the largest burst", "1/s;burst=4294967295", Rate::per_second(1).with_burst(4'294'967'295),
         "1/s;burst=4294967295"},
        {"a zone makes it calendar", "10000/day@Asia/Shanghai",
         Rate::calendar(10'000, Unit::day, "Asia/Shanghai"), "10000/day@Asia/Shanghai"},
        {"an alias keeps its name", "1/day@PRC", Rate::calendar(1, Unit::day, "PRC"), "1/day@PRC"},
        {"zone names have signs and digits", "1/h@Etc/GMT+5", Rate::calendar(1, Unit::hour, "Etc/GMT+5"),
         "1/h@Etc/GMT+5"},
        {"six hours by the clock", "1/6h@UTC", Rate::calendar(1, Unit::hour, "UTC", 6), "1/6h@UTC"},
        {"calendar seconds", "1/30s@UTC", Rate::calendar(1, Unit::second, "UTC", 30), "1/30s@UTC"},
        {"a calendar week", "1/week@Europe/Berlin", Rate::calendar(1, Unit::week, "Europe/Berlin"),
         "1/week@Europe/Berlin"},
        {"7 calendar days are not a calendar week", "1/7days@UTC", Rate::calendar(1, Unit::day, "UTC", 7),
         "1/7days@UTC"},
        {"a month is UTC calendar by itself", "1/month", Rate::calendar(1, Unit::month), "1/month@UTC"},
        {"a quarter", "1/3months", Rate::calendar(1, Unit::month, "UTC", 3), "1/3months@UTC"},
        {"a quarter in Berlin", "1/3months@Europe/Berlin", Rate::calendar(1, Unit::month, "Europe/Berlin", 3),
         "1/3months@Europe/Berlin"},
        {"a year", "1/y", Rate::calendar(1, Unit::year), "1/year@UTC"},
        {"the longest calendar window", "1/10years", Rate::calendar(1, Unit::year, "UTC", 10),
         "1/10years@UTC"},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(std::string{row.what} + ": " + row.text);
        EXPECT_EQ(Rate::parse(row.text), row.rate);
        EXPECT_EQ(to_string(row.rate), row.shortest);
        EXPECT_EQ(Rate::parse(row.shortest), row.rate);
    }
}

TEST(RateText, PointsAtWhatIsWrong)
{
    struct Row {
        std::string text;
        char const* problem;
    };
    using namespace std::string_literals;
    Row const rows[] = {
        {"", "rate \"\": expected a number (permits) at character 1, found the end; write permits/interval, "
             "e.g. 5/2s"},
        {"5/2x",
         "rate \"5/2x\": unknown unit \"x\" at character 4; use ms, s, m, h, day, week, month or year"},
        {"/s", "expected a number (permits) at character 1, found \"/\""},
        {"-5/s", "expected a number (permits) at character 1, found \"-\""},
        {"+5/s", "expected a number (permits) at character 1, found \"+\""},
        {" 5/s", "expected a number (permits) at character 1, found \" \""},
        {"5 /s", "expected \"/\" at character 2, found \" \""},
        {"5", "expected \"/\" at character 2, found the end"},
        {"5.5/s", "expected \"/\" at character 2, found \".\""},
        {"1e3/s", "expected \"/\" at character 2, found \"e\""},
        {"5/", "expected a unit at character 3, found the end"},
        {"5/ s", "expected a unit at character 3, found \" \""},
        {"5/-2s", "expected a unit at character 3, found \"-\""},
        {"5/2", "expected a unit at character 4, found the end"},
        {"5/2 s", "expected a unit at character 4, found \" \""},
        {"5/2.5s", "expected a unit at character 4, found \".\""},
        {"5/2S", "unknown unit \"S\" at character 4"},
        {"5/fortnight", "unknown unit \"fortnight\" at character 3"},
        {"5/2s ", "expected the end at character 5, found \" \""},
        {"5/2s/s", "expected the end at character 5, found \"/\""},
        {"5/2s3", "expected the end at character 5, found \"3\""},
        {"0/s", "permits at character 1 must be 1 to 4294967295, not 0"},
        {"00/s", "permits at character 1 must be 1 to 4294967295, not 00"},
        {"05/s", "permits at character 1 must not begin with 0"},
        {"4294967296/s", "permits at character 1 must be 1 to 4294967295, not 4294967296"},
        {"18446744073709551617/s",
         "permits at character 1 must be 1 to 4294967295, not 18446744073709551617"},
        {std::string(1000, '9') + "/s", "must be 1 to 4294967295, not 999999999999999999999999...;"},
        {"5/0s", "the interval's count at character 3 must be 1 to"},
        {"5/02s", "the interval's count at character 3 must not begin with 0"},
        {"5/999us", "the interval at character 3 is too short; 1 ms is the shortest"},
        {"5/us", "the interval at character 3 is too short"},
        {"5/3654days", "the interval at character 3 is too long; 10 years is the longest, here 3653days"},
        {"5/9223372036854775807s", "the interval's count at character 3 must be 1 to 315619200000000"},
        {"5/315619200000000w", "the interval at character 3 is too long"},
        {"5/11years", "the interval at character 3 is too long; 10 years is the longest, here 10years"},
        {"5/121months", "the interval at character 3 is too long; 10 years is the longest, here 120months"},
        {"5/315619201s@UTC", "the interval at character 3 is too long"},
        {"60/m;", "expected \"burst=\" at character 6, found the end"},
        {"60/m;brst=1", "expected \"burst=\" at character 6, found \"b\""},
        {"60/m;burst", "expected \"burst=\" at character 6, found \"b\""},
        {"60/m;burst=", "expected a number (burst) at character 12, found the end"},
        {"60/m;burst=-1", "expected a number (burst) at character 12, found \"-\""},
        {"60/m;burst=0", "burst at character 12 must be 1 to 4294967295, not 0"},
        {"60/m;burst=10;burst=10", "expected the end at character 14, found \";\""},
        {"1/day;burst=5@UTC", "a calendar rate cannot have the burst at character 6"},
        {"1/day@UTC;burst=5", "a calendar rate cannot have the burst at character 10"},
        {"1/month;burst=5", "a calendar rate cannot have the burst at character 8"},
        {"1/day@", "expected a time zone at character 7, found the end"},
        {"1/day@Mars/Base", "unknown time zone \"Mars/Base\" at character 7; use a name from the system's"},
        {"1/day@UTC ", "unknown time zone \"UTC \" at character 7"},
        {"1/day@UTC@UTC", "unknown time zone \"UTC@UTC\" at character 7"},
        {"1/day@localtime", "unknown time zone \"localtime\" at character 7"},
        {"1/day@../../etc/passwd", "unknown time zone \"../../etc/passwd\" at character 7"},
        {"1/ms@UTC", "\"ms\" at character 3 is not a unit of the calendar"},
        {"1/5us@UTC", "\"us\" at character 4 is not a unit of the calendar"},
        {"5/2s\n", "rate \"5/2s\\x0A\": expected the end at character 5, found \"\\x0A\""},
        {"5\0/s"s, "rate \"5\\x00/s\": expected \"/\" at character 2, found \"\\x00\""},
        {"\x1B[31m5/s", "rate \"\\x1B[31m5/s\": expected a number (permits) at character 1, found \"\\x1B\""},
        {"5/\xC2\xB5s", "expected a unit at character 3, found \"\\xC2\""},
        {"5/\"s\"", "rate \"5/\\\"s\\\"\": expected a unit at character 3, found \"\\\"\""},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.text);
        EXPECT_THAT(error_of(row.text), HasSubstr(row.problem));
    }
}

TEST(RateText, AnErrorIsShortHoweverLongTheText)
{
    EXPECT_LT(error_of("1/" + std::string(1'000'000, 'x')).size(), 400u);
    EXPECT_LT(error_of("1/day@" + std::string(1'000'000, '\0')).size(), 700u);
}

template <class ErrorCode>
void expect_error_code_instead_of_exception()
{
    ErrorCode error{Errc::queue_full};
    EXPECT_EQ(Rate::parse("5/2s", error), Rate::per(5, 2s));
    EXPECT_FALSE(error);
    EXPECT_EQ(Rate::parse("5/2x", error), Rate::per(1, Rate::max_interval)) << "the tightest rate there is";
    EXPECT_EQ(error, Errc::invalid_argument);
}

TEST(RateText, SaysItByErrorCodeIfAsked)
{
    expect_error_code_instead_of_exception<std::error_code>();
    expect_error_code_instead_of_exception<boost::system::error_code>();
}

}  // namespace
}  // namespace ration
