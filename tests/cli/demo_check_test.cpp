// The demo's own judge: it must find what is wrong, or its "checked" would mean nothing.

#include "cli/demo_check.hpp"

#include <gtest/gtest.h>

namespace ration::cli {
namespace {

using namespace std::chrono_literals;

struct Row {
    char const* what;
    Algorithm algorithm;
    Rate rate;
    std::vector<Duration> grants;
    bool holds;
    Permits most;
    Duration window_end{};  // calendar_window: of the first grant
};

Row const rows[] = {
    // ---- sliding_log
    {"nothing happened", Algorithm::sliding_log, Rate::per_second(2), {}, true, 0},
    {"as many as allowed", Algorithm::sliding_log, Rate::per_second(2), {0s, 0s}, true, 2},
    {"one too many at once", Algorithm::sliding_log, Rate::per_second(2), {0s, 0s, 0s}, false, 3},
    {"free again after exactly a second",
     Algorithm::sliding_log,
     Rate::per_second(2),
     {0s, 0s, 1s, 1s},
     true,
     2},
    {"a microsecond too early", Algorithm::sliding_log, Rate::per_second(2), {0s, 0s, 999'999us}, false, 3},
    {"around the turn of a second",
     Algorithm::sliding_log,
     Rate::per_second(2),
     {900ms, 900ms, 1s, 1s},
     false,
     4},
    // ---- fixed_window: opens with its first grant
    {"full windows side by side", Algorithm::fixed_window, Rate::per_second(2), {0s, 999ms, 1s, 1s}, true, 2},
    {"one too many in a window",
     Algorithm::fixed_window,
     Rate::per_second(2),
     {300ms, 900ms, 1299ms},
     false,
     3},
    {"the next window opens late",
     Algorithm::fixed_window,
     Rate::per_second(2),
     {0s, 0s, 1500ms, 2400ms},
     true,
     2},
    // ---- calendar_window: ends where the calendar says
    {"a short first window",
     Algorithm::calendar_window,
     Rate::per_second(2),
     {0s, 0s, 200ms},
     true,
     2,
     200ms},
    {"one too many before the turn",
     Algorithm::calendar_window,
     Rate::per_second(2),
     {0s, 0s, 199ms},
     false,
     3,
     200ms},
    // ---- token_bucket: capacity + T x rate
    {"a full bucket and its refill",
     Algorithm::token_bucket,
     Rate::per_second(2),
     {0s, 0s, 500ms, 1s},
     true,
     3},
    {"a refill too early", Algorithm::token_bucket, Rate::per_second(2), {0s, 0s, 499'999us}, false, 3},
    {"a bucket never holds more than its burst",
     Algorithm::token_bucket,
     Rate::per_second(2).with_burst(1),
     {9s, 9s},
     false,
     2},
    {"the largest rate does not overflow",
     Algorithm::token_bucket,
     Rate::per(Rate::max_permits, Rate::max_interval),
     {0s, 1h},
     true,
     2},
};

TEST(Check, judges_by_the_promise_of_the_algorithm)
{
    for (auto const& row : rows) {
        SCOPED_TRACE(row.what);
        LimiterConfig const config{.rate = row.rate, .algorithm = row.algorithm};
        std::vector<DemoGrant> grants;
        for (auto const at : row.grants) {
            grants.push_back({at, at < row.window_end ? row.window_end - at : Duration{1s}});
        }
        auto const result = check_grants(config, grants);
        EXPECT_EQ(result.holds, row.holds);
        EXPECT_EQ(result.most, row.most);
    }
}

TEST(Check, says_it_in_words)
{
    LimiterConfig const config{.rate = Rate::per_second(2)};
    auto const good = check_grants(config, {{0s, 1s}});
    EXPECT_EQ(check_sentence(good, 1), "checked: 1 grant, no span of 1s held more than 2 (most: 1)");
    auto const bad = check_grants(config, {{0s, 1s}, {0s, 1s}, {0s, 1s}});
    EXPECT_EQ(check_sentence(bad, 3),
              "broken: 3 grants; it should be that no span of 1s held more than 2 (most: 3)");
}

}  // namespace
}  // namespace ration::cli
