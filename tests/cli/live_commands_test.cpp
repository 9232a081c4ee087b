// watch, demo on a server, simulate and bench: the real binary, on pipes and on a terminal that is resized and interrupted.

#include "cli/on_server.hpp"
#include "cli/xml.hpp"

#include <csignal>
#include <fstream>

namespace ration::cli_test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

class Watch : public OnServer {
protected:
    Environment terminal() const
    {
        auto all = environment();
        all.emplace_back("LANG", "C.UTF-8");
        return all;
    }
};

TEST_F(Watch, prints_a_line_per_limiter_and_look_when_piped)
{
    ration({"set", "mail", "5/h"});
    ration({"set", "api", "7/h"});
    ration({"try", "mail", "2"});
    auto const result = ration({"watch", "mail", "api", "--samples", "3", "--every", "10ms"});
    EXPECT_EQ(result.exit, 0);
    auto const lines = lines_of(result.out);
    ASSERT_EQ(lines.size(), 6U);
    for (std::size_t i = 0; i < 6; i += 2) {
        EXPECT_THAT(
            lines[i],
            MatchesRegex("[0-9:]{8} mail 3 of 5 free, [0-9]+ granted in the last second, next permit now"));
        EXPECT_THAT(lines[i + 1],
                    MatchesRegex("[0-9:]{8} api 7 of 7 free, 0 granted in the last second, next permit now"));
    }
    EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));
}

TEST_F(Watch, prints_objects_with_the_names_of_info)
{
    ration({"set", "mail", "5/h"});
    auto const objects =
        objects_of(ration({"--json", "watch", "mail", "--samples", "2", "--every", "10ms"}).out);
    ASSERT_EQ(objects.size(), 2U);
    for (auto const* field : {"limiter", "rate", "interval_ms", "type", "algorithm", "keep_alive_ms",
                              "available", "ttl_ms", "granted_per_second", "at_ms"})
        EXPECT_TRUE(objects[0].contains(field)) << field;
}

TEST_F(Watch, draws_follows_the_size_and_quits_by_q)
{
    ration({"set", "mail", "5/h"});
    ration({"try", "mail", "2"});
    TerminalProcess watch{{"watch", "mail"}, terminal(), 80, 24};
    ASSERT_TRUE(watch.read_until("3 of 5 free"));
    EXPECT_THAT(watch.output(), StartsWith(TerminalProcess::enter));
    EXPECT_THAT(watch.output(), HasSubstr("\x1b[1;32m█"));
    ration({"try", "mail", "3"});
    ASSERT_TRUE(watch.read_until("0 of 5 free"));
    watch.resize(40, 6);
    ASSERT_TRUE(watch.read_until("0 of 5 free"));
    watch.resize(1, 1);
    ASSERT_TRUE(watch.read_until("\x1b[H"));
    watch.type("xq");
    EXPECT_EQ(watch.finish(), 0);
    EXPECT_TRUE(watch.output().ends_with(TerminalProcess::leave));
}

TEST_F(Watch, gives_the_terminal_back_when_interrupted)
{
    ration({"set", "mail", "5/h"});
    for (auto const* keys : {"\x03", ""}) {
        TerminalProcess watch{{"watch", "mail"}, environment(), 80, 24};
        ASSERT_TRUE(watch.read_until("5 of 5 free"));
        if (*keys != '\0') {
            watch.type(keys);
        } else {
            watch.signal(SIGTERM);
        }
        EXPECT_EQ(watch.finish(), 128 + (*keys != '\0' ? SIGINT : SIGTERM));
        EXPECT_TRUE(watch.output().ends_with(TerminalProcess::leave));
    }
}

TEST_F(Watch, has_no_colours_with_no_color)
{
    ration({"set", "mail", "5/h"});
    auto environment = terminal();
    environment.emplace_back("NO_COLOR", "1");
    TerminalProcess watch{{"watch", "mail", "--samples", "1"}, environment, 80, 24};
    EXPECT_EQ(watch.finish(), 0);
    EXPECT_THAT(watch.output(), Not(HasSubstr("\x1b[1;")));
    EXPECT_THAT(watch.output(), Not(HasSubstr("\x1b[2m")));
}

TEST_F(Watch, goes_on_when_a_limiter_vanishes_but_not_without_one_at_the_start)
{
    auto const none = json({"watch", "nobody"}, 3);
    EXPECT_EQ(text_at(none, "error"), "not_initialized");
    ration({"set", "mail", "5/h"});
    TerminalProcess watch{{"watch", "mail"}, terminal(), 100, 24};
    ASSERT_TRUE(watch.read_until("5 of 5 free"));
    ration({"delete", "mail"});
    ASSERT_TRUE(watch.read_until("no rate is set"));
    ration({"set", "mail", "9/h"});
    ASSERT_TRUE(watch.read_until("9 of 9 free"));
    watch.type("q");
    EXPECT_EQ(watch.finish(), 0);
}

class SharedDemo : public Watch {};

TEST_F(SharedDemo, several_processes_share_one_limit)
{
    auto const result =
        ration({"demo", "--workers", "6", "--processes", "3", "--rate", "4/s", "--grants", "9"});
    EXPECT_EQ(result.exit, 0) << result.err;
    auto const lines = lines_of(result.out);
    EXPECT_EQ(lines.front(),
              "6 workers in 3 processes share a limiter of 4/s (sliding_log) on " + server().unix_url());
    EXPECT_THAT(lines.back(),
                MatchesRegex("checked: [0-9]+ grants, no span of 1s held more than 4 \\(most: [1-4]\\)"));
    EXPECT_EQ(redis().integer("DBSIZE"), 0) << "it leaves nothing behind";
}

TEST_F(SharedDemo, prints_objects_and_ends_when_interrupted)
{
    Running demo{{"--json", "demo", "--rate", "1/h", "--workers", "4"}, environment()};
    auto const start = object_of(demo.read_line());
    EXPECT_EQ(start.at("processes").as_int64(), 4);
    while (text_at(object_of(demo.read_line()), "event") != "waiting") {}
    demo.signal(SIGINT);
    auto const result = demo.finish();
    EXPECT_EQ(result.exit, 128 + SIGINT);
    auto const last = objects_of(result.out).back();
    EXPECT_TRUE(last.at("holds").as_bool());
    EXPECT_TRUE(last.at("interrupted").as_bool());
    EXPECT_EQ(redis().integer("DBSIZE"), 0);
}

TEST_F(SharedDemo, draws_on_a_terminal)
{
    TerminalProcess demo{{"demo", "--rate", "1/h", "--workers", "3"}, terminal(), 80, 24};
    ASSERT_TRUE(demo.read_until("1 granted"));
    demo.resize(50, 8);
    ASSERT_TRUE(demo.read_until("3 workers in 3"));
    demo.type("\x03");
    EXPECT_EQ(demo.finish(), 130);
    EXPECT_THAT(demo.output(), HasSubstr("checked: 1 grant, no span of 1h held more than 1 (most: 1)"));
}

TEST_F(SharedDemo, needs_what_can_be_checked)
{
    EXPECT_EQ(ration({"demo", "--algorithm", "token_bucket"}).exit, 2);
    EXPECT_EQ(ration({"demo", "--rate", "60/m;burst=10"}).exit, 2);
    EXPECT_EQ(ration({"demo", "--processes", "9", "--workers", "3"}).exit, 2);
    EXPECT_EQ(run({"demo", "--processes", "2"}).exit, 2);
    EXPECT_EQ(run({"demo", "--command-timeout", "100ms"}, {{"RATION_STORE", "redis://127.0.0.1:1"}}).exit, 3);
}

class Simulate : public ::testing::Test {
protected:
    redis_test::TemporaryDirectory directory_;
    std::string path(char const* name) const { return directory_.path() / name; }
};

TEST_F(Simulate, prints_an_object_per_algorithm)
{
    auto const result = run({"simulate", "10/s", "--traffic", "on-off", "--json"});
    EXPECT_EQ(result.exit, 0);
    auto const objects = objects_of(result.out);
    ASSERT_EQ(objects.size(), 4U);
    for (auto const& object : objects) {
        EXPECT_EQ(object.at("granted").as_int64() + object.at("denied").as_int64(),
                  object.at("asked").as_int64());
        EXPECT_EQ(object.at("limit").as_int64(), 10);
    }
    EXPECT_EQ(text_at(objects[0], "algorithm"), "sliding_log");
    EXPECT_EQ(objects[0].at("most").as_int64(), 10);
}

TEST_F(Simulate, draws_into_files)
{
    auto const html = run({"simulate", "10/m", "--traffic", "bursty", "--out", path("a.html")});
    EXPECT_EQ(html.exit, 0) << html.err;
    EXPECT_THAT(html.out, HasSubstr("written to "));
    EXPECT_THAT(file_text(path("a.html")), StartsWith("<!DOCTYPE html>"));
    EXPECT_EQ(run({"simulate", "100/h", "--traffic", "daily", "--out", path("a.svg")}).exit, 0);
    EXPECT_EQ(xml_problem(file_text(path("a.svg"))), "");
    auto const nowhere = run({"simulate", "10/s", "--out", path("no/such.svg")});
    EXPECT_EQ(nowhere.exit, 3);
    EXPECT_THAT(nowhere.err, HasSubstr("cannot write"));
}

TEST_F(Simulate, reads_a_file_of_moments)
{
    std::ofstream{path("moments")} << "0\n0.1\n0.2\n5\n";
    auto const objects = objects_of(run({"simulate", "2/s", "--traffic", path("moments"), "--json"}).out);
    EXPECT_EQ(objects[0].at("asked").as_int64(), 4);
    EXPECT_EQ(objects[0].at("granted").as_int64(), 3);
}

TEST(Bench, measures_the_embedded_store)
{
    auto const result = run({"--json", "bench", "--seconds", "1", "--callers", "2"});
    ASSERT_EQ(result.exit, 0) << result.err;
    auto const object = object_of(result.out);
    EXPECT_GT(object.at("per_second").as_int64(), 0);
    EXPECT_EQ(object.at("failed").as_int64(), 0);
    for (auto const* field : {"p50_us", "p90_us", "p99_us", "p99_9_us", "max_us"})
        EXPECT_GE(object.at(field).to_number<double>(), 0) << field;
    EXPECT_LE(object.at("p50_us").to_number<double>(), object.at("max_us").to_number<double>());
}

class ServerBench : public OnServer {};

TEST_F(ServerBench, measures_a_server_and_leaves_nothing_behind)
{
    redis_test::TemporaryDirectory directory;
    std::string const svg = directory.path() / "h.svg";
    auto const one = ration({"bench", "--seconds", "1", "--callers", "20", "--svg", svg});
    EXPECT_EQ(one.exit, 0) << one.err;
    EXPECT_THAT(one.out, HasSubstr("20 callers for 1 permit, one limiter"));
    EXPECT_THAT(one.out, HasSubstr("decisions/s"));
    EXPECT_EQ(one.err, "") << "no progress line where nobody looks";
    EXPECT_EQ(xml_problem(file_text(svg)), "");
    EXPECT_EQ(redis().integer("DBSIZE"), 0);
    auto const keys = json({"bench", "--seconds", "1", "--keys", "100", "--hot", "--permits", "2"});
    EXPECT_EQ(keys.at("keys").as_int64(), 100);
    EXPECT_GT(keys.at("granted").as_int64(), 0);
}

TEST_F(ServerBench, shows_progress_on_a_terminal_and_can_be_interrupted)
{
    TerminalProcess bench{{"bench", "--seconds", "600"}, environment(), 80, 24};
    ASSERT_TRUE(bench.read_until("of 10min, "));
    bench.type("\x03");
    EXPECT_EQ(bench.finish(), 130);
    EXPECT_THAT(bench.output(), HasSubstr("throughput"));
    EXPECT_EQ(redis().integer("DBSIZE"), 0);
}

TEST(Bench, spares_a_server_that_is_elsewhere)
{
    auto const result = run({"bench"}, {{"RATION_STORE", "redis://192.0.2.1"}});
    EXPECT_EQ(result.exit, 2);
    EXPECT_THAT(result.err, HasSubstr("--yes-load-this-server"));
    EXPECT_EQ(run({"bench", "--yes-load-this-server", "--command-timeout", "100ms"},
                  {{"RATION_STORE", "redis://127.0.0.1:1"}})
                  .exit,
              3);
}

}  // namespace
}  // namespace ration::cli_test
