// `ration simulate`: its traffic, what the algorithms let through of it, and the pictures.

#include "cli/command.hpp"
#include "cli/simulation.hpp"
#include "cli/simulation_report.hpp"
#include "cli/simulation_view.hpp"
#include "cli/svg.hpp"
#include "cli/ticks.hpp"
#include "cli/xml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace ration::cli {
namespace {

using namespace std::chrono_literals;
using cli_test::xml_problem;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

TrafficPlan plan(Shape shape)
{
    return {.shape = shape, .per_second = 20, .length = 1min, .interval = 1s, .crowd = 8};
}

// ---- traffic ----

TEST(Traffic, of_every_shape_comes_in_order_and_about_as_much_as_asked_for)
{
    for (auto const shape : {Shape::steady, Shape::bursty, Shape::on_off, Shape::daily}) {
        auto wanted = plan(shape);
        if (shape == Shape::daily) wanted.length = 24h;
        auto const traffic = make_traffic(wanted);
        auto const expected = wanted.per_second * std::chrono::duration<double>{wanted.length}.count();
        EXPECT_GT(static_cast<double>(traffic.arrivals.size()), 0.6 * expected) << traffic.description;
        EXPECT_LT(static_cast<double>(traffic.arrivals.size()), 1.4 * expected) << traffic.description;
        EXPECT_TRUE(std::ranges::is_sorted(traffic.arrivals));
        EXPECT_GE(traffic.arrivals.front(), traffic.begin);
        EXPECT_LT(traffic.arrivals.back(), traffic.begin + traffic.length);
    }
}

TEST(Traffic, is_the_same_for_the_same_seed)
{
    auto const one = make_traffic(plan(Shape::bursty));
    auto other_plan = plan(Shape::bursty);
    EXPECT_EQ(make_traffic(other_plan).arrivals, one.arrivals);
    other_plan.seed = 2;
    EXPECT_NE(make_traffic(other_plan).arrivals, one.arrivals);
}

TEST(Traffic, has_pauses_if_on_off)
{
    auto const traffic = make_traffic(plan(Shape::on_off));
    for (auto const at : traffic.arrivals) EXPECT_LT((at - traffic.begin) % 4s, 2s);
}

TEST(Traffic, that_is_too_much_is_refused)
{
    auto huge = plan(Shape::steady);
    huge.per_second = 1e9;
    EXPECT_THROW(make_traffic(huge), UsageError);
}

TEST(TrafficFile, has_a_moment_per_line)
{
    std::istringstream seconds{"# from a log\n\n  3.5\n1\n2e0\r\n"};
    auto const relative = read_traffic(seconds, "log");
    ASSERT_THAT(relative.arrivals, SizeIs(3));
    EXPECT_EQ(relative.arrivals[1] - relative.arrivals[0], 1s);
    EXPECT_EQ(relative.arrivals[2] - relative.arrivals[0], 2500ms);

    std::istringstream dates{"2026-01-31T12:34:56.250Z\n2026-01-31 12:34:55\n1769862900\n"};
    auto const absolute = read_traffic(dates, "log");
    EXPECT_EQ(absolute.arrivals[0], Time{1769862895s});
    EXPECT_EQ(absolute.arrivals[1], Time{1769862896250ms});
    EXPECT_EQ(absolute.arrivals[2], Time{1769862900s});
}

TEST(TrafficFile, says_which_line_is_wrong)
{
    for (char const* const text :
         {"1\nsoon\n", "1\n-5\n", "1\n1e300\n", "1\nnan\n", "1\n2026-01-31T12:34\n", "1\n1,5\n"}) {
        std::istringstream lines{text};
        try {
            read_traffic(lines, "log");
            ADD_FAILURE() << text;
        } catch (UsageError const& error) {
            EXPECT_THAT(error.what(), HasSubstr("log:2: "));
        }
    }
    std::istringstream none{"# nothing\n"};
    EXPECT_THROW(read_traffic(none, "log"), UsageError);
}

// ---- what is let through ----

Traffic moments(std::vector<Duration> const& at, Duration length)
{
    Traffic traffic{.begin = Time{1'000'000'000s}, .length = length, .description = "given"};
    for (auto const moment : at) traffic.arrivals.push_back(traffic.begin + moment);
    return traffic;
}

Run const& run_of(Simulation const& simulation, Algorithm algorithm)
{
    return *std::ranges::find(simulation.runs, algorithm, &Run::algorithm);
}

TEST(Simulation, shows_twice_the_rate_at_the_seam_of_a_window)
{
    // One at the begin of a window, nine at its end, ten at the begin of the next: the windows let all pass.
    std::vector<Duration> at{0ms};
    for (int i = 0; i < 9; ++i) at.push_back(990ms);
    for (int i = 0; i < 10; ++i) at.push_back(1010ms);
    auto const simulation = simulate(Rate::per_second(10), 1, moments(at, 2s), 40);
    ASSERT_THAT(simulation.runs, SizeIs(4));
    EXPECT_EQ(run_of(simulation, Algorithm::fixed_window).granted, 20);
    EXPECT_EQ(run_of(simulation, Algorithm::fixed_window).most, 19);
    EXPECT_EQ(run_of(simulation, Algorithm::calendar_window).granted, 20);
    EXPECT_EQ(run_of(simulation, Algorithm::sliding_log).granted, 11);
    EXPECT_EQ(run_of(simulation, Algorithm::sliding_log).most, 10);
    for (auto const& run : simulation.runs) EXPECT_EQ(run.granted + run.denied, 20);
}

TEST(Simulation, counts_the_same_in_bins_as_in_total)
{
    for (auto const shape : {Shape::steady, Shape::bursty, Shape::on_off}) {
        auto const simulation = simulate(Rate::per_second(10), 2, make_traffic(plan(shape)), 70);
        EXPECT_LE(simulation.bins(), 70U);
        for (auto const& run : simulation.runs) {
            EXPECT_THAT(run.granted_in, SizeIs(simulation.bins()));
            Permits granted = 0;
            Permits denied = 0;
            for (std::size_t i = 0; i < simulation.bins(); ++i) {
                granted += run.granted_in[i];
                denied += run.denied_in[i];
            }
            EXPECT_EQ(granted, 2 * run.granted);
            EXPECT_EQ(denied, 2 * run.denied);
            EXPECT_EQ(*std::ranges::max_element(run.recent), run.most);
        }
        EXPECT_LE(run_of(simulation, Algorithm::sliding_log).most, 10);
        EXPECT_LE(run_of(simulation, Algorithm::fixed_window).most, 20);
        EXPECT_LE(run_of(simulation, Algorithm::token_bucket).most, 20);
    }
}

TEST(Simulation, leaves_out_a_calendar_that_does_not_exist)
{
    auto const simulation = simulate(Rate::per(1, 500ms), 1, moments({0ms}, 1s), 10);
    EXPECT_THAT(simulation.runs, SizeIs(3));
    ASSERT_THAT(simulation.notes, SizeIs(1));
    EXPECT_EQ(simulation.notes[0], "calendar_window is left out: no calendar has windows of 500ms");
    EXPECT_EQ(to_string(simulate(Rate::per(1, 48h), 1, moments({0ms}, 1s), 10).runs[2].rate), "1/2days@UTC");
    auto const burst = simulate(Rate::parse("60/m;burst=5"), 1, moments({0ms}, 1s), 10);
    EXPECT_EQ(to_string(run_of(burst, Algorithm::sliding_log).rate), "60/m");
    EXPECT_EQ(to_string(run_of(burst, Algorithm::token_bucket).rate), "60/m;burst=5");
}

TEST(Simulation, of_a_day_takes_little_time)
{
    auto wanted = plan(Shape::daily);
    wanted.length = 24h;
    auto const traffic = make_traffic(wanted);
    auto const begin = std::chrono::steady_clock::now();
    auto const simulation = simulate(Rate::per_second(15), 1, traffic, 400);
    EXPECT_GT(simulation.asked(), 1'000'000);
    // Well under a second where it is not instrumented and nobody else works; a slow machine may take longer.
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

// ---- pictures ----

TEST(Ticks, are_round)
{
    EXPECT_EQ(round_time_step(20s, 10), 2s);
    EXPECT_EQ(round_time_step(24h, 12), 2h);
    EXPECT_EQ(round_time_step(24h * 3650, 10), 24h * 365);
    EXPECT_EQ(tick_text(0s), "0");
    EXPECT_EQ(tick_text(90s), "90s");
    EXPECT_EQ(tick_text(48h), "2d");
    EXPECT_EQ(short_number(9999), "9999");
    EXPECT_EQ(short_number(12'000), "12k");
    EXPECT_EQ(short_number(3'500'000'000), "3.5G");
}

TEST(TerminalPicture, never_exceeds_the_screen)
{
    for (int const columns : {1, 20, 79, 80, 200}) {
        auto const simulation =
            simulate(Rate::per_second(10), 1, make_traffic(plan(Shape::bursty)), bins_for_columns(columns));
        for (auto const& line : draw_simulation(simulation, {.columns = columns}))
            EXPECT_LE(static_cast<int>(line.size()), columns) << line;
    }
}

TEST(TerminalPicture, has_a_part_for_each_algorithm_and_colours_only_if_wanted)
{
    auto const simulation = simulate(Rate::per_second(10), 1, make_traffic(plan(Shape::bursty)), 70);
    auto const lines = draw_simulation(simulation, {.columns = 80});
    std::string text;
    for (auto const& line : lines) text += line + "\n";
    for (auto const* word : {"sliding_log 10/s", "fixed_window 10/s", "calendar_window 10/s@UTC",
                             "token_bucket 10/s", "limit 10", "granted", "denied", "most in any 1s: 10"})
        EXPECT_THAT(text, HasSubstr(word));
    EXPECT_THAT(lines, Each(Not(HasSubstr("\x1b"))));
    EXPECT_THAT(draw_simulation(simulation, {.columns = 80, .colour = true})[2], HasSubstr("\x1b["));
}

TEST(Report, is_well_formed_and_has_title_axes_legend_and_both_colour_schemes)
{
    for (auto const shape : {Shape::steady, Shape::bursty, Shape::on_off, Shape::daily}) {
        auto const simulation = simulate(Rate::per_second(10), 1, make_traffic(plan(shape)), report_bins);
        auto const svg = simulation_svg(simulation);
        EXPECT_EQ(xml_problem(svg), "");
        for (auto const* word :
             {"<title>", "sliding_log", "token_bucket", "granted in the last 1s", ">denied, per ", ">0<",
              ">10s<", ">50s<", "prefers-color-scheme:dark", "class=\"limit\""})
            EXPECT_THAT(svg, HasSubstr(word));
        auto const html = simulation_html(simulation, "ration simulate '<&>'");
        EXPECT_EQ(xml_problem(html.substr(html.find("<html"))), "");
        EXPECT_THAT(html, HasSubstr("<table>"));
        EXPECT_THAT(html, HasSubstr("ration simulate '&lt;&amp;&gt;'"));
        EXPECT_THAT(html, Not(HasSubstr("src=")));
        EXPECT_THAT(html, Not(HasSubstr("href=")));
    }
}

TEST(Report, quotes_what_xml_cannot_hold)
{
    EXPECT_EQ(xml_text("a<b>&\"\x01\xff"
                       "é"),
              "a&lt;b&gt;&amp;&quot;??é");
    EXPECT_NE(xml_problem("<a><b></a>"), "");
    EXPECT_NE(xml_problem("<a b=c/>"), "");
    EXPECT_NE(xml_problem("<a>&nbsp;</a>"), "");
    EXPECT_EQ(xml_problem("<a b=\"c\"><d/>e &amp; f</a>\n"), "");
}

}  // namespace
}  // namespace ration::cli
