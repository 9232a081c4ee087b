// What a look at the keys of a limiter says, without a server: every layout, and states that only others leave behind.

#include "redis/sight.hpp"

#include <ration/error.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace ration::redis {
namespace {

using namespace std::chrono_literals;

Time const now{1'800'000'000s};

RawState::Member member(Duration age, std::uint32_t permits, std::size_t size = 21)
{
    std::string bytes(size, 'r');
    std::memcpy(bytes.data() + size - sizeof permits, &permits, sizeof permits);
    return {bytes, static_cast<double>((now - age).time_since_epoch().count()) / 1000};
}

LimiterConfig config(Rate const& rate, Algorithm algorithm = Algorithm::sliding_log)
{
    return {.rate = rate, .algorithm = algorithm};
}

struct Row {
    char const* what;
    RawState raw;
    Permits available;
    Permits in_use;
    Duration next;
    Duration reset;
};

void expect_rows(LimiterConfig const& limiter, std::vector<Row> const& rows)
{
    for (auto const& row : rows) {
        SCOPED_TRACE(row.what);
        auto const sight = see_state(limiter, row.raw, now);
        EXPECT_EQ(sight.available, row.available);
        EXPECT_EQ(sight.in_use, row.in_use);
        EXPECT_EQ(sight.next_permit, row.next);
        EXPECT_EQ(sight.reset, row.reset);
    }
}

TEST(Sight, of_a_log)
{
    expect_rows(config(Rate::per(5, 10s)),
                {
                    {"never used", {}, 5, 0, 0s, 0s},
                    {"some in use", {.value = "3", .members = 1, .live = {member(4s, 2)}}, 3, 2, 0s, 6s},
                    {"all in use",
                     {.value = "0", .members = 2, .live = {member(7s, 2), member(1s, 3)}},
                     0,
                     5,
                     3s,
                     9s},
                    {"in debt after a lower rate: the second grant must free up, too",
                     {.value = "-2", .members = 2, .live = {member(7s, 2), member(1s, 5)}},
                     0,
                     7,
                     9s,
                     9s},
                    {"a stale value does not matter",
                     {.value = "5", .members = 1, .live = {member(4s, 2)}},
                     3,
                     2,
                     0s,
                     6s},
                    {"no value", {.members = 1, .live = {member(4s, 2)}}, 3, 2, 0s, 6s},
                    {"a value without a log counts as granted now", {.value = "0"}, 0, 5, 10s, 10s},
                    {"a value above the rate", {.value = "9"}, 5, 0, 0s, 0s},
                    {"a grant of a fast clock",
                     {.value = "3", .members = 1, .live = {member(-2s, 2)}},
                     3,
                     2,
                     0s,
                     12s},
                    {"all expired", {.value = "1", .members = 3}, 5, 0, 0s, 0s},
                });
    EXPECT_TRUE(see_state(config(Rate::per(5, 10s)), {.value = "0"}, now).log.empty())
        << "nobody was granted that";
}

TEST(Sight, of_a_log_that_is_too_long_goes_by_the_value)
{
    auto const sight =
        see_state(config(Rate::per(5000, 10s)),
                  {.value = "4000", .members = 900, .live = {member(9s, 1)}, .all_read = false}, now);
    EXPECT_FALSE(sight.exact);
    EXPECT_EQ(sight.available, 4000);
}

TEST(Sight, of_a_fixed_window)
{
    expect_rows(
        config(Rate::per(5, 10s), Algorithm::fixed_window),
        {
            {"never used", {}, 5, 0, 0s, 0s},
            {"open", {.value = "2", .value_ttl_ms = 4000}, 2, 3, 0s, 4s},
            {"used up", {.value = "0", .value_ttl_ms = 4000}, 0, 5, 4s, 4s},
            {"without an end it has the interval", {.value = "0", .value_ttl_ms = -1}, 0, 5, 10s, 10s},
            {"with too much of it, too", {.value = "0", .value_ttl_ms = 99'000}, 0, 5, 10s, 10s},
            {"over this very moment", {.value = "0", .value_ttl_ms = 0}, 5, 0, 0s, 0s},
        });
}

TEST(Sight, of_a_calendar_window)
{
    auto const end = [](Duration left) { return std::to_string((now + left).time_since_epoch().count()); };
    expect_rows(config(Rate::calendar(5, CalendarUnit::day), Algorithm::calendar_window),
                {
                    {"never used", {}, 5, 0, 0s, 0s},
                    {"open", {.state = "2 " + end(1h)}, 3, 2, 0s, 1h},
                    {"used up", {.state = "5 " + end(1h)}, 0, 5, 1h, 1h},
                    {"over", {.state = "5 " + end(-1s)}, 5, 0, 0s, 0s},
                });
}

TEST(Sight, of_a_bucket)
{
    auto const state = [](Duration age, double missing, double parts) {
        double const numbers[] = {static_cast<double>((now - age).time_since_epoch().count()), missing,
                                  parts};
        return std::string{reinterpret_cast<char const*>(numbers), sizeof numbers};
    };
    expect_rows(config(Rate::per_minute(60).with_burst(10), Algorithm::token_bucket),
                {
                    {"full", {}, 10, 0, 0s, 0s},
                    {"just used", {.state = state(0s, 4, 0)}, 6, 4, 0s, 4s},
                    {"one comes back each second", {.state = state(1500ms, 4, 0)}, 7, 3, 0s, 2500ms},
                    {"empty", {.state = state(0s, 10, 0)}, 0, 10, 1s, 10s},
                    {"full again", {.state = state(1min, 10, 0)}, 10, 0, 0s, 0s},
                });
}

TEST(Sight, of_what_is_no_state_is_an_error)
{
    auto const incompatible = [](LimiterConfig const& limiter, RawState const& raw) {
        try {
            see_state(limiter, raw, now);
            ADD_FAILURE();
        } catch (Error const& error) {
            EXPECT_EQ(error.code(), Errc::incompatible_data);
        }
    };
    auto const rate = Rate::per_second(5);
    incompatible(config(rate), {.value = "many"});
    incompatible(config(rate), {.members = 1, .live = {member(0s, 1, 9)}});
    incompatible(config(rate, Algorithm::fixed_window), {.value = "1.5", .value_ttl_ms = 5});
    incompatible(config(rate, Algorithm::token_bucket), {.state = "1 2 3"});
    incompatible(config(rate, Algorithm::token_bucket), {.state = std::string(24, '\xff')});
    incompatible(config(Rate::calendar(5, CalendarUnit::day), Algorithm::calendar_window), {.state = "1"});
}

TEST(Generation, is_told_by_the_length_of_members)
{
    using enum Generation;
    EXPECT_EQ(generation_of({}), std::nullopt);
    EXPECT_EQ(generation_of({member(1s, 1, 8)}), redisson_3_13_3);
    EXPECT_EQ(generation_of({member(1s, 1, 20)}), redisson_3_16_4);
    EXPECT_EQ(generation_of({member(1s, 1, 13)}), redisson_3_17);
    EXPECT_EQ(generation_of({member(1s, 1, 21), member(1s, 2, 21)}), redisson_3_21);
    EXPECT_EQ(generation_of({member(1s, 1, 21), member(1s, 2, 13)}), mixed);
    EXPECT_TRUE(looks_like_counter({.value = "3", .value_ttl_ms = 500}, std::nullopt));
    EXPECT_FALSE(looks_like_counter({.value = "3", .value_ttl_ms = 500}, 1s))
        << "a time to live like the limiter's own";
    EXPECT_FALSE(looks_like_counter({.value = "3", .value_ttl_ms = -1}, std::nullopt));
    EXPECT_FALSE(looks_like_counter({.value = "3", .value_ttl_ms = 500, .members = 1}, std::nullopt));
}

}  // namespace
}  // namespace ration::redis
