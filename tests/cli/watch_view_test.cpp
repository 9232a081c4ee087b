// What `ration watch` draws is a pure function of what it has seen.

#include "cli/watch_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ration::cli {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Time const noon{1'800'000'000s};

redis::LimiterSight sight(Time now, std::vector<redis::LogEntry> const& log)
{
    redis::LimiterSight seen{.name = "mail", .config = {.rate = Rate::per(10, 10s)}};
    seen.now = now;
    for (auto const& entry : log) {
        if (entry.at <= now - 10s || entry.at > now) continue;
        seen.state.log.push_back(entry);
        seen.state.in_use += entry.permits;
    }
    seen.state.available = 10 - seen.state.in_use;
    if (seen.state.available == 0) seen.state.next_permit = seen.state.log.front().at + 10s - now;
    return seen;
}

/// Looked at once per second for 20 s: 4 permits taken at the 5th, 6 at the 8th.
WatchedLimiter watched()
{
    WatchedLimiter limiter{"mail"};
    for (int second = 0; second <= 12; ++second)
        limiter.saw(sight(noon + second * 1s, {{noon + 4500ms, 4}, {noon + 7500ms, 6}}));
    return limiter;
}

TEST(Watched, counts_grants_from_the_log)
{
    WatchedLimiter limiter{"mail"};
    EXPECT_EQ(limiter.granted_in_last_second(), 0);
    limiter.saw(sight(noon, {{noon - 500ms, 3}}));
    EXPECT_EQ(limiter.granted_in_last_second(), 3);
    limiter.saw(sight(noon + 200ms, {{noon - 500ms, 3}, {noon + 100ms, 2}}));
    EXPECT_EQ(limiter.granted_in_last_second(), 5);
    EXPECT_EQ(limiter.samples().back().granted, 2);
    limiter.saw(sight(noon + 800ms, {{noon - 500ms, 3}, {noon + 100ms, 2}}));
    EXPECT_EQ(limiter.granted_in_last_second(), 2);
}

TEST(Watched, counts_grants_without_a_log_from_what_is_in_use)
{
    auto const window = [](Time now, Permits in_use) {
        redis::LimiterSight seen{
            .name = "w", .config = {.rate = Rate::per(10, 10s), .algorithm = Algorithm::fixed_window}};
        seen.now = now;
        seen.state.in_use = in_use;
        seen.state.available = 10 - in_use;
        return seen;
    };
    WatchedLimiter limiter{"w"};
    limiter.saw(window(noon, 3));
    limiter.saw(window(noon + 500ms, 7));
    EXPECT_EQ(limiter.granted_in_last_second(), 4);
    limiter.saw(window(noon + 600ms, 2));  // another window
    EXPECT_EQ(limiter.granted_in_last_second(), 6);
}

TEST(Watched, remembers_a_minute)
{
    WatchedLimiter limiter{"mail"};
    for (int second = 0; second < 200; ++second) limiter.saw(sight(noon + second * 1s, {}));
    EXPECT_EQ(limiter.samples().size(), 61U);
}

TEST(WatchPicture, shows_what_was_free_and_what_was_granted)
{
    auto const lines = draw_watch({watched()}, {.columns = 70, .rows = 10});
    ASSERT_GE(lines.size(), 8U);
    EXPECT_THAT(lines[0], StartsWith("mail  10/10s sliding_log overall"));
    // 60 columns for 60 s: full for 5 s, then 6 of 10, then none.
    EXPECT_EQ(lines[1], "       10                                                #####");
    EXPECT_THAT(lines[6], HasSubstr("free 0"));
    EXPECT_THAT(lines[6], HasSubstr("########_____"));
    EXPECT_THAT(lines[7], HasSubstr("granted"));
    EXPECT_EQ(lines[9], "0 of 10 free, 0 granted in the last second, next permit in 2.500s");
}

TEST(WatchPicture, never_exceeds_the_screen)
{
    auto many = watched();
    auto seen = *many.sight();
    seen.config.type = RateType::per_client;
    for (int i = 0; i < 30; ++i) seen.clients.push_back({"client-" + std::to_string(i), seen.state});
    WatchedLimiter per_client{"mail"};
    per_client.saw(seen);
    WatchedLimiter unseen{"a name that is rather long, and longer than some screens are wide"};
    unseen.failed("it could not be reached, for a reason that takes many words to tell in full");
    for (int const columns : {1, 5, 12, 40, 79, 80, 300}) {
        for (int const rows : {1, 2, 3, 5, 8, 24, 60}) {
            for (std::size_t count : {1U, 2U, 3U, 5U}) {
                std::vector<WatchedLimiter> limiters{many, per_client, unseen, many, per_client};
                limiters.resize(count, unseen);
                auto const lines = draw_watch(limiters, {.columns = columns, .rows = rows});
                EXPECT_LE(static_cast<int>(lines.size()), rows);
                for (auto const& line : lines) EXPECT_LE(static_cast<int>(line.size()), columns) << line;
            }
        }
    }
}

TEST(WatchPicture, says_how_many_do_not_fit)
{
    std::vector<WatchedLimiter> const limiters(5, watched());
    EXPECT_EQ(draw_watch(limiters, {.columns = 80, .rows = 10}).back(),
              "and 3 more limiters: make the window larger");
}

TEST(WatchPicture, goes_on_showing_what_was_seen_when_there_is_a_problem)
{
    auto limiter = watched();
    limiter.failed("the store is away");
    auto const lines = draw_watch({limiter}, {.columns = 70, .rows = 10});
    EXPECT_THAT(lines[6], HasSubstr("########_____"));
    EXPECT_EQ(lines.back(), "the store is away");
    EXPECT_EQ(watch_line(limiter), "mail the store is away");
    EXPECT_EQ(watch_json(limiter), R"({"limiter":"mail","problem":"the store is away"})");
}

TEST(WatchPicture, of_a_limit_per_client_shows_who_has_least)
{
    auto seen = *watched().sight();
    seen.config.type = RateType::per_client;
    auto rich = seen.state;
    rich.available = 7;
    seen.clients = {{"poor", seen.state}, {"rich", rich}};
    seen.state = {};
    seen.state.available = 10;
    WatchedLimiter limiter{"mail"};
    limiter.saw(seen);
    std::string text;
    for (auto const& line : draw_watch({limiter}, {.columns = 100, .rows = 24})) text += line + "\n";
    EXPECT_THAT(text, HasSubstr("0 of 10 free for who has least"));
    EXPECT_THAT(text, HasSubstr("  poor  0 of 10 free, next permit in 2.500s"));
    EXPECT_THAT(text, HasSubstr("  rich  7 of 10 free, next permit now"));
}

}  // namespace
}  // namespace ration::cli
