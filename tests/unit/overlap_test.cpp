// When two calls at a time are worth it: a server and a client of which one or the other is the slow one, and time by hand.

#include "core/overlap.hpp"

#include <gtest/gtest.h>

namespace ration::core {
namespace {

using namespace std::chrono_literals;

/// A crowd of 64, and how long it takes the two ways to decide about all of it once.
class OverlapTest : public testing::Test {
protected:
    static constexpr std::size_t crowd = 64;

    /// Rounds of one trial.
    static constexpr std::size_t trial = Overlap::stretch / crowd;

    /// In how many of them two calls were out.
    std::size_t rounds(std::size_t count, Duration with_one, Duration with_two)
    {
        std::size_t twos = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (overlap.wanted()) ++twos;
            now += overlap.wanted() ? with_two : with_one;
            overlap.decided(crowd, now);
        }
        return twos;
    }

    Overlap overlap = Overlap::learned();
    Time now{1h};
};

TEST_F(OverlapTest, BeginsWithOne)
{
    EXPECT_FALSE(overlap.wanted());
    EXPECT_EQ(rounds(trial, 70us, 40us), 0u);
}

TEST_F(OverlapTest, KeepsTwoWhereTheyAreQuicker)
{
    rounds(4 * trial, 70us, 40us);
    EXPECT_GT(rounds(1000 * trial, 70us, 40us), 970 * trial);
}

TEST_F(OverlapTest, KeepsOneWhereTwoAreSlower)
{
    rounds(4 * trial, 70us, 140us);
    EXPECT_LT(rounds(1000 * trial, 70us, 140us), 30 * trial);
}

TEST_F(OverlapTest, KeepsOneWhereTwoAreHardlyQuicker)
{
    rounds(4 * trial, 70us, 65us);
    EXPECT_LT(rounds(1000 * trial, 70us, 65us), 30 * trial) << "every call is work for the server";
}

TEST_F(OverlapTest, NoticesThatTheWorldHasChanged)
{
    rounds(1000 * trial, 70us, 40us);
    rounds(70 * trial, 70us, 140us);
    EXPECT_LT(rounds(100 * trial, 70us, 140us), 10 * trial);
    rounds(1000 * trial, 70us, 140us);
    rounds(70 * trial, 70us, 40us);
    EXPECT_GT(rounds(100 * trial, 70us, 40us), 90 * trial);
}

TEST_F(OverlapTest, LearnsNothingFromCallersWhoComeNowAndThen)
{
    for (std::size_t i = 0; i < 100 * trial; ++i) {
        EXPECT_FALSE(overlap.wanted());
        now += 70us;
        overlap.decided(crowd, now);
        overlap.rest();
    }
}

TEST_F(OverlapTest, ATrialThatIsCutShortIsOver)
{
    rounds(trial + 1, 70us, 40us);
    ASSERT_TRUE(overlap.wanted()) << "the trial";
    overlap.rest();
    EXPECT_FALSE(overlap.wanted()) << "who comes now and then is not part of it";
    rounds(4 * trial, 70us, 40us);
    EXPECT_GT(rounds(1000 * trial, 70us, 40us), 970 * trial) << "it is tried again";
    overlap.rest();
    EXPECT_TRUE(overlap.wanted()) << "what was learned is kept";
}

TEST_F(OverlapTest, AClockThatStandsStillDoesNoHarm)
{
    rounds(100 * trial, 0us, 0us);
    rounds(4 * trial, 70us, 40us);
    EXPECT_GT(rounds(1000 * trial, 70us, 40us), 900 * trial);
}

TEST_F(OverlapTest, CanBeSettledBeforehand)
{
    overlap = Overlap::never();
    EXPECT_EQ(rounds(100 * trial, 70us, 40us), 0u);
    overlap = Overlap::always();
    EXPECT_EQ(rounds(100 * trial, 70us, 140us), 100 * trial);
}

}  // namespace
}  // namespace ration::core
