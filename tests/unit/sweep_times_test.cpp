#include "core/sweep_times.hpp"

#include <gtest/gtest.h>

namespace ration::core {
namespace {

using namespace std::chrono_literals;

constexpr Time now{1000s};

TEST(SweepTimes, TheEarliestWishCounts)
{
    SweepTimes times;
    EXPECT_EQ(times.next(), Time::max());
    EXPECT_TRUE(times.ask_by(now + 10ms));
    EXPECT_FALSE(times.ask_by(now + 10ms)) << "the alarm is set already";
    EXPECT_FALSE(times.ask_by(now + 20ms));
    EXPECT_TRUE(times.ask_by(now + 5ms));
    EXPECT_EQ(times.next(), now + 5ms);
}

TEST(SweepTimes, ASweepUsesThemUp)
{
    SweepTimes times;
    times.ask_by(now);
    EXPECT_TRUE(times.begin());
    EXPECT_EQ(times.next(), Time::max());
    EXPECT_FALSE(times.end()) << "nobody asked meanwhile";
    EXPECT_TRUE(times.begin());
}

TEST(SweepTimes, OneSweepAtATime)
{
    SweepTimes times;
    EXPECT_TRUE(times.begin());
    EXPECT_FALSE(times.begin());
    EXPECT_FALSE(times.begin());
    EXPECT_TRUE(times.end()) << "somebody asked meanwhile";
    EXPECT_TRUE(times.begin());
    EXPECT_FALSE(times.end()) << "but not again";
}

TEST(SweepTimes, AMomentThatComesWhileASweepIsOutDoesNotHideLaterOnes)
{
    SweepTimes times;
    EXPECT_TRUE(times.begin());
    EXPECT_TRUE(times.ask_by(now + 1ms));
    EXPECT_FALSE(times.begin()) << "the alarm rang";
    EXPECT_TRUE(times.end());
    EXPECT_TRUE(times.ask_by(now + 2ms)) << "the alarm must be set again";
}

TEST(SweepTimes, AMomentAfterTheSweepStays)
{
    SweepTimes times;
    EXPECT_TRUE(times.begin());
    EXPECT_TRUE(times.ask_by(now + 1h));
    EXPECT_FALSE(times.end());
    EXPECT_EQ(times.next(), now + 1h);
}

}  // namespace
}  // namespace ration::core
