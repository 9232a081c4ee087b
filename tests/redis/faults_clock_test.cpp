// A server whose clock is set while permits are in use.

#include "redis/outcomes.hpp"
#include "redis/support/redis_server.hpp"

#include <gtest/gtest.h>

namespace ration::redis_test {
namespace {

constexpr auto interval = 60s;

class SetClock : public testing::TestWithParam<Algorithm> {
protected:
    SetClock() { limiter_.set_rate(Rate::per(10, interval)); }

    RedisServer server_{{.own_clock = true}};
    Client client_{server_.unix_url(), {.command_timeout = 5s}};
    RateLimiter limiter_ = client_.rate_limiter("one", {.algorithm = GetParam()});
};

TEST_P(SetClock, BackGivesNothingAwayAndDelaysByAtMostTheStep)
{
    EXPECT_TRUE(limiter_.try_acquire(10));
    server_.clock().step(-1h);
    auto const denied = limiter_.try_acquire();
    EXPECT_FALSE(denied.granted);
    EXPECT_GT(denied.retry_after, Duration{});
    EXPECT_LE(denied.retry_after, 1h + interval);
    EXPECT_LE(denied.reset_after, 1h + interval);

    server_.clock().step(denied.retry_after);
    EXPECT_TRUE(limiter_.try_acquire()) << "at the moment that was named";
    server_.clock().step(1h + interval);
    EXPECT_EQ(limiter_.available_permits(), 10);
}

TEST_P(SetClock, BackLeavesWhatIsFreeFree)
{
    EXPECT_TRUE(limiter_.try_acquire(4));
    server_.clock().step(-1h);
    EXPECT_EQ(limiter_.available_permits(), 6);
    EXPECT_TRUE(limiter_.try_acquire(6));
    EXPECT_FALSE(limiter_.try_acquire());
    server_.clock().step(1h);
    EXPECT_LE(limiter_.available_permits(), 10);
    server_.clock().step(interval);
    EXPECT_EQ(limiter_.available_permits(), 10) << "nothing is left behind";
}

TEST_P(SetClock, ForwardFreesWhatItsTimeHasCome)
{
    EXPECT_TRUE(limiter_.try_acquire(10));
    server_.clock().step(1h);
    EXPECT_EQ(limiter_.available_permits(), 10);
    EXPECT_TRUE(limiter_.try_acquire(10));
    EXPECT_FALSE(limiter_.try_acquire());
}

INSTANTIATE_TEST_SUITE_P(OfA, SetClock,
                         testing::Values(Algorithm::sliding_log, Algorithm::fixed_window,
                                         Algorithm::token_bucket),
                         [](auto const& each) { return std::string{to_string(each.param)}; });

// ---- what one algorithm is enough to show, or has to itself ----

class SetClockOfALog : public SetClock {};

TEST_P(SetClockOfALog, ForwardIsSeenByThoseWhoWait)
{
    EXPECT_TRUE(limiter_.try_acquire(10));
    std::jthread const operator_{[&] {
        EXPECT_TRUE(becomes_true([&] { return client_.stats().waiters == 1; }));
        server_.clock().step(1h);
    }};
    auto const served = outcome_of([&] { return limiter_.try_acquire_for(2 * interval); });
    EXPECT_TRUE(served.decision.granted);
    EXPECT_LT(served.took, 5s + slack) << "it looks every 5 s";
}

TEST_P(SetClockOfALog, BackAndForthUnderUseNeverShowsMoreThanTheRate)
{
    for (int i = 0; i < 5; ++i) {
        while (limiter_.try_acquire(3)) {}
        server_.clock().step(-10min);
        EXPECT_FALSE(limiter_.try_acquire(3));
        server_.clock().step(10min);
        EXPECT_FALSE(limiter_.try_acquire(3)) << "back where it was, all is as it was";
        server_.clock().step(interval);
    }
    EXPECT_EQ(limiter_.available_permits(), 10);
}

INSTANTIATE_TEST_SUITE_P(OfA, SetClockOfALog, testing::Values(Algorithm::sliding_log));

}  // namespace
}  // namespace ration::redis_test
