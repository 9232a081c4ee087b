// The embedded store with the machine's own clock, which is what its short ways are for: another grant in the same
// microsecond, another denial while nothing is free. Nothing that happens to a limiter may be overlooked on them.
//
// All limits are per day, so that a slow machine changes nothing.

#include "conformance/world.hpp"
#include "memory/entry.hpp"

#include <future>

namespace ration::conformance {
namespace {

class QuickLimiter : public ::testing::TestWithParam<Algorithm> {
protected:
    /// Asks until nothing is left. Each answer must fit the one before.
    void empty(Permits left)
    {
        while (left > 0) {
            auto const decision = limiter.try_acquire();
            ASSERT_TRUE(decision.granted);
            ASSERT_EQ(decision.remaining, --left);
            ASSERT_EQ(decision.retry_after, 0s);
            ++granted;
        }
        expect_empty();
    }

    void expect_empty()
    {
        Duration before = Duration::max();
        for (int i = 0; i < 100; ++i, ++denied) {
            auto const decision = limiter.try_acquire();
            ASSERT_FALSE(decision.granted);
            ASSERT_EQ(decision.remaining, 0);
            ASSERT_GT(decision.retry_after, 0s);
            ASSERT_LE(decision.retry_after, before);
            ASSERT_GE(decision.reset_after, decision.retry_after);
            before = decision.retry_after;
        }
    }

    Client client{"memory:"};
    RateLimiter limiter = client.rate_limiter("quick", {.algorithm = GetParam()});
    std::uint64_t granted = 0;
    std::uint64_t denied = 0;
};

TEST_P(QuickLimiter, CountsDownToNothingAndCountsAll)
{
    limiter.set_rate(Rate::per_day(1000));
    empty(1000);
    EXPECT_EQ(client.stats().decisions, granted + denied);
    EXPECT_EQ(client.stats().denials.store, denied);
}

TEST_P(QuickLimiter, WhatIsGivenBackCanBeTakenAtOnce)
{
    limiter.set_rate(Rate::per_day(100));
    empty(100);
    limiter.release(7);
    empty(7);
}

TEST_P(QuickLimiter, AChangedRateCountsAtOnce)
{
    limiter.set_rate(Rate::per_day(100));
    empty(100);
    limiter.update_rate(Rate::per_day(110));
    empty(10);
    limiter.set_rate(Rate::per_day(5));
    empty(5);
    limiter.update_rate(Rate::per_day(3));
    expect_empty();
}

TEST_P(QuickLimiter, TheRateIsTheMostForOneRequest)
{
    limiter.set_rate(Rate::per_day(10));
    EXPECT_TRUE(limiter.try_acquire(3));
    expect_error(Errc::permits_exceed_rate, {"quick"}, [&] { (void)limiter.try_acquire(11); });
    auto const most = std::numeric_limits<Permits>::max();
    expect_error(Errc::permits_exceed_rate, {"quick"}, [&] { (void)limiter.try_acquire(most); });
    EXPECT_EQ(limiter.try_acquire(8).remaining, 7);
    empty(7);
}

TEST_P(QuickLimiter, WhatIsGoneIsGone)
{
    limiter.set_rate(Rate::per_day(10));
    EXPECT_TRUE(limiter.try_acquire());
    EXPECT_TRUE(limiter.remove());
    expect_error(Errc::not_initialized, {"quick"}, [&] { (void)limiter.try_acquire(); });

    limiter.set_rate(Rate::per_day(10));
    empty(10);
    EXPECT_TRUE(limiter.expire_at(std::chrono::system_clock::now() - 1h));
    expect_error(Errc::not_initialized, {"quick"}, [&] { (void)limiter.try_acquire(); });

    limiter.set_rate(Rate::per_day(10));
    empty(10);
    limiter.rename("elsewhere");
    expect_error(Errc::not_initialized, {"quick"}, [&] { (void)limiter.try_acquire(); });
    EXPECT_FALSE(client.rate_limiter("elsewhere").try_acquire());
}

TEST_P(QuickLimiter, AnotherAlgorithmIsNotMistakenForThisOne)
{
    auto const other_algorithm =
        GetParam() == Algorithm::token_bucket ? Algorithm::sliding_log : Algorithm::token_bucket;
    Client shared{"memory:quick"};
    auto mine = shared.rate_limiter("mail", {.algorithm = GetParam()});
    mine.set_rate(Rate::per_day(10));
    EXPECT_TRUE(mine.try_acquire());
    Client second{"memory:quick"};
    second.rate_limiter("mail", {.algorithm = other_algorithm}).set_rate(Rate::per_day(10));
    expect_error(Errc::config_conflict, {"mail"}, [&] { (void)mine.try_acquire(); });
}

TEST_P(QuickLimiter, EveryClientHasItsOwnIfTheTypeSaysSo)
{
    Client first{"memory:quick"};
    Client second{"memory:quick"};
    auto one = first.rate_limiter("mail", {.algorithm = GetParam()});
    auto other = second.rate_limiter("mail", {.algorithm = GetParam()});
    one.set_rate(Rate::per_day(2), {.type = RateType::overall});
    EXPECT_TRUE(one.try_acquire());
    EXPECT_TRUE(other.try_acquire());
    EXPECT_FALSE(one.try_acquire());
    one.set_rate(Rate::per_day(2), {.type = RateType::per_client});
    for (auto* const limiter_of_one : {&one, &other}) {
        EXPECT_TRUE(limiter_of_one->try_acquire());
        EXPECT_TRUE(limiter_of_one->try_acquire());
        EXPECT_FALSE(limiter_of_one->try_acquire());
    }
}

TEST_P(QuickLimiter, NobodyIsServedPastAWaiter)
{
    limiter.set_rate(Rate::per_day(10));
    EXPECT_TRUE(limiter.try_acquire(8));
    auto waiting = std::async(std::launch::async, [&] { return limiter.acquire(5).granted; });
    while (client.stats().waiters == 0) std::this_thread::yield();
    for (int i = 0; i < 100; ++i) ASSERT_FALSE(limiter.try_acquire().granted);
    limiter.release(8);
    EXPECT_TRUE(waiting.get());
    while (client.stats().waiters > 0) std::this_thread::yield();
    EXPECT_EQ(limiter.available_permits(), 5);
    EXPECT_TRUE(limiter.try_acquire());
}

TEST_P(QuickLimiter, AClosedClientDecidesNothing)
{
    limiter.set_rate(Rate::per_day(10));
    EXPECT_TRUE(limiter.try_acquire());
    client.close();
    expect_error(Errc::client_closed, {"quick"}, [&] { (void)limiter.try_acquire(); });
}

INSTANTIATE_TEST_SUITE_P(Algorithms, QuickLimiter,
                         ::testing::Values(Algorithm::sliding_log, Algorithm::fixed_window,
                                           Algorithm::token_bucket),
                         [](auto const& test) { return std::string{to_string(test.param)}; });

// No real clock meets the microsecond in which it would matter.
TEST(Entry, IsNotPlainWhileSomebodyWaits)
{
    memory::Entry entry;
    auto const change = [&](auto action) {
        std::lock_guard const lock{entry};
        action();
    };
    change([&] {
        entry.config.emplace();
        entry.config->algorithm = Algorithm::token_bucket;
        entry.config->rate = Rate::per_day(10);
        entry.state.emplace(Algorithm::token_bucket, Rate::per_day(10));
    });
    EXPECT_EQ(entry.plain_until, Time::max());
    change([&] { ++entry.gates_shut; });
    EXPECT_EQ(entry.plain_until, Time::min());
    change([&] { --entry.gates_shut; });
    EXPECT_EQ(entry.plain_until, Time::max());
}

}  // namespace
}  // namespace ration::conformance
