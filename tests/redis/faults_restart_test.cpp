// A server that dies by kill -9 and comes back with what it had answered.

#include "redis/load.hpp"
#include "redis/outcomes.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <gtest/gtest.h>

#include <future>

namespace ration::redis_test {
namespace {

/// What a server may take until its clients have found it again.
constexpr auto recovery = 1s;

TEST(ARestart, LosesNoGrantAndNeedsNobodyToActOnIt)
{
    RedisServer server{{.append_only = true}};
    Client client{server.unix_url(), {.command_timeout = recovery}};
    auto limiter = client.rate_limiter("one");
    limiter.set_rate(Rate::per(10, 1h));
    EXPECT_TRUE(limiter.try_acquire(4));

    server.kill_hard();
    auto const down = outcome_of([&] { return limiter.try_acquire(); });
    EXPECT_TRUE(down.code == Errc::store_unavailable || down.code == Errc::outcome_unknown) << down.sentence;
    server.start();
    auto const back = SteadyClock::now();
    EXPECT_TRUE(
        becomes_true([&] { return outcome_of([&] { return limiter.try_acquire(); }).decision.granted; }));
    EXPECT_LT(SteadyClock::now() - back, recovery + slack / 2);

    EXPECT_EQ(limiter.available_permits(), 10 - 4 - 1);
    EXPECT_TRUE(limiter.try_acquire(5));
    EXPECT_FALSE(limiter.try_acquire());
    EXPECT_EQ(client.stats().reconnects, 1U);
}

TEST(ARestart, IsFoundByAClientThatNobodyUsesMeanwhile)
{
    RedisServer server{{.append_only = true}};
    Client client{server.unix_url(), {.command_timeout = recovery + slack / 2}};
    auto limiter = client.rate_limiter("one");
    limiter.set_rate(Rate::per(10, 1h));
    server.kill_hard();
    server.start();
    EXPECT_TRUE(limiter.try_acquire()) << "within a command's time, at the first attempt";
}

TEST(ARestart, UnderLoadLetsNothingTooMuchThroughAndNobodyHang)
{
    auto const rate = Rate::per(100, 100ms);
    RedisServer server{{.append_only = true}};
    Client first{server.unix_url(), {.command_timeout = recovery}};
    Client second{server.unix_url(), {.command_timeout = recovery}};
    auto limiter = first.rate_limiter("shared");
    limiter.set_rate(rate);

    Load one{limiter, {.threads = 4, .seed = 1}};
    Load other{second.rate_limiter("shared"), {.threads = 4, .seed = 2}};
    for (int round = 0; round < 3; ++round) {
        std::this_thread::sleep_for(200ms);
        server.kill_hard();
        std::this_thread::sleep_for(50ms);
        server.start();
        auto const back = SteadyClock::now();
        EXPECT_TRUE(
            becomes_true([&] { return !outcome_of([&] { return limiter.try_acquire_for(500ms); }).code; }));
        EXPECT_LT(SteadyClock::now() - back, recovery + slack);
    }
    auto tally = one.finish();
    tally += other.finish();

    EXPECT_EQ(tally.surprise, "");
    EXPECT_LE(most_in_an_interval(tally.claims, rate), rate.permits());
    EXPECT_GT(tally.granted, 3 * rate.permits()) << "they went on";
    EXPECT_TRUE(limiter.try_acquire_for(5s, rate.permits())) << "all comes free again";
    EXPECT_EQ(RespClient{server.socket_path()}.text("GET", "{shared}:value"), "0");
}

TEST(ARestart, EndsThoseWhoWaitForPermits)
{
    RedisServer server{{.append_only = true}};
    Client client{server.unix_url(), {.command_timeout = recovery}};
    auto limiter = client.rate_limiter("one");
    limiter.set_rate(Rate::per(1, 300ms));
    EXPECT_TRUE(limiter.try_acquire());
    constexpr std::size_t count = 8;
    std::vector<std::future<Outcome>> waiters;
    waiters.reserve(count);
    while (waiters.size() < count) {
        waiters.push_back(
            std::async(std::launch::async, [&] { return outcome_of([&] { return limiter.acquire(); }); }));
    }
    ASSERT_TRUE(becomes_true([&] { return client.stats().waiters == count; }));

    server.kill_hard();
    for (auto& waiter : waiters) {
        auto const outcome = waiter.get();
        EXPECT_TRUE(outcome.decision.granted || outcome.code == Errc::store_unavailable) << outcome.sentence;
    }
    EXPECT_EQ(client.stats().waiters, 0U);
}

}  // namespace
}  // namespace ration::redis_test
