// The picture of the demo is a pure function of its state: drawn here without a terminal.

#include "cli/demo_view.hpp"
#include "cli/demo_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ration::cli {
namespace {

using namespace std::chrono_literals;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

/// Three workers at one per second: the first is granted, the second a second later, the third waits.
DemoState three_workers()
{
    DemoState state{{.workers = 3, .rate = Rate::per_second(1)}, {.rate = Rate::per_second(1)}};
    using enum DemoEvent::Kind;
    state.apply({granted, 1, 0s, 0s, {.granted = true}});
    state.apply({waiting, 2, 0s, 0s, {.retry_after = 1s}});
    state.apply({waiting, 3, 0s, 0s, {.retry_after = 1s}});
    state.apply({granted, 2, 1s, 1s, {.granted = true}});
    state.elapsed = 1500ms;
    return state;
}

TEST(Picture, shows_who_waits_who_was_granted_and_how_many_per_second)
{
    EXPECT_THAT(draw_demo(three_workers(), {.columns = 60, .rows = 24}),
                ElementsAre("3 workers share a limiter of 1/s (sliding_log) on the e 1.5s",  //
                            "",                                                              //
                            "worker 0s        1s        2s        3s        4s        5s",   //
                            "    01 o",                                                      //
                            "    02 ..........o",                                            //
                            "    03 ................",                                       //
                            "",                                                              //
                            "per 1s # 1       # 1",                                          //
                            "",                                                              //
                            "2 granted, 1 waiting, most in any 1s: 1"));
}

TEST(Picture, never_exceeds_the_screen)
{
    DemoState state{{.workers = 200}, {.rate = Rate::per_second(5)}};
    for (int worker = 1; worker <= 200; ++worker) state.apply({.worker = worker, .at = worker * 10ms});
    state.elapsed = 3s;
    for (int const columns : {1, 7, 8, 20, 79, 80, 300}) {
        for (int const rows : {1, 2, 5, 8, 24, 100, 500}) {
            auto const lines = draw_demo(state, {.columns = columns, .rows = rows});
            EXPECT_LE(static_cast<int>(lines.size()), rows);
            for (auto const& line : lines) EXPECT_LE(static_cast<int>(line.size()), columns) << line;
        }
    }
}

TEST(Picture, says_how_many_workers_do_not_fit)
{
    DemoState const state{{.workers = 50}, {}};
    auto const lines = draw_demo(state, {.columns = 80, .rows = 24});
    EXPECT_THAT(lines, SizeIs(24));
    EXPECT_THAT(lines[21], HasSubstr("... and 31 more workers"));
}

TEST(Picture, of_twenty_workers_fits_a_terminal_of_24_lines)
{
    DemoState const state{{.workers = 20}, {}};
    EXPECT_THAT(draw_demo(state, {.columns = 80, .rows = 24}), SizeIs(24));
    EXPECT_THAT(draw_demo(state, {.columns = 80, .rows = 24}), Each(Not(HasSubstr("more worker"))));
}

TEST(Picture, has_colours_only_if_wanted)
{
    EXPECT_THAT(draw_demo(three_workers(), {.colour = false}), Each(Not(HasSubstr("\x1b"))));
    EXPECT_THAT(draw_demo(three_workers(), {.colour = true})[3], HasSubstr("\x1b[1;32mo\x1b[0m"));
}

TEST(Picture, makes_room_when_it_lasts_longer_than_expected)
{
    auto state = three_workers();
    state.elapsed = 10min;
    auto const lines = draw_demo(state, {.columns = 60, .rows = 24});
    EXPECT_THAT(lines[2], HasSubstr("200s"));
    EXPECT_LE(lines[5].size(), 60U);
}

TEST(Words, tell_each_event_in_a_line)
{
    auto const state = three_workers();
    EXPECT_EQ(event_line(state, {.worker = 3, .at = 1500us, .decision = {.remaining = 4}}),
              "  0.002s worker 03 granted, 4 left");
    EXPECT_EQ(event_line(state, {.worker = 3, .at = 61s, .waited = 60s, .decision = {.remaining = 0}}),
              " 61.000s worker 03 granted after 60.000s, 0 left");
    EXPECT_EQ(event_line(state, {DemoEvent::Kind::waiting, 3, 1ms, 0s, {.retry_after = 999ms}}),
              "  0.001s worker 03 waits, next permit in 0.999s");
}

struct EndRow {
    char const* what;
    DemoPlan plan;
    int grants_per_worker;
    Duration elapsed;
    bool over;
};

TEST(Demo, ends_when_it_has_shown_enough)
{
    EndRow const rows[] = {
        {"every worker had a turn, but it just began", {.workers = 2}, 1, 1s, false},
        {"after four seconds", {.workers = 2}, 1, 4001ms, true},
        {"not while a worker had no turn", {.workers = 2}, 0, 5s, false},
        {"but after a minute in any case", {.workers = 2}, 0, 61s, true},
        {"a fast limiter has shown it sooner", {.workers = 2}, 500, 1s, true},
        {"as many grants as asked for", {.workers = 2, .grants = 4}, 2, 1s, true},
        {"not before, however long it takes", {.workers = 2, .grants = 5}, 2, 1h, false},
        {"as long as asked for", {.workers = 2, .duration = 10s}, 9999, 10s, false},
        {"and no longer", {.workers = 2, .duration = 10s}, 0, 10'001ms, true},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.what);
        DemoState state{row.plan, {}};
        for (int i = 0; i < row.grants_per_worker; ++i) {
            state.apply({.worker = 1});
            state.apply({.worker = 2});
        }
        state.elapsed = row.elapsed;
        EXPECT_EQ(state.is_over(), row.over);
    }
}

}  // namespace
}  // namespace ration::cli
