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

/// Most answers are found without reading the clock, but not for longer than it shows the same.
TEST_P(QuickLimiter, TimeGoesOn)
{
    constexpr Duration interval = 2ms;
    constexpr Duration error_of_a_clock = 10us;
    for (int i = 0; i < 20; ++i) {
        limiter.set_rate(Rate::per(1, interval));
        auto const begin = std::chrono::steady_clock::now();
        ASSERT_TRUE(limiter.try_acquire());
        while (!limiter.try_acquire()) ASSERT_LT(std::chrono::steady_clock::now() - begin, 60s);
        ASSERT_GE(std::chrono::steady_clock::now() - begin, interval - error_of_a_clock);
    }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, QuickLimiter,
                         ::testing::Values(Algorithm::sliding_log, Algorithm::fixed_window,
                                           Algorithm::token_bucket),
                         [](auto const& test) { return std::string{to_string(test.param)}; });

/// An entry with a rate whose time is known from tick 1000 to 1999, for whoever does `action` with it under its lock.
template <class Action>
bool stays_plain(Action action)
{
    memory::Entry entry;
    std::unique_lock lock{entry};
    entry.config.emplace();
    entry.config->algorithm = Algorithm::token_bucket;
    entry.config->rate = Rate::per_day(10);
    entry.state.emplace(Algorithm::token_bucket, Rate::per_day(10));
    entry.advance(Time{5s}, {1000, 1000});
    lock.unlock();
    EXPECT_FALSE(entry.is_plain_at(999));
    EXPECT_TRUE(entry.is_plain_at(1000));
    EXPECT_TRUE(entry.is_plain_at(1999));
    EXPECT_FALSE(entry.is_plain_at(2000));
    lock.lock();
    action(entry);
    lock.unlock();
    return entry.is_plain_at(1000);
}

// No real clock meets the microsecond in which it would matter.
TEST(Entry, IsPlainUntilSomethingHappens)
{
    using memory::Entry;
    EXPECT_TRUE(stays_plain([](Entry&) {}));
    EXPECT_TRUE(stays_plain([](Entry& entry) { entry.expires_at = Time{5s} + 1us; }));
    EXPECT_FALSE(stays_plain([](Entry& entry) { entry.expires_at = Time{5s}; }));
    EXPECT_FALSE(stays_plain([](Entry& entry) { ++entry.gates_shut; }));
    EXPECT_FALSE(stays_plain([](Entry& entry) { entry.advance(Time{5s} + 1us); }));
    EXPECT_FALSE(stays_plain([](Entry& entry) { entry.clear(); }));
    EXPECT_FALSE(stays_plain([](Entry& entry) { entry.forget_grants(); }));
    EXPECT_FALSE(stays_plain([](Entry& entry) { entry.config->type = RateType::per_client; }));
    EXPECT_FALSE(stays_plain([](Entry& entry) { entry.config->keep_alive = 1h; }));
    EXPECT_FALSE(stays_plain([](Entry& entry) { entry.config->algorithm = Algorithm::calendar_window; }));
}

/// Two threads pass one cache line to and fro, not two.
TEST(Entry, WhatADecisionWritesLiesInOneCacheLine)
{
    memory::Entry const entry;
    auto const end_of_cell =
        reinterpret_cast<char const*>(&entry.state) + sizeof(core::TokenBucket::Cell);  // NOLINT
    EXPECT_LE(end_of_cell - reinterpret_cast<char const*>(&entry), 64);                 // NOLINT
    EXPECT_LT(static_cast<void const*>(&entry.tally), static_cast<void const*>(&entry.state));
    EXPECT_LT(static_cast<void const*>(&entry.latest), static_cast<void const*>(&entry.state));
}

}  // namespace
}  // namespace ration::conformance
