// Eight threads, exact totals: no permit is lost, none is given out twice.

#include "concurrency/crowd.hpp"

namespace ration::concurrency {
namespace {

struct Kind {
    Algorithm algorithm;
    Rate rate;
};

/// Windows so long that nothing frees up in a test's time.
std::vector<Kind> endless(Permits permits)
{
    return {
        {Algorithm::sliding_log, Rate::per(permits, Rate::max_interval)},
        {Algorithm::fixed_window, Rate::per(permits, Rate::max_interval)},
        {Algorithm::calendar_window, Rate::calendar(permits, CalendarUnit::year, "UTC", 10)},
        // Refills one permit in a quarter of an hour at most.
        {Algorithm::token_bucket, Rate::per(1, Rate::max_interval).with_burst(permits)},
    };
}

TEST(Totals, OfOneLimiterWithARealClock)
{
    constexpr Permits permits = scaled(100'000);
    for (auto const& kind : endless(permits)) {
        SCOPED_TRACE(to_string(kind.algorithm));
        Client client{"memory:"};
        auto limiter = client.rate_limiter("one", {.algorithm = kind.algorithm});
        limiter.set_rate(kind.rate);
        std::atomic<Permits> granted{0};
        std::atomic<Permits> attempts{0};
        run_crowd(crowd_size, [&](int thread) {
            auto random = random_for(thread);
            for (int misses = 0; misses < 20;) {
                Permits const n = pick(random, 1, 5);
                ++attempts;
                if (limiter.try_acquire(n)) {
                    granted += n;
                } else {
                    ++misses;
                }
            }
            while (limiter.try_acquire()) ++granted, ++attempts;
            ++attempts;
        });
        EXPECT_EQ(granted, permits);
        EXPECT_EQ(limiter.available_permits(), 0);
        EXPECT_EQ(client.stats().decisions, static_cast<std::uint64_t>(attempts));
    }
}

TEST(Totals, OfManyLimiters)
{
    constexpr int limiters = 50;
    constexpr Permits permits = scaled(2000);
    std::vector<Client> clients;  // two of them, on one store
    clients.emplace_back("memory:totals");
    clients.emplace_back("memory:totals");
    for (int i = 0; i < limiters; ++i) {
        auto const kind = endless(permits)[static_cast<std::size_t>(i % 4)];
        clients[0]
            .rate_limiter("limiter " + std::to_string(i), {.algorithm = kind.algorithm})
            .set_rate(kind.rate);
    }
    std::vector<std::atomic<Permits>> granted(limiters);
    run_crowd(crowd_size, [&](int thread) {
        auto random = random_for(thread);
        auto& client = clients[static_cast<std::size_t>(thread % 2)];
        for (Permits i = 0; i < Permits{2} * limiters * permits / crowd_size; ++i) {
            int const which = pick(random, 0, limiters - 1);
            auto limiter = client.rate_limiter("limiter " + std::to_string(which));
            if (limiter.try_acquire()) ++granted[static_cast<std::size_t>(which)];
        }
    });
    for (int i = 0; i < limiters; ++i) {
        auto limiter = clients[0].rate_limiter("limiter " + std::to_string(i));
        while (limiter.try_acquire()) ++granted[static_cast<std::size_t>(i)];
        EXPECT_EQ(granted[static_cast<std::size_t>(i)], permits) << "limiter " << i;
    }
}

TEST(Totals, OfWaitersWhileOneThreadMovesTheClock)
{
    auto const clock = std::make_shared<ManualClock>();
    Client client{"memory:", {.clock = clock}};
    auto limiter = client.rate_limiter("one");
    constexpr Permits permits = 50;
    limiter.set_rate(Rate::per(permits, 100ms));
    std::atomic<Permits> granted{0};
    std::stop_source stop;
    std::jthread const mover{[&] {
        for (int window = 0; window < scaled(400); ++window) {
            await_waiters(client, crowd_size);  // the window is full: all eight wait
            EXPECT_EQ(granted, (window + 1) * permits);
            clock->advance(100ms);
        }
        await_waiters(client, crowd_size);
        stop.request_stop();
    }};
    run_crowd(crowd_size, [&](int) {
        try {
            for (;;) {
                limiter.acquire(1, stop.get_token());
                ++granted;
            }
        } catch (Error const& error) {
            EXPECT_EQ(error.code(), Errc::cancelled);
        }
    });
    EXPECT_EQ(granted, (scaled(400) + 1) * permits);
    EXPECT_EQ(client.stats().waiters, 0u);
}

/// Each of these threads takes and gives back in every way there is, and keeps books. What is given back was taken
/// by the same thread, so that nothing is given back twice.
class Bookkeeper {
public:
    Bookkeeper(RateLimiter limiter, int thread) : limiter_{std::move(limiter)}, random_{random_for(thread)} {}

    void work(int steps)
    {
        for (int i = 0; i < steps; ++i) step();
        for (auto& pending : pending_) settle(pending);
    }

    Permits held() const { return held_; }

private:
    struct Pending {
        std::future<std::tuple<error_code, Decision>> result;
        Permits n;
        std::unique_ptr<asio::cancellation_signal> signal;
    };

    void step()
    {
        Permits const n = pick(random_, 1, 7);
        switch (pick(random_, 0, 7)) {
        case 0:
        case 1: book(limiter_.try_acquire(n), n); break;
        case 2: book(limiter_.try_acquire_for(Duration{pick(random_, 0, 300)}, n), n); break;
        case 3: acquire_or_stop(n); break;
        case 4: start(n); break;
        case 5:
            if (!pending_.empty()) {
                settle(pending_.front());
                pending_.erase(pending_.begin());
            }
            break;
        case 6: (void)limiter_.peek(n); break;
        default:
            if (Permits const back = std::min<Permits>(held_, n); back > 0) {
                limiter_.release(back);
                held_ -= back;
            }
        }
    }

    void book(Decision const& decision, Permits n)
    {
        if (decision) held_ += n;
    }

    void acquire_or_stop(Permits n)
    {
        std::stop_source stop;
        std::jthread const stopper{[&] { stop.request_stop(); }};
        try {
            book(limiter_.acquire(n, stop.get_token()), n);
        } catch (Error const& error) {
            EXPECT_EQ(error.code(), Errc::cancelled) << error.what();
        }
    }

    void start(Permits n)
    {
        auto signal = std::make_unique<asio::cancellation_signal>();
        auto result = limiter_.async_acquire(
            n, asio::bind_cancellation_slot(signal->slot(), asio::as_tuple(asio::use_future)));
        pending_.push_back({std::move(result), n, std::move(signal)});
    }

    void settle(Pending& pending)
    {
        pending.signal->emit(asio::cancellation_type::terminal);
        auto const [error, decision] = pending.result.get();
        if (error) {
            EXPECT_EQ(error, asio::error::operation_aborted);
        } else {
            book(decision, pending.n);
        }
    }

    RateLimiter limiter_;
    std::minstd_rand random_;
    Permits held_ = 0;
    std::vector<Pending> pending_;
};

TEST(Totals, OfEverythingAtOnce)
{
    for (auto const& kind : endless(200)) {
        SCOPED_TRACE(to_string(kind.algorithm));
        Client client{"memory:"};
        auto limiter = client.rate_limiter("one", {.algorithm = kind.algorithm});
        limiter.set_rate(kind.rate);
        std::atomic<Permits> held{0};
        std::atomic<bool> working{true};
        std::jthread changer{[&] {  // the rate goes up and down, debt included, and ends where it began
            auto const more = endless(300)[static_cast<std::size_t>(kind.algorithm)].rate;
            while (working) {
                EXPECT_TRUE(limiter.update_rate(more));
                EXPECT_GE(limiter.available_permits(), 0);
                EXPECT_TRUE(limiter.update_rate(kind.rate));
                EXPECT_LE(limiter.available_permits(), 200);
            }
        }};
        run_crowd(crowd_size, [&](int thread) {
            Bookkeeper keeper{limiter, thread};
            keeper.work(sanitized ? 200 : 1500);
            held += keeper.held();
        });
        working = false;
        changer.join();
        EXPECT_EQ(client.stats().waiters, 0u);
        EXPECT_LE(held, 300);
        EXPECT_EQ(limiter.available_permits(), std::max<Permits>(200 - held, 0));
    }
}

TEST(Totals, OfKeysWhileOthersAreSweptAway)
{
    constexpr int keys = 100;
    constexpr Permits permits = scaled(1000);
    Client client{"memory:"};
    auto limiter = client.keyed_rate_limiter(
        "keys", {.rate = Rate::per(permits, 24h), .algorithm = Algorithm::fixed_window, .max_keys = 100'000});
    auto fleeting = client.keyed_rate_limiter("fleeting", {.rate = Rate::per(1000, 1ms)});
    std::vector<std::atomic<Permits>> granted(keys);
    run_crowd(crowd_size, [&](int thread) {
        auto random = random_for(thread);
        for (Permits i = 0; i < Permits{2} * keys * permits / crowd_size; ++i) {
            int const which = pick(random, 0, keys - 1);
            if (limiter.try_acquire("key " + std::to_string(which)))
                ++granted[static_cast<std::size_t>(which)];
            if (i % 16 == 0) {  // thousands that come, are idle at once, and go
                EXPECT_TRUE(fleeting.try_acquire(std::to_string(thread) + "/" + std::to_string(i)));
            }
        }
    });
    for (int i = 0; i < keys; ++i) {
        auto const key = "key " + std::to_string(i);
        while (limiter.try_acquire(key)) ++granted[static_cast<std::size_t>(i)];
        EXPECT_EQ(granted[static_cast<std::size_t>(i)], permits) << key;
    }
    EXPECT_EQ(limiter.size(), static_cast<std::size_t>(keys));
}

// A blocking call that needs no wait works on the client's I/O thread, whatever other threads do with the limiter.
TEST(Totals, OfCallsOnTheIoThreadWhileOthersWait)
{
    Client client{"memory:"};
    auto limiter = client.rate_limiter("one");
    limiter.set_rate(Rate::per(10, 1ms));
    std::atomic<bool> working{true};
    std::atomic<int> failed{0};
    std::atomic<int> calls{0};
    std::promise<void> ended;
    std::function<void(error_code, bool)> again = [&](error_code, bool) {
        for (int i = 0; i < 10; ++i) {
            try {
                ++calls;
                (void)limiter.try_acquire();
            } catch (Error const&) {
                ++failed;
            }
        }
        if (working) {
            limiter.async_exists(again);
        } else {
            ended.set_value();
        }
    };
    limiter.async_exists(again);
    run_crowd(crowd_size, [&](int) {
        for (int i = 0; i < scaled(2000); ++i) (void)limiter.try_acquire_for(500us);
    });
    working = false;
    ended.get_future().wait();
    EXPECT_GT(calls, 0);
    EXPECT_EQ(failed, 0) << "of " << calls << " calls of try_acquire";
}

}  // namespace
}  // namespace ration::concurrency
