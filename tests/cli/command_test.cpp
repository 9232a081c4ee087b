// The real `ration` command, end to end: what it prints, where, and what it exits with.

#include "cli/json.hpp"
#include "cli/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace ration::cli_test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

std::string golden(std::string const& name)
{
    return file_text(std::string{RATION_GOLDEN_DIR} + "/" + name);
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
    {{"--store", "redis://h", "try", "x", "--client-id", std::string(129, 'x')}, "128 is the most"},
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

}  // namespace
}  // namespace ration::cli_test
