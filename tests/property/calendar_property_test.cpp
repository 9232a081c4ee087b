// Windows of the calendar against two laws (they tile time; months are made of days) and against models that
// scan the clock minute by minute, straight from the definition in calendar.hpp.

#include "core/calendar.hpp"
#include "core/rate_bounds.hpp"
#include "property/seed.hpp"

#include <date/tz.h>
#include <gtest/gtest.h>

#include <vector>

namespace ration::core {
namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::minutes;
using testing::often;
using testing::Random;
using testing::seed_text;

constexpr Time first_moment{};
constexpr Time last_moment{std::chrono::sys_days{std::chrono::year{2200} / 1 / 1}};

Duration local(date::time_zone const& zone, Time moment)
{
    return moment.time_since_epoch() + zone.get_info(moment).offset;
}

std::vector<date::time_zone const*> all_zones()
{
    std::vector<date::time_zone const*> zones;
    for (auto const& zone : date::get_tzdb().zones) {
        if (zone.name() != "localtime") zones.push_back(&zone);
    }
    return zones;
}

// Any moment, or with the same chance one close to a change of the clocks.
Time random_moment(Random& random, date::time_zone const& zone, Time from)
{
    auto const moment = from + Duration{random.between<std::int64_t>(0, (last_moment - from).count())};
    if (random.one_in(2)) return moment;
    auto const change = zone.get_info(from + (moment - from) / 4).end;  // most changes lie before 2037
    if (change > last_moment - days{4}) return moment;
    return change
           + Duration{random.between<std::int64_t>(-1, 1) * random.magnitude(Duration{days{3}}.count())};
}

Rate random_rate(Random& random, std::string const& zone)
{
    auto const unit = static_cast<CalendarUnit>(random.between(0, 6));
    auto const every = random.one_in(2) ? 1 : static_cast<int>(random.magnitude(max_every(unit)));
    return Rate::calendar(1, unit, zone, every);
}

std::string describe(Rate const& rate, Time wall)
{
    return to_string(rate) + " at " + std::to_string(wall.time_since_epoch().count()) + " us, " + seed_text();
}

void expect_tiling(Rate const& rate, Time wall)
{
    SCOPED_TRACE(describe(rate, wall));
    auto const window = calendar_window_at(rate, wall);
    ASSERT_LE(window.begin, wall);
    ASSERT_LT(wall, window.end);
    ASSERT_EQ(calendar_window_at(rate, window.begin), window);
    ASSERT_EQ(calendar_window_at(rate, window.end - 1us), window);
    ASSERT_EQ(calendar_window_at(rate, window.end).begin, window.end);
    ASSERT_EQ(calendar_window_at(rate, window.begin - 1us).end, window.begin);
    ASSERT_LE(window.end - window.begin, 2 * rate.interval() + days{1}) << "changes of the clocks are small";
}

TEST(CalendarProperty, WindowsTileTime)
{
    auto const zones = all_zones();
    Random random;
    for (int i = 0; i < often(20'000) && !::testing::Test::HasFailure(); ++i) {
        auto const& zone = *random.pick(zones);
        expect_tiling(random_rate(random, zone.name()), random_moment(random, zone, first_moment));
    }
}

TEST(CalendarProperty, WindowsTileTimeAroundEveryChange)
{
    for (auto const* const zone : all_zones()) {
        for (auto const* const unit : {"h", "6h", "day", "2days", "week", "month"}) {
            auto const rate = Rate::parse(std::string{"1/"} + unit + "@" + zone->name());
            auto change = zone->get_info(first_moment).end;
            for (; change < last_moment && !::testing::Test::HasFailure();
                 change = zone->get_info(change).end) {
                expect_tiling(rate, change);
                expect_tiling(rate, change - 1us);
            }
        }
    }
}

TEST(CalendarProperty, LargerUnitsAreMadeOfDays)
{
    auto const zones = all_zones();
    Random random;
    for (int i = 0; i < often(20'000) && !::testing::Test::HasFailure(); ++i) {
        auto const& zone = *random.pick(zones);
        auto const wall = random_moment(random, zone, first_moment);
        auto const unit = static_cast<CalendarUnit>(random.between(4, 6));
        auto const every = static_cast<int>(random.magnitude(max_every(unit)));
        auto const rate = Rate::calendar(1, unit, zone.name(), every);
        SCOPED_TRACE(describe(rate, wall));

        auto const begin = calendar_window_at(rate, wall).begin;
        ASSERT_EQ(calendar_window_at(Rate::calendar(1, CalendarUnit::day, zone.name()), begin).begin, begin);
        auto const day = std::chrono::floor<days>(local(zone, begin));
        std::chrono::year_month_day const date{std::chrono::sys_days{day}};
        auto const months =
            (static_cast<int>(date.year()) - 1970) * 12 + static_cast<int>(unsigned{date.month()}) - 1;
        if (unit == CalendarUnit::week) {
            ASSERT_EQ((day.count() + 3) % (std::int64_t{7} * every), 0);
        } else {
            ASSERT_EQ(unsigned{date.day()}, 1u);
            ASSERT_EQ(months % (unit == CalendarUnit::month ? every : 12 * every), 0);
        }
    }
}

// ---- models: from a few days before `wall`, minute by minute ----

using BeginsWindow = bool (*)(Duration now, Duration before, Duration highest, Duration length);

// A date begins when the clock shows more than it ever has, and that is a new multiple.
bool date_begins(Duration now, Duration, Duration highest, Duration length)
{
    return std::chrono::floor<minutes>(now) / length > highest / length;
}

// An hour begins when the clock shows a multiple, or has jumped forward over one.
bool hour_begins(Duration now, Duration before, Duration, Duration length)
{
    return now % length == 0us || now / length > before / length;
}

Window scan(date::time_zone const& zone, Time wall, Duration length, BeginsWindow begins)
{
    Window window{};
    auto moment = std::chrono::floor<minutes>(wall) - length * 2 - days{3};
    Duration highest = local(zone, moment - 1us);
    for (;; moment += 1min) {
        auto const now = local(zone, moment);
        auto const before = local(zone, moment - 1us);
        highest = std::max(highest, before);
        if (begins(now, before, highest, length)) {
            if (moment > wall) break;
            window.begin = moment;
        }
    }
    window.end = moment;
    return window;
}

void expect_same_as_model(Random& random, date::time_zone const& zone)
{
    // By then every zone's offset is a whole number of minutes.
    constexpr Time from{std::chrono::sys_days{std::chrono::year{1973} / 1 / 1}};
    auto const wall = std::max(from, random_moment(random, zone, from));
    bool const civil = random.one_in(2);
    auto const every = random.one_in(2) ? 1 : static_cast<int>(random.magnitude(civil ? 3 : 72));
    auto const rate = Rate::calendar(1, civil ? CalendarUnit::day : CalendarUnit::hour, zone.name(), every);
    SCOPED_TRACE(describe(rate, wall));
    ASSERT_EQ(calendar_window_at(rate, wall),
              scan(zone, wall, rate.interval(), civil ? date_begins : hour_begins));
}

TEST(CalendarProperty, DaysAndHoursAreWhatTheClockShows)
{
    auto const zones = all_zones();
    Random random;
    for (int i = 0; i < often(600) && !::testing::Test::HasFailure(); ++i)
        expect_same_as_model(random, *random.pick(zones));
}

TEST(CalendarProperty, DaysAndHoursAreWhatTheClockShowsInOddZones)
{
    Random random;
    for (auto const* const name :
         {"America/Sao_Paulo", "Asia/Beirut", "America/St_Johns", "Pacific/Apia", "Australia/Lord_Howe",
          "Asia/Kathmandu", "Africa/Casablanca", "Pacific/Kwajalein", "Antarctica/Troll", "Asia/Pyongyang",
          "America/Caracas", "Africa/Cairo"}) {
        auto const& zone = *date::locate_zone(name);
        for (int i = 0; i < 40 && !::testing::Test::HasFailure(); ++i) expect_same_as_model(random, zone);
    }
}

}  // namespace
}  // namespace ration::core
