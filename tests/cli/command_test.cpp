// The real `ration` command, end to end: what it prints, where, and what it exits with.

#include "cli/json.hpp"
#include "cli/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace ration::cli_test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

std::string golden(std::string const& name)
{
    std::ifstream file{std::string{RATION_TEST_DIR} + "/cli/golden/" + name};
    return {std::istreambuf_iterator<char>{file}, {}};
}

// ---- help ----

TEST(Help, is_what_the_golden_files_say)
{
    struct Row {
        std::string file;
        std::vector<std::string> arguments;
    };
    std::vector<Row> rows{{"help.txt", {"--help"}}};
    for (std::string const command :
         {"set", "delete", "try", "acquire", "release", "info", "list", "watch", "demo", "simulate", "bench"})
        rows.push_back({command + "-help.txt", {command, "--help"}});
    for (auto const& row : rows) {
        SCOPED_TRACE(row.file);
        auto const result = run(row.arguments);
        EXPECT_EQ(result.exit, 0);
        EXPECT_EQ(result.out, golden(row.file))
            << "if the change is wanted, copy the output to the golden file";
        EXPECT_EQ(result.err, "");
        for (auto const& line : lines_of(result.out)) EXPECT_LE(line.size(), 90U) << line;
    }
}

TEST(Version, is_one_line)
{
    auto const result = run({"--version"});
    EXPECT_EQ(result.exit, 0);
    EXPECT_THAT(result.out, MatchesRegex("ration [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

// ---- bad input ----

struct BadInput {
    std::vector<std::string> arguments;
    char const* says;  // part of the sentence
};

BadInput const bad_inputs[] = {
    {{}, "give a command"},
    {{"fly"}, "there is no command \"fly\""},
    {{"--fly"}, "\"--fly\" was not expected"},
    {{"demo", "extra"}, "\"extra\" was not expected; see 'ration demo --help'"},
    {{"demo", "--fly"}, "\"--fly\" was not expected"},
    {{"demo", "--rate"}, "--rate needs a value"},
    {{"demo", "--rate", "0/s"}, "rate \"0/s\": permits at character 1 must be 1 to 4294967295, not 0"},
    {{"demo", "--rate", ""}, "rate \"\""},
    {{"demo", "--rate", "5"}, "expected \"/\" at character 2"},
    {{"demo", "--rate", "5/day@Mars/Base"}, "unknown time zone \"Mars/Base\""},
    {{"demo", "--workers", "0"}, "--workers \"0\": give a whole number from 1 to 1000"},
    {{"demo", "--workers", "100000"}, "--workers \"100000\""},
    {{"demo", "--workers=-1"}, "--workers \"-1\""},
    {{"demo", "--workers", "two"}, "--workers \"two\""},
    {{"demo", "--workers", "2 "}, "--workers \"2 \""},
    {{"demo", "--workers", "99999999999999999999"}, "give a whole number"},
    {{"demo", "--grants", "0"}, "--grants \"0\""},
    {{"demo", "--duration", "0s"}, "give more than zero and at most 1h"},
    {{"demo", "--duration", "5"}, "write a number and ms, s, m, h or d"},
    {{"demo", "--duration", "9999999999999h"}, "at most 1h"},
    {{"demo", "--grants", "5", "--duration", "1s"}, "not both"},
    {{"demo", "--algorithm", "magic"}, "choose sliding_log, fixed_window, calendar_window or token_bucket"},
    {{"demo", "--algorithm", "calendar_window"}, "does not go with calendar_window"},
    {{"demo", "--processes", "0"}, "--processes \"0\""},
    {{"demo", "--processes", "2"}, "--processes needs a server"},
    {{"demo", "--store", "http://x"}, "unknown scheme"},
    {{"demo", "--command-timeout", "0s"}, "--command-timeout \"0s\""},
    {{"demo", "--command-timeout", "2h"}, "at most 1h"},
    {{"--store", "redis://h", "list", "--tls-ca", "/nope"}, "rediss"},
    {{"set"}, "NAME is missing; see 'ration set --help'"},
    {{"set", "x"}, "RATE is missing"},
    {{"set", "x", "5"}, "expected \"/\" at character 2"},
    {{"set", "x", "5/s", "extra"}, "\"extra\" was not expected"},
    {{"set", "x", "5/s", "--type", "client"}, "--type \"client\": choose overall or per-client"},
    {{"set", "x", "5/s", "--algorithm", "magic"}, "--algorithm \"magic\""},
    {{"set", "x", "5/s", "--keep-alive", "long"}, "--keep-alive \"long\""},
    {{"set", "x", "5/s", "--if-absent", "--keep-state"}, "give one of"},
    {{"--store", "redis://h", "set", "", "5/s"}, "name is empty"},
    {{"--store", "redis://h", "set", "x", "5/h", "--keep-alive", "1m"}, "keep_alive is"},
    {{"--store", "redis://h", "set", "x", "5/h", "--algorithm", "calendar_window"}, "does not go with"},
    {{"try"}, "NAME is missing"},
    {{"try", "x", "0"}, "N \"0\": give a whole number from 1 to 4294967295"},
    {{"try", "x", "two"}, "N \"two\""},
    {{"try", "x", "-1"}, "N \"-1\": give a whole number"},
    {{"try", "x", "--timeout", "soon"}, "--timeout \"soon\""},
    {{"try", "x", "--timeout", "-1s"}, "-1s"},
    {{"--store", "redis://h", "try", "x", "--client-id", std::string(129, 'x').c_str()}, "128 is the most"},
    {{"acquire"}, "NAME is missing"},
    {{"acquire", "x", "0"}, "N \"0\""},
    {{"acquire", "x", "--"}, "give a command to run behind '--'"},
    {{"acquire", "x", "1", "echo"}, "\"echo\" was not expected"},
    {{"release", "x"}, "N is missing"},
    {{"release", "x", "0"}, "N \"0\""},
    {{"info"}, "NAME is missing"},
    {{"info", "x", "--algorithm", "y"}, "--algorithm \"y\""},
    {{"list", "a", "b"}, "\"b\" was not expected"},
    {{"watch"}, "NAME is missing"},
    {{"watch", "x", "--every", "0s"}, "--every \"0s\""},
    {{"watch", "x", "--samples", "0"}, "--samples \"0\""},
    {{"simulate"}, "RATE is missing"},
    {{"simulate", "5"}, "expected \"/\""},
    {{"simulate", "5/s", "--traffic", "wavy"}, "--traffic \"wavy\": this is neither"},
    {{"simulate", "5/s", "--traffic", "/dev/null"}, "there is no moment in it"},
    {{"simulate", "5/s", "--traffic", "/dev/null", "--duration", "1s"}, "are for a shape"},
    {{"simulate", "5/s", "--demand", "much"}, "rate \"much\""},
    {{"simulate", "5/s", "--demand", "4000000000/s"}, "more than 20 000 000 requests"},
    {{"simulate", "5/s", "--duration", "1"}, "--duration \"1\""},
    {{"simulate", "5/s", "--permits", "6"}, "never has so many"},
    {{"simulate", "5/s", "--seed", "x"}, "--seed \"x\""},
    {{"simulate", "5/s", "--out", "report.pdf"}, "ends in .html or .svg"},
    {{"bench", "--callers", "0"}, "--callers \"0\""},
    {{"bench", "--permits", "0"}, "--permits \"0\""},
    {{"bench", "--seconds", "0"}, "--seconds \"0\""},
    {{"bench", "--keys", "0"}, "--keys \"0\""},
    {{"bench", "--hot"}, "need --keys"},
    {{"bench", "--keys", "9", "--hot", "--spread"}, "not both"},
    {{"bench", "--rate", "1"}, "expected \"/\""},
    {{"bench", "--permits", "9", "--rate", "5/s"}, "never holds more than 5"},
    {{"bench", "--algorithm", "x"}, "--algorithm \"x\""},
    {{"--store", "redis://192.0.2.1", "bench"}, "--yes-load-this-server"},
    {{"delete"}, "NAME is missing"},
    {{"delete", "a", "b"}, "\"b\" was not expected"},
};

TEST(BadInput, ends_in_one_sentence_and_exit_code_2)
{
    for (auto const& row : bad_inputs) {
        SCOPED_TRACE(::testing::PrintToString(row.arguments));
        auto const result = run(row.arguments);
        EXPECT_EQ(result.exit, 2);
        EXPECT_EQ(result.out, "");
        EXPECT_THAT(result.err, StartsWith("ration: "));
        EXPECT_THAT(result.err, HasSubstr(row.says));
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1);
        EXPECT_THAT(result.err, Not(HasSubstr("secret")));
    }
}

TEST(BadInput, is_one_object_with_json)
{
    for (auto row : bad_inputs) {
        SCOPED_TRACE(::testing::PrintToString(row.arguments));
        row.arguments.insert(row.arguments.begin(), "--json");
        auto const result = run(row.arguments);
        EXPECT_EQ(result.exit, 2);
        auto const object = boost::json::parse(result.err).as_object();
        EXPECT_EQ(object.size(), 2U);
        EXPECT_EQ(object.at("error").as_string(), "wrong_usage");
        EXPECT_THAT(std::string{object.at("message").as_string()}, HasSubstr(row.says));
    }
}

TEST(Store, comes_from_the_environment_unless_given)
{
    EXPECT_THAT(run({"bench"}, {{"RATION_STORE", "redis://192.0.2.1"}}).err,
                HasSubstr("redis://192.0.2.1:6379/0"));
    EXPECT_EQ(
        run({"--store", "memory:", "demo", "--grants", "1"}, {{"RATION_STORE", "redis://192.0.2.1"}}).exit,
        0);
}

// ---- demo, piped ----

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

// ---- demo, on a terminal ----

constexpr auto enter = "\x1b[?1049h\x1b[?25l";  // the alternate screen, without a cursor
constexpr auto leave = "\x1b[?25h\x1b[?1049l";

std::string after_leaving(std::string const& output)
{
    auto const left = output.find(leave);
    return left == output.npos ? "" : output.substr(left + std::string{leave}.size());
}

TEST(LiveDemo, draws_on_a_screen_of_its_own_and_leaves_the_last_picture)
{
    TerminalProcess demo{
        {"demo", "--workers", "5", "--rate", "2/100ms", "--grants", "6"}, {{"LANG", "C.UTF-8"}}, 80, 24};
    EXPECT_EQ(demo.finish(), 0);
    EXPECT_THAT(demo.output(), StartsWith(enter));
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
