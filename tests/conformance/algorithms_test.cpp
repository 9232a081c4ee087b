// All four algorithms through the API: exact moments. The algorithms themselves have tests of their own.

#include "conformance/world.hpp"

namespace ration::conformance {
namespace {

class Algorithms : public Conformance {
public:
    /// Denied one step before what `retry_after` said, granted at it.
    void expect_exact_wait(RateLimiter& limiter, Permits n, Duration wait)
    {
        SCOPED_TRACE(std::to_string(n) + " permits after " + std::to_string(wait.count()) + " us");
        auto const denied = limiter.try_acquire(n);
        EXPECT_FALSE(denied);
        EXPECT_THAT(denied.retry_after, about(wait));
        if (time_stands_still()) {
            advance(denied.retry_after - 1ms);
            auto const early = limiter.try_acquire(n);
            EXPECT_FALSE(early);
            EXPECT_EQ(early.retry_after, 1ms);
            advance(1ms);
        } else {
            advance(wait);
        }
        EXPECT_TRUE(limiter.try_acquire(n));
    }

    RateLimiter limiter_of(Algorithm algorithm, Rate const& rate)
    {
        auto made = limiter(to_string(algorithm), {.algorithm = algorithm});
        made.set_rate(rate);
        return made;
    }
};
RATION_CONFORMANCE(Algorithms);

class AlgorithmsInStoppedTime : public Algorithms {};
RATION_CONFORMANCE_IN_STOPPED_TIME(AlgorithmsInStoppedTime);

TEST_P(Algorithms, SlidingLogFreesEachGrantAfterItsInterval)
{
    auto limiter = limiter_of(Algorithm::sliding_log, Rate::per(5, 1s));
    EXPECT_TRUE(limiter.try_acquire(2));
    if (!time_stands_still()) return expect_exact_wait(limiter, 4, 1s);
    advance(400ms);
    EXPECT_TRUE(limiter.try_acquire(3));
    expect_exact_wait(limiter, 2, 600ms);  // at 1 s: the two
    expect_exact_wait(limiter, 3, 400ms);  // at 1.4 s: the three
    expect_exact_wait(limiter, 5, 1s);     // at 2.4 s: all
}

TEST_P(Algorithms, FixedWindowFreesAllAtOnce)
{
    auto limiter = limiter_of(Algorithm::fixed_window, Rate::per(5, 1s));
    EXPECT_TRUE(limiter.try_acquire(1));
    if (!time_stands_still()) return expect_exact_wait(limiter, 5, 1s);
    advance(600ms);
    EXPECT_TRUE(limiter.try_acquire(4));
    expect_exact_wait(limiter, 5, 400ms);  // the window opened with the first grant
    EXPECT_THAT(limiter.try_acquire(1).reset_after, about(1s));
}

TEST_P(Algorithms, TokenBucketRefillsEvenly)
{
    auto limiter = limiter_of(Algorithm::token_bucket, Rate::per(10, 1s).with_burst(20));
    EXPECT_TRUE(limiter.try_acquire(20)) << "the burst";
    expect_exact_wait(limiter, 1, 100ms);
    if (!time_stands_still()) return;
    expect_exact_wait(limiter, 3, 300ms);
    expect_exact_wait(limiter, 20, 2s);
    advance(1h);
    EXPECT_EQ(limiter.available_permits(), 20);
}

TEST_P(AlgorithmsInStoppedTime, CalendarWindowEndsWithItsUnit)
{
    // It is 2026-01-01 00:00 UTC: 08:00 in Shanghai.
    auto limiter =
        limiter_of(Algorithm::calendar_window, Rate::calendar(100, CalendarUnit::day, "Asia/Shanghai"));
    EXPECT_TRUE(limiter.try_acquire(100));
    expect_exact_wait(limiter, 1, 16h);
    EXPECT_TRUE(limiter.try_acquire(99));
    expect_exact_wait(limiter, 100, 24h);
}

TEST_P(Algorithms, CalendarWindowOfASecond)
{
    auto limiter = limiter_of(Algorithm::calendar_window, Rate::calendar(2, CalendarUnit::second));
    advance(300ms);
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(limiter.try_acquire());
    if (time_stands_still()) return expect_exact_wait(limiter, 2, 700ms);
    advance(1s);
    EXPECT_TRUE(limiter.try_acquire(2));
}

TEST_P(AlgorithmsInStoppedTime, RetryAfterIsExactToTheMicrosecond)
{
    struct Row {
        Algorithm algorithm;
        Rate rate;
    };
    Row const rows[] = {
        {Algorithm::sliding_log, Rate::per(900'000, 1s)},
        {Algorithm::fixed_window, Rate::per(1'000'003, 24h)},
        {Algorithm::token_bucket, Rate::per(900'000, 1s)},
        {Algorithm::token_bucket, Rate::per(1'000'003, 24h)},
        {Algorithm::token_bucket, Rate::per(Rate::max_permits, 1s)},
        {Algorithm::token_bucket, Rate::per(1, Rate::max_interval)},
        {Algorithm::calendar_window, Rate::calendar(3, CalendarUnit::month, "America/New_York")},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(to_string(row.rate));
        auto limiter = limiter_of(row.algorithm, row.rate);
        limiter.acquire(row.rate.permits());
        auto const denied = limiter.try_acquire();
        EXPECT_FALSE(denied);
        EXPECT_GT(denied.retry_after, 0us);
        advance(denied.retry_after - 1us);
        EXPECT_FALSE(limiter.try_acquire());
        advance(1us);
        EXPECT_TRUE(limiter.try_acquire());
    }
}

TEST_P(Algorithms, WaitersOfEveryAlgorithmAreServedAtTheirMoment)
{
    struct Row {
        Algorithm algorithm;
        Rate rate;
        Duration first;
        Duration second;
    };
    Row const rows[] = {
        {Algorithm::sliding_log, Rate::per(2, 1s), 1s, 1s},
        {Algorithm::fixed_window, Rate::per(2, 1s), 1s, 1s},
        {Algorithm::token_bucket, Rate::per(2, 1s), 500ms, 1s},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(to_string(row.algorithm));
        auto limiter = limiter_of(row.algorithm, row.rate);
        limiter.acquire(2);
        auto first = limiter.async_acquire(1, asio::use_future);
        auto second = limiter.async_acquire(1, asio::use_future);
        if (time_stands_still()) {
            advance(row.first - 1ms);
            EXPECT_TRUE(is_pending(first));
            advance(1ms);
            EXPECT_FALSE(is_pending(first));
            EXPECT_EQ(is_pending(second), row.second > row.first);
            advance(row.second - row.first);
        } else {
            advance(row.second);
        }
        EXPECT_TRUE(is_ready(first) && first.get());
        EXPECT_TRUE(is_ready(second) && second.get());
    }
}

TEST_P(AlgorithmsInStoppedTime, LogResolutionFreesNeighboursTogether)
{
    auto limiter = this->limiter("coarse", {.log_resolution = 100ms});
    limiter.set_rate(Rate::per(3, 1s));
    limiter.acquire();
    advance(60ms);
    limiter.acquire();  // joins the first, and both free when this one does
    advance(60ms);
    limiter.acquire();  // 120 ms after the first: on its own
    auto const denied = limiter.try_acquire();
    EXPECT_EQ(denied.retry_after, 940ms);
    EXPECT_EQ(denied.reset_after, 1s);
    advance(939ms);
    EXPECT_EQ(limiter.available_permits(), 0);
    advance(1ms);
    EXPECT_EQ(limiter.available_permits(), 2);
    advance(60ms);
    EXPECT_EQ(limiter.available_permits(), 3);
}

}  // namespace
}  // namespace ration::conformance
