// Closing, destroying and cancelling at the worst moment: everybody is told once, nobody hangs.

#include "concurrency/crowd.hpp"

namespace ration::concurrency {
namespace {

/// What the threads do until they are told that the client is closed.
void work_until_closed(RateLimiter limiter, KeyedRateLimiter keyed, int thread, std::atomic<int>& started,
                       std::atomic<int>& completed)
{
    auto random = random_for(thread);
    auto const count = [&completed](error_code error, Decision) {
        EXPECT_TRUE(!error || error == Errc::client_closed) << error.message();
        ++completed;
    };
    try {
        for (;;) {
            switch (pick(random, 0, 6)) {
            case 0: (void)limiter.try_acquire(); break;
            case 1: (void)limiter.try_acquire_for(1ms); break;
            case 2: limiter.acquire(); break;
            case 3: keyed.acquire("key " + std::to_string(pick(random, 0, 3))); break;
            case 4: limiter.release(1); break;
            case 5:
                ++started;
                limiter.async_acquire(1, count);
                break;
            default: ++started; keyed.async_acquire("key " + std::to_string(pick(random, 0, 3)), 1, count);
            }
        }
    } catch (Error const& error) {
        EXPECT_EQ(error.code(), Errc::client_closed) << error.what();
    }
}

TEST(Closing, TellsEverybody)
{
    for (int round = 0; round < scaled(100); ++round) {
        Client client{"memory:"};
        auto limiter = client.rate_limiter("one");
        limiter.set_rate(Rate::per(5, 1ms));
        auto keyed = client.keyed_rate_limiter("keys", {.rate = Rate::per(5, 1ms)});
        std::atomic<int> started{0};
        std::atomic<int> completed{0};
        std::jthread const closer{[&] {
            await([&] { return client.stats().decisions > 200; });
            client.close();
        }};
        run_crowd(crowd_size,
                  [&](int thread) { work_until_closed(limiter, keyed, thread, started, completed); });
        await([&] { return completed == started; });
        EXPECT_EQ(client.stats().waiters, 0u);
    }
}

TEST(Closing, DestroyingTheClientTellsEverybodyToo)
{
    for (int round = 0; round < scaled(100); ++round) {
        std::optional<Client> client{"memory:"};
        auto limiter = client->rate_limiter("one");
        limiter.set_rate(Rate::per(5, 1ms));
        auto keyed = client->keyed_rate_limiter("keys", {.rate = Rate::per(5, 1ms)});
        std::atomic<int> started{0};
        std::atomic<int> completed{0};
        std::jthread const destroyer{[&] {
            await([&] { return client->stats().decisions > 200; });
            client.reset();
        }};
        run_crowd(crowd_size,
                  [&](int thread) { work_until_closed(limiter, keyed, thread, started, completed); });
        await([&] { return completed == started; });
    }
}

TEST(Closing, WhileAnotherThreadMovesTheClock)
{
    for (int round = 0; round < scaled(200); ++round) {
        auto const clock = std::make_shared<ManualClock>();
        std::optional<Client> client{std::in_place, "memory:", ClientOptions{.clock = clock}};
        auto limiter = client->rate_limiter("one");
        limiter.set_rate(Rate::per(1, 1ms));
        std::atomic<int> completed{0};
        for (int i = 0; i < 50; ++i) limiter.async_acquire(1, [&](error_code, Decision) { ++completed; });
        std::jthread const destroyer{[&] {
            await([&] { return completed > round % 20; });
            client.reset();
        }};
        for (int i = 0; i < 60; ++i) clock->advance(1ms);
        await([&] { return completed == 50; });
    }
}

/// Runs `hook` once, in the middle of a decision: just when the clock is read.
class HookedClock final : public Clock {
public:
    Time now() const noexcept override
    {
        if (auto run = std::exchange(hook, nullptr)) run();
        return system_clock()->now();
    }
    Time wall() const noexcept override { return system_clock()->wall(); }

    std::function<void()> mutable hook;
};

/// Runs `hook` once, just when a handler is handed to it: in the middle of the queue's work.
class HookedExecutor {
public:
    HookedExecutor(asio::io_context& io, std::function<void()>& hook) noexcept : io_{&io}, hook_{&hook} {}

    template <class Function>
    void execute(Function&& function) const
    {
        if (auto run = std::exchange(*hook_, nullptr)) run();
        asio::require(io_->get_executor(), asio::execution::blocking.never)
            .execute(std::forward<Function>(function));
    }

    asio::execution_context& query(asio::execution::context_t) const noexcept { return *io_; }
    HookedExecutor require(asio::execution::blocking_t::never_t) const noexcept { return *this; }
    friend bool operator==(HookedExecutor const&, HookedExecutor const&) noexcept = default;

private:
    asio::io_context* io_;
    std::function<void()>* hook_;
};

TEST(Cancelling, WhatIsDecidedButNotYetHandedOut)
{
    Client client{"memory:", {.clock = std::make_shared<ManualClock>()}};
    auto limiter = client.rate_limiter("one");
    limiter.set_rate(Rate::per(2, 1h));
    limiter.acquire(2);

    asio::io_context io;
    std::function<void()> hook;
    int first = 0;
    limiter.async_acquire(1, asio::bind_executor(HookedExecutor{io, hook}, [&](error_code error, Decision) {
                              EXPECT_FALSE(error);
                              ++first;
                          }));
    auto head = limiter.async_acquire(2, asio::use_future);

    // While the first is told of its grant, somebody asks, is denied because of the head, and cancels twice before
    // he could hear of it.
    asio::cancellation_signal signal;
    int answers = 0;
    hook = [&] {
        limiter.async_try_acquire(
            1, asio::bind_cancellation_slot(signal.slot(),
                                            asio::bind_executor(io, [&](error_code, Decision decision) {
                                                EXPECT_FALSE(decision.granted);
                                                ++answers;
                                            })));
        signal.emit(asio::cancellation_type::total);
        signal.emit(asio::cancellation_type::terminal);
    };
    limiter.release(1);
    io.run();
    EXPECT_EQ(first, 1);
    EXPECT_EQ(answers, 1);
    EXPECT_EQ(client.stats().waiters, 1u);
    limiter.release(2);
    ASSERT_EQ(head.wait_for(20s), std::future_status::ready) << "the head was forgotten";
    EXPECT_TRUE(head.get());
}

/// A thread cancels while another hands out the grant.
TEST(Cancelling, WhileItIsHandedOut)
{
    Client client{"memory:", {.clock = std::make_shared<ManualClock>()}};
    auto limiter = client.rate_limiter("one");
    limiter.set_rate(Rate::per(1, 1h));
    limiter.acquire();

    asio::cancellation_signal signal;
    std::atomic<int> round = 0;
    std::atomic<int> cancelled = 0;
    std::atomic<int> answers = 0;
    constexpr int rounds = 10'000;
    std::jthread const canceller{[&] {
        for (int i = 1; i <= rounds; ++i) {
            while (round < i) std::this_thread::yield();
            signal.emit(asio::cancellation_type::total);
            cancelled = i;
        }
    }};
    for (int i = 1; i <= rounds; ++i) {
        bool granted = false;
        limiter.async_acquire(1,
                              asio::bind_cancellation_slot(signal.slot(), [&](error_code, Decision decision) {
                                  granted = decision.granted;
                                  ++answers;
                              }));
        round = i;
        limiter.release(1);
        while (cancelled < i || answers < i) std::this_thread::yield();
        if (!granted) limiter.acquire();
    }
    EXPECT_EQ(client.stats().waiters, 0U);
}

TEST(Closing, JustBeforeAKeysFirstWaiterJoins)
{
    auto const clock = std::make_shared<HookedClock>();
    Client client{"memory:", {.clock = clock}};
    auto keyed = client.keyed_rate_limiter("keys", {.rate = Rate::per(1, 1h)});
    keyed.acquire("ann");
    clock->hook = [&] { client.close(); };  // after the check that it is open
    auto waiting = std::async(std::launch::async, [&] { return keyed.acquire("ann"); });
    if (waiting.wait_for(20s) != std::future_status::ready) {
        client.close();  // finds it now
        ADD_FAILURE() << "waits for ever";
    }
    EXPECT_THROW(waiting.get(), Error);
}

}  // namespace
}  // namespace ration::concurrency
