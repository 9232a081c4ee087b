#include "core/rate_bounds.hpp"

#include <ration/rate.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>

namespace ration {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using testing::HasSubstr;

// ---- at compile time ----

static_assert(Rate::per(5, 2s).permits() == 5);
static_assert(Rate::per(5, 2s).interval() == 2s);
static_assert(Rate::per_second(1) == Rate::per(1, 1s));
static_assert(Rate::per_minute(1) == Rate::per(1, 60s));
static_assert(Rate::per_hour(1) == Rate::per(1, 60min));
static_assert(Rate::per_day(1) == Rate::per(1, 24h));
static_assert(Rate::per_minute(60).with_burst(10).burst() == 10);
static_assert(Rate::per_minute(60).with_burst(10).capacity() == 10);
static_assert(Rate::per_minute(60).capacity() == 60);
static_assert(!Rate::per_minute(60).burst());
static_assert(Rate::per_minute(60) != Rate::per_minute(60).with_burst(60));
static_assert(!Rate::per_day(1).is_calendar());

template <Permits N>
concept RateOf = requires
{
    typename std::bool_constant<(Rate::per_second(N).permits() > 0)>;
};
template <std::int64_t Microseconds>
concept RateEvery = requires
{
    typename std::bool_constant<(Rate::per(1, Duration{Microseconds}).permits() > 0)>;
};
template <Permits N>
concept RateWithBurst = requires
{
    typename std::bool_constant<(Rate::per_second(1).with_burst(N).permits() > 0)>;
};

static_assert(RateOf<1> && RateOf<4'294'967'295>);
static_assert(!RateOf<0> && !RateOf<-1> && !RateOf<4'294'967'296>, "nonsense does not compile");
static_assert(RateEvery<1'000> && RateEvery<Rate::max_interval.count()>);
static_assert(
    !RateEvery<999> && !RateEvery<0> && !RateEvery<-1'000> && !RateEvery<Rate::max_interval.count() + 1>);
static_assert(RateWithBurst<1> && RateWithBurst<4'294'967'295>);
static_assert(!RateWithBurst<0> && !RateWithBurst<-1> && !RateWithBurst<4'294'967'296>);

// Any unit that fits in ten years, and not one more.
static_assert(core::max_every(CalendarUnit::second) == 315'619'200);
static_assert(core::max_every(CalendarUnit::day) == 3653);
static_assert(core::max_every(CalendarUnit::week) == 521);
static_assert(core::nominal_length(CalendarUnit::month, 120) == Rate::max_interval);
static_assert(core::nominal_length(CalendarUnit::year, 10) == Rate::max_interval);
static_assert(core::nominal_length(CalendarUnit::month, 12) == core::nominal_length(CalendarUnit::year, 1));

// ---- at run time ----

std::string error_of(auto&& make)
{
    try {
        static_cast<void>(make());
    } catch (Error const& error) {
        EXPECT_EQ(error.code(), Errc::invalid_argument);
        return error.what();
    }
    return "no error";
}

TEST(Rate, NonsenseThrowsASentence)
{
    EXPECT_EQ(error_of([] { return Rate::per_second(0); }),
              "a rate's permits must be 1 to 4294967295, not 0");
    EXPECT_EQ(error_of([] { return Rate::per_second(-1); }),
              "a rate's permits must be 1 to 4294967295, not -1");
    EXPECT_EQ(error_of([] { return Rate::per_second(4'294'967'296); }),
              "a rate's permits must be 1 to 4294967295, not 4294967296");
    EXPECT_EQ(error_of([] { return Rate::per(1, 999us); }),
              "a rate's interval must be 1 ms to 3653 days (10 years), not 999 us");
    EXPECT_EQ(error_of([] { return Rate::per(1, Duration::min()); }),
              "a rate's interval must be 1 ms to 3653 days (10 years), not -9223372036854775808 us");
    EXPECT_EQ(error_of([] { return Rate::per_second(1).with_burst(0); }),
              "a rate's burst must be 1 to 4294967295, not 0");
    EXPECT_THAT(error_of([] { return Rate::calendar(1, CalendarUnit::day).with_burst(5); }),
                HasSubstr("a calendar rate cannot have a burst"));
}

TEST(Rate, CalendarKnowsItsUnit)
{
    auto const quarter = Rate::calendar(7, CalendarUnit::month, "Europe/Berlin", 3);
    EXPECT_TRUE(quarter.is_calendar());
    EXPECT_EQ(quarter.permits(), 7);
    EXPECT_EQ(quarter.capacity(), 7);
    EXPECT_EQ(quarter.unit(), CalendarUnit::month);
    EXPECT_EQ(quarter.every(), 3);
    EXPECT_EQ(quarter.zone(), "Europe/Berlin");
    EXPECT_EQ(quarter.interval(), days{93});

    EXPECT_EQ(Rate::calendar(1, CalendarUnit::day).zone(), "UTC");
    EXPECT_EQ(Rate::calendar(1, CalendarUnit::day).interval(), 24h);
    EXPECT_EQ(Rate::calendar(1, CalendarUnit::year).interval(), days{366});
    EXPECT_NE(Rate::calendar(1, CalendarUnit::day), Rate::per_day(1))
        << "elapsed time and calendar are different";
}

TEST(Rate, ZoneOutlivesTheTextItWasGivenAs)
{
    auto zone = std::make_unique<std::string>("Asia/Shanghai");
    auto const rate = Rate::calendar(1, CalendarUnit::day, *zone);
    zone.reset();
    EXPECT_EQ(rate.zone(), "Asia/Shanghai");
}

TEST(Rate, CalendarRefusesNonsense)
{
    using Unit = CalendarUnit;
    EXPECT_THAT(error_of([] { return Rate::calendar(0, Unit::day); }), HasSubstr("permits must be 1 to"));
    EXPECT_EQ(error_of([] { return Rate::calendar(1, Unit::month, "UTC", 0); }),
              "a calendar rate must span 1 to 120 of its units (10 years at most), not 0");
    EXPECT_THAT(error_of([] { return Rate::calendar(1, Unit::month, "UTC", 121); }), HasSubstr("not 121"));
    EXPECT_THAT(
        error_of([] { return Rate::calendar(1, Unit::week, "UTC", std::numeric_limits<int>::max()); }),
        HasSubstr("1 to 521"));
    EXPECT_THAT(error_of([] { return Rate::calendar(1, static_cast<Unit>(99)); }),
                HasSubstr("calendar unit"));

    using namespace std::string_view_literals;
    for (auto const zone :
         {"Mars/Base"sv, ""sv, "utc"sv, "America"sv, "../../etc/passwd"sv, "/etc/localtime"sv, "localtime"sv,
          "posixrules"sv, "Factory"sv, "right/UTC"sv, "posix/UTC"sv, "zone.tab"sv, "tzdata.zi"sv,
          "leapseconds"sv, "Europe/Berlin "sv, "UTC\0"sv, "UTC\0x"sv, "Europe/"sv}) {
        SCOPED_TRACE(zone);
        EXPECT_THAT(error_of([&] { return Rate::calendar(1, Unit::day, zone); }),
                    HasSubstr("unknown time zone"));
    }
    EXPECT_THAT(error_of([] { return Rate::calendar(1, Unit::day, std::string(100'000, 'x')); }),
                testing::SizeIs(testing::Lt(300u)));
}

}  // namespace
}  // namespace ration
