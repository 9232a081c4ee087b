// `ration demo` on the embedded store: the real binary, piped and on a terminal.

#include "cli/json.hpp"
#include "cli/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ration::cli_test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

// ---- piped ----

TEST(Demo, prints_a_line_per_grant_and_wait_when_piped)
{
    auto const result = run({"demo", "--workers", "5", "--rate", "2/100ms", "--grants", "6"});
    EXPECT_EQ(result.exit, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));

    auto const lines = lines_of(result.out);
    ASSERT_GT(lines.size(), 8U);
    EXPECT_EQ(lines.front(), "5 workers share a limiter of 2/100ms (sliding_log) on the embedded store");
    EXPECT_THAT(lines.back(),
                MatchesRegex("checked: 6 grants, no span of 100ms held more than 2 \\(most: [12]\\)"));
    EXPECT_THAT(lines[1], MatchesRegex("  0\\.[0-9]{3}s worker 0[1-5] granted, 1 left"));
    int granted = 0;
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
        EXPECT_THAT(lines[i],
                    MatchesRegex(" *[0-9]+\\.[0-9]{3}s worker 0[1-5] (granted( after [0-9.]+s)?, [01] left|"
                                 "waits, next permit in [0-9.]+s)"));
        granted += lines[i].find("granted") != std::string::npos;
    }
    EXPECT_EQ(granted, 6);
}

TEST(Demo, checks_the_promise_of_each_algorithm)
{
    struct Row {
        char const* algorithm;
        char const* rate;
        char const* promise;
    };
    Row const rows[] = {
        {"sliding_log", "5/100ms", "no span of 100ms held more than 5"},
        {"fixed_window", "5/100ms", "windows of 100ms held more than 5"},
        {"calendar_window", "5/s@Asia/Shanghai", "of s@Asia/Shanghai held more than 5"},
        {"token_bucket", "5/100ms",
         "no span of time held more than the bucket's 5 and the refill of 5 per 100ms"},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.algorithm);
        auto const result = run({"demo", "--workers", "8", "--rate", row.rate, "--duration", "300ms",
                                 "--algorithm", row.algorithm});
        EXPECT_EQ(result.exit, 0);
        EXPECT_THAT(lines_of(result.out).back(), StartsWith("checked: "));
        EXPECT_THAT(lines_of(result.out).back(), HasSubstr(row.promise));
    }
}

TEST(Demo, prints_an_object_per_line_with_json)
{
    auto const result = run({"demo", "--json", "--workers", "4", "--rate", "2/50ms", "--grants", "4"});
    EXPECT_EQ(result.exit, 0);
    std::vector<boost::json::object> objects;
    for (auto const& line : lines_of(result.out)) objects.push_back(boost::json::parse(line).as_object());
    ASSERT_GE(objects.size(), 6U);
    EXPECT_EQ(objects.front().at("event").as_string(), "start");
    EXPECT_EQ(objects.front().at("rate").as_string(), "2/50ms");
    EXPECT_EQ(objects.front().at("interval_ms").as_int64(), 50);
    for (std::size_t i = 1; i + 1 < objects.size(); ++i) {
        auto const& decision = objects[i];
        EXPECT_EQ(decision.at("limiter").as_string(), "demo");
        EXPECT_EQ(decision.at("granted").as_bool(), decision.at("event").as_string() == "granted");
        EXPECT_EQ(decision.at("basis").as_string(), "store");
        for (auto const* number : {"at_ms", "worker", "remaining", "retry_after_ms", "reset_after_ms"}) {
            EXPECT_TRUE(decision.at(number).is_number()) << number;
        }
    }
    EXPECT_EQ(objects.back().at("event").as_string(), "checked");
    EXPECT_EQ(objects.back().at("grants").as_int64(), 4);
    EXPECT_TRUE(objects.back().at("holds").as_bool());
}

// ---- on a terminal ----

std::string after_leaving(std::string const& output)
{
    std::string const leave = TerminalProcess::leave;
    auto const left = output.find(leave);
    return left == output.npos ? "" : output.substr(left + leave.size());
}

TEST(LiveDemo, draws_on_a_screen_of_its_own_and_leaves_the_last_picture)
{
    TerminalProcess demo{
        {"demo", "--workers", "5", "--rate", "2/100ms", "--grants", "6"}, {{"LANG", "C.UTF-8"}}, 80, 24};
    EXPECT_EQ(demo.finish(), 0);
    EXPECT_THAT(demo.output(), StartsWith(TerminalProcess::enter));
    EXPECT_THAT(demo.output(), HasSubstr("\x1b[1;32m●"));
    auto const rest = after_leaving(demo.output());
    EXPECT_THAT(rest, HasSubstr("6 granted"));
    EXPECT_THAT(rest, HasSubstr("checked: 6 grants, no span of 100ms held more than 2 (most: "));
    EXPECT_THAT(rest, Not(HasSubstr("\x1b[?")));
}

TEST(LiveDemo, has_no_colours_with_no_color_and_plain_letters_without_utf8)
{
    TerminalProcess demo{{"demo", "--workers", "3", "--grants", "3"}, {{"NO_COLOR", "1"}}, 80, 24};
    EXPECT_EQ(demo.finish(), 0);
    EXPECT_THAT(demo.output(), Not(HasSubstr("\x1b[1")));
    EXPECT_THAT(demo.output(), Not(HasSubstr("●")));
    EXPECT_THAT(demo.output(), HasSubstr("o\r\n"));
}

TEST(LiveDemo, gives_the_terminal_back_when_interrupted)
{
    TerminalProcess demo{{"demo", "--workers", "3", "--rate", "1/h"}, {}, 80, 24};
    ASSERT_TRUE(demo.read_until("3 waiting"));
    demo.type("\x03");
    EXPECT_EQ(demo.finish(), 130);
    auto const rest = after_leaving(demo.output());
    EXPECT_THAT(rest, HasSubstr("interrupted after 0."));
    EXPECT_THAT(rest, HasSubstr("checked: 1 grant, no span of 1h held more than 1 (most: 1)\r\n"));
}

TEST(LiveDemo, follows_the_size_of_the_terminal)
{
    TerminalProcess demo{{"demo", "--workers", "9", "--rate", "1/h"}, {{"NO_COLOR", "1"}}, 80, 24};
    ASSERT_TRUE(demo.read_until("9 waiting"));
    demo.resize(40, 9);
    EXPECT_TRUE(demo.read_until("and 5 more workers"));
    demo.resize(1, 1);
    EXPECT_TRUE(demo.read_until("\x1b[H"));
    demo.type("\x03");
    EXPECT_EQ(demo.finish(), 130);
}

TEST(LiveDemo, is_lines_on_a_terminal_that_cannot_draw)
{
    TerminalProcess demo{{"demo", "--workers", "3", "--grants", "3"}, {{"TERM", "dumb"}}, 80, 24};
    EXPECT_EQ(demo.finish(), 0);
    EXPECT_THAT(demo.output(), Not(HasSubstr("\x1b")));
    EXPECT_THAT(demo.output(), HasSubstr("granted, 2 left"));
}

}  // namespace
}  // namespace ration::cli_test
