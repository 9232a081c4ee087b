#include "core/rate_bounds.hpp"
#include "property/seed.hpp"

#include <ration/rate.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace ration {
namespace {

using testing::Random;
using testing::seed_text;

Rate random_rate(Random& random)
{
    using Unit = CalendarUnit;
    static constexpr std::string_view zones[] = {"UTC", "Europe/Berlin", "Asia/Shanghai", "Etc/GMT+5",
                                                 "US/Eastern"};
    auto const permits = random.magnitude(Rate::max_permits);
    if (random.one_in(3)) {
        auto const unit = static_cast<Unit>(random.between(0, 6));
        auto const every = static_cast<int>(random.magnitude(core::max_every(unit)));
        return Rate::calendar(permits, unit, random.pick(zones), every);
    }
    static constexpr Duration units[] = {std::chrono::microseconds{1}, std::chrono::milliseconds{1},
                                         std::chrono::seconds{1},      std::chrono::minutes{1},
                                         std::chrono::hours{1},        std::chrono::days{1},
                                         std::chrono::days{7}};
    auto const unit = random.pick(units);
    auto const interval = std::max(Rate::min_interval, unit * random.magnitude(Rate::max_interval / unit));
    auto const rate = Rate::per(permits, interval);
    return random.one_in(2) ? rate : rate.with_burst(random.magnitude(Rate::max_permits));
}

// The N of "at character N", which every error of Rate::parse carries.
std::size_t position_in(std::string const& error)
{
    static constexpr std::string_view mark = " at character ";
    // The last one: what is quoted before it may hold the mark as well.
    auto const found = error.rfind(mark);
    return found == std::string::npos ? 0 : std::stoul(error.substr(found + mark.size()));
}

void expect_parses_or_points_inside(std::string const& text)
{
    std::error_code code;
    auto const rate = Rate::parse(text, code);
    try {
        EXPECT_EQ(Rate::parse(text), rate);
        EXPECT_FALSE(code);
        EXPECT_EQ(Rate::parse(to_string(rate)), rate);
    } catch (Error const& error) {
        EXPECT_EQ(code, Errc::invalid_argument);
        auto const position = position_in(error.what());
        EXPECT_GE(position, 1u) << error.what();
        EXPECT_LE(position, text.size() + 1) << error.what();
        for (char const c : std::string_view{error.what()}) EXPECT_TRUE(c >= ' ' && c <= '~') << error.what();
    }
}

TEST(RateProperty, AnyRateRoundTrips)
{
    SCOPED_TRACE(seed_text());
    Random random;
    for (int i = 0; i < 20'000; ++i) {
        auto const rate = random_rate(random);
        auto const text = to_string(rate);
        ASSERT_EQ(Rate::parse(text), rate) << text;
        ASSERT_EQ(to_string(Rate::parse(text)), text);
    }
}

TEST(RateProperty, AnyBytesParseOrPointInside)
{
    SCOPED_TRACE(seed_text());
    Random random;
    for (int i = 0; i < 20'000 && !::testing::Test::HasFailure(); ++i) {
        std::string text(random.between<std::size_t>(0, 24), '\0');
        for (char& c : text) c = static_cast<char>(random.between(-128, 127));
        SCOPED_TRACE(i);
        expect_parses_or_points_inside(text);
    }
}

TEST(RateProperty, AnyPiecesParseOrPointInside)
{
    static constexpr std::string_view pieces[] = {"1",
                                                  "5",
                                                  "0",
                                                  "9999999999",
                                                  "/",
                                                  "s",
                                                  "ms",
                                                  "us",
                                                  "m",
                                                  "h",
                                                  "day",
                                                  "months",
                                                  "years",
                                                  ";burst=",
                                                  "burst",
                                                  ";",
                                                  "@",
                                                  "UTC",
                                                  "Europe/Berlin",
                                                  "localtime",
                                                  "-",
                                                  "+",
                                                  " ",
                                                  "2",
                                                  "1000",
                                                  ".",
                                                  "x",
                                                  "=",
                                                  "1/s",
                                                  "/2s",
                                                  "at character 9"};
    SCOPED_TRACE(seed_text());
    Random random;
    for (int i = 0; i < 20'000 && !::testing::Test::HasFailure(); ++i) {
        std::string text;
        for (auto n = random.between(0, 7); n > 0; --n) text += random.pick(pieces);
        SCOPED_TRACE(text);
        expect_parses_or_points_inside(text);
    }
}

TEST(RateProperty, ABrokenRateParsesOrPointsInside)
{
    SCOPED_TRACE(seed_text());
    Random random;
    for (int i = 0; i < 20'000 && !::testing::Test::HasFailure(); ++i) {
        auto text = to_string(random_rate(random));
        auto const at = random.between<std::size_t>(0, text.size() - 1);
        switch (random.between(0, 2)) {
        case 0: text.erase(at, 1); break;
        case 1: text.insert(at, 1, static_cast<char>(random.between(0, 127))); break;
        default: text[at] = static_cast<char>(random.between(0, 127));
        }
        SCOPED_TRACE(text);
        expect_parses_or_points_inside(text);
    }
}

}  // namespace
}  // namespace ration
