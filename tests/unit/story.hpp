#pragma once

// Tables with a story per row: what happens at which moment, and what the algorithm must say to it.
//
//     tell_story<FixedWindow>("5/2s", {
//         {"the first grant opens the window", 0s, take(3), granted(2, 2s)},
//         {"all is free at its end",           2s, take(5), granted(0, 2s)},
//     });

#include "core/sliding_log.hpp"

#include <ration/rate.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <initializer_list>
#include <ostream>
#include <string>
#include <variant>

namespace ration::core {

inline std::ostream& operator<<(std::ostream& out, Verdict const& verdict)
{
    return out << (verdict.granted ? "granted" : "denied") << ", remaining " << verdict.remaining
               << ", retry after " << verdict.retry_after.count() << " us, reset after "
               << verdict.reset_after.count() << " us";
}

}  // namespace ration::core

namespace ration::testing {

struct Take {
    Permits n;
    Duration resolution;  // of a sliding log
};
struct Release {
    Permits n;
};
struct ChangeRate {
    char const* rate;
};

constexpr Take take(Permits n, Duration resolution = {})
{
    return {n, resolution};
}
constexpr Release release(Permits n)
{
    return {n};
}
constexpr ChangeRate change_rate(char const* rate)
{
    return {rate};
}

constexpr core::Verdict granted(Permits remaining, Duration reset_after)
{
    return {true, remaining, Duration{}, reset_after};
}
constexpr core::Verdict denied(Permits remaining, Duration retry_after, Duration reset_after)
{
    return {false, remaining, retry_after, reset_after};
}
struct Leaves {
    Permits available;
};
constexpr Leaves leaves(Permits available)
{
    return {available};
}

struct Row {
    char const* what;
    Duration now;  // since the story began
    std::variant<Take, Release, ChangeRate> action;
    std::variant<core::Verdict, Leaves> expected;  // a Verdict for a Take, else what is available then
};

inline constexpr Time in_2024 = std::chrono::sys_days{std::chrono::year{2024} / 1 / 1};

/// Each `take` is looked at before, and each denial is followed to the moment it names.
template <class Algorithm>
void tell_story(char const* rate, std::initializer_list<Row> rows, Time start = in_2024)
{
    Algorithm limit{Rate::parse(rate)};
    for (auto const& row : rows) {
        SCOPED_TRACE(std::string{row.what} + " (" + rate + ")");
        Time const now = start + row.now;
        if (auto const* changed = std::get_if<ChangeRate>(&row.action)) {
            limit.change_rate(Rate::parse(changed->rate), now);
        } else if (auto const* released = std::get_if<Release>(&row.action)) {
            limit.release(now, released->n);
        } else {
            auto const [n, resolution] = std::get<Take>(row.action);
            auto const expected = std::get<core::Verdict>(row.expected);
            EXPECT_EQ(limit.look(now, n), expected) << "look";
            EXPECT_EQ(limit.look(now, n), expected) << "look again: the first one stored nothing";
            if constexpr (std::is_same_v<Algorithm, core::SlidingLog>) {
                EXPECT_EQ(limit.take(now, n, resolution), expected) << "take";
            } else {
                EXPECT_EQ(limit.take(now, n), expected) << "take";
            }
            if (!expected.granted) {
                EXPECT_FALSE(limit.look(now + expected.retry_after - Duration{1}, n).granted);
                EXPECT_TRUE(limit.look(now + expected.retry_after, n).granted);
            }
            EXPECT_EQ(limit.available(now), expected.remaining);
            continue;
        }
        EXPECT_EQ(limit.available(now), std::get<Leaves>(row.expected).available);
    }
}

}  // namespace ration::testing
