#include "client/looking.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ration::client {
namespace {

/// How many times in a row it says that looking does not pay.
int left_out(Looking& looking)
{
    int count = 0;
    while (!looking.pays()) ++count;
    return count;
}

TEST(Looking, PaysAsLongAsItFinds)
{
    Looking looking;
    for (int i = 0; i < 1000; ++i) {
        ASSERT_TRUE(looking.pays());
        looking.found_it();
    }
}

TEST(Looking, IsTriedLessAndLessInVain)
{
    Looking looking;
    std::vector<int> gaps;
    for (int i = 0; i < 9; ++i) {
        looking.was_in_vain();
        gaps.push_back(left_out(looking));
    }
    EXPECT_EQ(gaps, (std::vector{1, 3, 7, 15, 31, 63, 63, 63, 63}));
}

TEST(Looking, ComesBackWithTheFirstAnswerThatItFinds)
{
    Looking looking;
    for (int i = 0; i < 9; ++i) looking.was_in_vain();
    EXPECT_EQ(left_out(looking), 63);
    looking.found_it();
    EXPECT_TRUE(looking.pays());
    looking.was_in_vain();
    EXPECT_EQ(left_out(looking), 1) << "one answer that came late is not a slow server";
}

}  // namespace
}  // namespace ration::client
