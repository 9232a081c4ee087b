// A hundred thousand waiters on one limiter, and one on each of a hundred thousand.

#include "concurrency/crowd.hpp"

#include <malloc.h>

#include <iostream>

namespace ration::concurrency {
namespace {

constexpr int many = scaled(100'000);

/// Bytes in use by this program; under sanitizers nobody knows.
std::size_t bytes_in_use()
{
    return sanitized ? 0 : mallinfo2().uordblks + mallinfo2().hblkhd;
}

void report(char const* what, std::size_t before, int count)
{
    if (sanitized) return;
    auto const each = (bytes_in_use() - before) / static_cast<std::size_t>(count);
    ::testing::Test::RecordProperty(what, static_cast<int>(each));
    std::cout << "    " << what << ": " << each << '\n';
}

class ManyWaiters : public ::testing::Test {
public:
    std::shared_ptr<CountingClock> clock = std::make_shared<CountingClock>();
    Client client{"memory:", {.clock = clock}};
};

TEST_F(ManyWaiters, OnOneLimiterAreServedInOrder)
{
    auto limiter = client.rate_limiter("one");
    constexpr int permits = 100;
    limiter.set_rate(Rate::per(permits, 10ms));
    limiter.acquire(permits);
    std::vector<int> served;
    served.reserve(many);
    auto const before = bytes_in_use();
    for (int i = 0; i < many; ++i) {
        limiter.async_acquire(1, [&, i](error_code error, Decision) {
            EXPECT_FALSE(error);
            served.push_back(i);
        });
    }
    report("bytes per waiter on one limiter", before, many);
    EXPECT_EQ(client.stats().waiters, static_cast<std::uint64_t>(many));
    EXPECT_EQ(clock->made, 1) << "one timer for all";
    EXPECT_EQ(clock->sets, 1);

    clock->advance(10ms * (many / permits));
    ASSERT_EQ(served.size(), static_cast<std::size_t>(many));
    EXPECT_TRUE(std::is_sorted(served.begin(), served.end()));
    EXPECT_EQ(clock->made, 1);
    EXPECT_LE(clock->sets, 2 * many / permits) << "once for each window, not for each waiter";
    EXPECT_EQ(client.stats().waiters, 0u);
    EXPECT_LE(client.stats().calls, static_cast<std::uint64_t>(3 * many / permits)) << "nor a call for each";
}

TEST_F(ManyWaiters, OnOneLimiterCanAllBeCancelled)
{
    auto limiter = client.rate_limiter("one");
    constexpr int permits = 1000;
    limiter.set_rate(Rate::per(permits, 10ms));
    limiter.acquire(permits);
    std::vector<asio::cancellation_signal> signals(many);
    std::vector<int> served;
    std::atomic<int> cancelled{0};
    for (int i = 0; i < many; ++i) {
        auto const slot = signals[static_cast<std::size_t>(i)].slot();
        limiter.async_acquire(1, asio::bind_cancellation_slot(slot, [&, i](error_code error, Decision) {
                                  if (error == asio::error::operation_aborted) {
                                      ++cancelled;
                                  } else {
                                      served.push_back(i);
                                  }
                              }));
    }
    // Two of three, the head first, then from the back.
    for (int i = 0; i < many; i += 3)
        signals[static_cast<std::size_t>(i)].emit(asio::cancellation_type::terminal);
    for (int i = many - 1; i >= 0; --i) {
        if (i % 3 == 1) signals[static_cast<std::size_t>(i)].emit(asio::cancellation_type::terminal);
    }
    EXPECT_EQ(client.stats().waiters, static_cast<std::uint64_t>(many / 3));
    clock->advance(10ms * (many / permits + 1));
    await([&] { return cancelled == many - many / 3; });
    ASSERT_EQ(served.size(), static_cast<std::size_t>(many / 3));
    EXPECT_TRUE(std::is_sorted(served.begin(), served.end()));
    EXPECT_TRUE(std::all_of(served.begin(), served.end(), [](int i) { return i % 3 == 2; }));
}

TEST_F(ManyWaiters, OnOneLimiterEndWithTheirDeadlines)
{
    auto limiter = client.rate_limiter("one");
    limiter.set_rate(Rate::per(1, 1s));
    limiter.acquire();
    std::atomic<int> denied{0};
    std::atomic<int> granted{0};
    for (int i = 0; i < many; ++i) {
        limiter.async_try_acquire_for(
            1s + i * 1us, 1, [&](error_code, Decision decision) { ++(decision ? granted : denied); });
    }
    EXPECT_EQ(clock->made, 1);
    clock->advance(2s);
    EXPECT_EQ(granted, many > 1'000'000 ? 2 : 1);
    EXPECT_EQ(denied, many - 1);
    EXPECT_EQ(client.stats().waiters, 0u);
}

TEST_F(ManyWaiters, OneOnEachOfManyLimiters)
{
    std::atomic<int> served{0};
    auto const before = bytes_in_use();
    for (int i = 0; i < many; ++i) {
        auto limiter = client.rate_limiter("limiter " + std::to_string(i));
        limiter.set_rate(Rate::per(1, 1s));
        limiter.acquire();
        limiter.async_acquire(1, [&](error_code error, Decision) { served += error ? 0 : 1; });
    }
    report("bytes per limiter with one waiter", before, many);
    EXPECT_EQ(client.stats().waiters, static_cast<std::uint64_t>(many));
    EXPECT_EQ(clock->made, many) << "one timer for each limiter";
    EXPECT_EQ(clock->sets, many);
    clock->advance(999ms);
    EXPECT_EQ(served, 0);
    clock->advance(1ms);
    EXPECT_EQ(served, many);
    EXPECT_EQ(clock->sets, many) << "nobody waits any more";
}

TEST_F(ManyWaiters, OneOnEachOfManyKeys)
{
    auto limiter = client.keyed_rate_limiter("keys", {.rate = Rate::per(1, 1s)});
    std::atomic<int> served{0};
    auto const before = bytes_in_use();
    for (int i = 0; i < many; ++i) {
        auto const key = "key " + std::to_string(i);
        limiter.acquire(key);
        limiter.async_acquire(key, 1, [&](error_code error, Decision) { served += error ? 0 : 1; });
    }
    report("bytes per key with one waiter", before, many);
    EXPECT_EQ(clock->made, many + 1) << "and one for the sweeper";
    clock->advance(1s);
    EXPECT_EQ(served, many);
    clock->advance(20s);
    EXPECT_EQ(limiter.size(), 0u);
}

// ---- what is left behind ----

TEST_F(ManyWaiters, DroppedLimitersLeaveNothingBehind)
{
    auto const open_and_drop = [&](int from, int count) {
        for (int i = from; i < from + count; ++i) {
            auto limiter = client.rate_limiter("limiter " + std::to_string(i));
            limiter.set_rate(Rate::per(1, 1s), {.keep_alive = 1s});
            EXPECT_TRUE(limiter.try_acquire());
            if (i % 100 == 99) clock->advance(1s);  // all of these have expired
        }
    };
    open_and_drop(0, 1000);
    auto const before = bytes_in_use();
    open_and_drop(1000, many);
    if (!sanitized) {
        EXPECT_LE(bytes_in_use(), before + 200'000) << "for " << many << " names";
    }
    EXPECT_EQ(client.stats().decisions, static_cast<std::uint64_t>(many + 1000)) << "but they stay counted";
}

TEST_F(ManyWaiters, LimitersThatStayAreAllThatStays)
{
    for (int i = 0; i < 1000; ++i)
        client.rate_limiter("stays " + std::to_string(i)).set_rate(Rate::per(1, 1h));
    auto const before = bytes_in_use();
    for (int i = 0; i < many; ++i) (void)client.rate_limiter("opened only " + std::to_string(i)).exists();
    if (!sanitized) {
        EXPECT_LE(bytes_in_use(), before + 1'000'000);
    }
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(client.rate_limiter("stays " + std::to_string(i)).exists());
}

TEST_F(ManyWaiters, KeysLeaveNothingBehind)
{
    auto limiter = client.keyed_rate_limiter("keys", {.rate = Rate::per(1, 1s)});
    auto const wave = [&](int which) {
        for (int i = 0; i < many / 10; ++i) {
            auto const key = "wave " + std::to_string(which) + " key " + std::to_string(i);
            limiter.acquire(key);
            limiter.async_acquire(key, 1, asio::detached);
        }
        clock->advance(20s);
        EXPECT_EQ(limiter.size(), 0u);
    };
    for (int i = 0; i < 3; ++i) wave(i);
    auto const before = bytes_in_use();
    for (int i = 3; i < 10; ++i) wave(i);
    if (!sanitized) {
        EXPECT_LE(bytes_in_use(), before + 1'000'000);
    }
    EXPECT_EQ(client.stats().waiters, 0u);
}

TEST_F(ManyWaiters, DroppedKeyedLimitersLeaveNothingBehind)
{
    auto const open_and_drop = [&](int from, int count) {
        for (int i = from; i < from + count; ++i) {
            auto limiter =
                client.keyed_rate_limiter("keyed " + std::to_string(i), {.rate = Rate::per(1, 1s)});
            EXPECT_TRUE(limiter.try_acquire("ann"));
            clock->advance(2s);
        }
    };
    open_and_drop(0, 10);
    auto const before = bytes_in_use();
    open_and_drop(10, scaled(1000));
    if (!sanitized) {
        EXPECT_LE(bytes_in_use(), before + 1'000'000);
    }
}

}  // namespace
}  // namespace ration::concurrency
