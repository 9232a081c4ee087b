// Redisson's own tests of its rate limiter (RedissonRateLimiterTest of 4.7.0), 1 to 16, one test each under its
// name. Windows of 5 s and more are 1 s here, so that the suite is quick where time cannot be stopped. Where
// Redisson looks at keys in Redis, these look at what every store can say: exists, available_permits, time to live.

#include "conformance/world.hpp"

#include <atomic>
#include <mutex>

namespace ration::conformance {
namespace {

class Redisson : public Conformance {
public:
    /// Runs `action` on `count` threads until `stop` is asked for.
    template <class Action>
    static std::vector<std::jthread> threads(int count, Action action)
    {
        std::vector<std::jthread> all;
        for (int i = 0; i < count; ++i) all.emplace_back([action](std::stop_token stop) { action(stop); });
        return all;
    }

    static int count_grants(RateLimiter& limiter, int attempts)
    {
        int granted = 0;
        for (int i = 0; i < attempts; ++i) granted += limiter.try_acquire() ? 1 : 0;
        return granted;
    }
};
RATION_CONFORMANCE(Redisson);

TEST_P(Redisson, Redisson01_KeepAliveTime)
{
    auto short_lived = limiter("short");
    EXPECT_TRUE(short_lived.try_set_rate(Rate::per(1, 1s), {.keep_alive = 1s}));
    advance(1100ms);
    EXPECT_FALSE(short_lived.exists());

    auto used = limiter("used");
    EXPECT_TRUE(used.try_set_rate(Rate::per(10, 2s), {.keep_alive = 2s}));
    advance(1s);
    EXPECT_TRUE(used.try_acquire());
    EXPECT_THAT(used.remaining_time_to_live(), ::testing::Optional(about(2s)));
    EXPECT_GT(used.remaining_time_to_live(), 1500ms);
}

TEST_P(Redisson, Redisson02_Expire2)
{
    auto limiter = limiter_with(Rate::per(5, 1s));
    EXPECT_TRUE(limiter.expire_after(2s));  // before the first acquire
    limiter.acquire();
    EXPECT_TRUE(limiter.exists());
    advance(2s);
    EXPECT_FALSE(limiter.exists());
    limiter.set_rate(Rate::per(5, 1s));
    EXPECT_EQ(limiter.available_permits(), 5) << "nothing is left of the old grants";
}

// Redisson samples the number of members of the log; the store-neutral equivalent: at each sample the window is
// exactly full, because waiters take every permit the moment it is free.
TEST_P(Redisson, Redisson03_RateValue)
{
    constexpr int permits = 200;
    auto limiter = limiter_with(Rate::per(permits, 1s));
    std::atomic<int> grants{0};
    std::stop_source stop;
    constexpr int thread_count = 20;
    auto const workers = threads(thread_count, [&, token = stop.get_token()](std::stop_token const&) {
        try {
            for (;;) {
                limiter.acquire(1, token);
                ++grants;
            }
        } catch (Error const& error) {
            EXPECT_EQ(error.code(), Errc::cancelled);
        }
    });
    for (int sample = 1; sample <= 4; ++sample) {
        await_waiters(thread_count);
        EXPECT_TRUE(eventually([&] { return limiter.available_permits() == 0; }));
        if (time_stands_still()) {
            EXPECT_EQ(grants, sample * permits);
        }
        advance(1s);
    }
    stop.request_stop();
}

TEST_P(Redisson, Redisson04_Expire)
{
    auto limiter = limiter_with(Rate::per(2, 5s));
    EXPECT_TRUE(limiter.try_acquire());
    EXPECT_TRUE(limiter.expire_after(1s));
    EXPECT_TRUE(limiter.exists());
    advance(1100ms);
    EXPECT_FALSE(limiter.exists());
    EXPECT_TRUE(limiter.try_set_rate(Rate::per(2, 5s)));
    EXPECT_EQ(limiter.available_permits(), 2);
}

TEST_P(Redisson, Redisson05_AcquisitionInterval)
{
    auto limiter = limiter_with(Rate::per(2, 1s));
    EXPECT_TRUE(limiter.try_acquire());
    advance(800ms);
    EXPECT_TRUE(limiter.try_acquire());
    advance(210ms);
    EXPECT_TRUE(limiter.try_acquire()) << "the first grant is free again";
    EXPECT_FALSE(limiter.try_acquire()) << "the second is not: the window slides";
}

TEST_P(Redisson, Redisson06_RateConfig)
{
    auto limiter = this->limiter();
    EXPECT_TRUE(limiter.try_set_rate(Rate::per(1, 5s)));
    EXPECT_EQ(limiter.config(), (LimiterConfig{.rate = Rate::per(1, 5s)}));
}

TEST_P(Redisson, Redisson07_AvailablePermits)
{
    auto limiter = limiter_with(Rate::per(10, 1s));
    EXPECT_EQ(limiter.available_permits(), 10);
    limiter.acquire(1);
    EXPECT_EQ(limiter.available_permits(), 9);
    advance(1200ms);
    EXPECT_EQ(limiter.available_permits(), 10);
}

TEST_P(Redisson, Redisson08_UpdateRateConfig)
{
    auto limiter = this->limiter();
    EXPECT_TRUE(limiter.try_set_rate(Rate::per(1, 5s)));
    limiter.set_rate(Rate::per(2, 5s));
    EXPECT_EQ(limiter.config().rate, Rate::per(2, 5s));
}

// Redisson's text is "Requested permits amount cannot exceed defined rate"; ours is a code and says both numbers.
TEST_P(Redisson, Redisson09_PermitsExceeding)
{
    auto limiter = limiter_with(Rate::per(1, 1s), {.type = RateType::per_client});
    expect_error(Errc::permits_exceed_rate, {"mail", "20 permits", "1"},
                 [&] { (void)limiter.try_acquire(20); });
    EXPECT_TRUE(limiter.try_acquire()) << "the error took nothing";
}

TEST_P(Redisson, Redisson10_ZeroTimeout)
{
    auto limiter = limiter_with(Rate::per(5, 1s));
    auto const granted = [&](Permits n) { return limiter.try_acquire_for(0ms, n).granted; };
    EXPECT_EQ(limiter.available_permits(), 5);
    EXPECT_TRUE(granted(1) && granted(1));
    EXPECT_EQ(limiter.available_permits(), 3);
    EXPECT_TRUE(granted(1) && granted(1));
    EXPECT_EQ(limiter.available_permits(), 1);
    EXPECT_TRUE(granted(1));
    EXPECT_EQ(limiter.available_permits(), 0);
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(granted(1));

    advance(1s);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(granted(1)) << i;
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(granted(1)) << i;
}

// On purpose not as Redisson, which denies the second after waiting for 1 s: the permit comes too late anyway, so
// ration denies at once.
TEST_P(Redisson, Redisson11_TryAcquire)
{
    auto limiter = limiter_with(Rate::per(1, 5s));
    EXPECT_TRUE(limiter.try_acquire_for(1s));
    auto const start = std::chrono::steady_clock::now();
    auto const denied = limiter.try_acquire_for(1s);
    EXPECT_FALSE(denied);
    EXPECT_THAT(denied.retry_after, about(5s));
    EXPECT_LT(std::chrono::steady_clock::now() - start, 900ms);
    EXPECT_FALSE(limiter.try_acquire());
}

TEST_P(Redisson, Redisson12_Acquire)
{
    auto limiter = limiter_with(Rate::per(1, 500ms));
    Time const start = world().wall();
    auto done = std::async(std::launch::async, [&] {
        for (int i = 0; i < 10; ++i) limiter.acquire(1);
        return world().wall();
    });
    for (int i = 0; i < 9; ++i) {
        if (time_stands_still()) await_waiters(1);
        advance(500ms);
    }
    // A log in Redis counts in whole milliseconds: what is granted within one is dated at its beginning.
    Duration const grid = time_stands_still() ? 0ms : 1ms;
    EXPECT_GE(get(std::move(done)) - start, 9 * 500ms - grid);
    EXPECT_FALSE(limiter.try_acquire());
}

TEST_P(Redisson, Redisson13_Test)
{
    auto limiter = this->limiter();
    EXPECT_TRUE(limiter.try_set_rate(Rate::per(10, 1s)));
    EXPECT_FALSE(limiter.try_set_rate(Rate::per(20, 1s)));
    for (int round = 0; round < 3; ++round) {
        Time const start = world().wall();
        EXPECT_EQ(count_grants(limiter, 10), 10);
        auto const more = count_grants(limiter, 10);
        bool const in_time = world().wall() - start < 1s;  // a machine may stall
        EXPECT_TRUE(more == 0 || !in_time) << more;
        advance(1050ms);
    }
}

// Redisson counts keys: none, one, none.
TEST_P(Redisson, Redisson14_Remove)
{
    auto limiter = this->limiter();
    EXPECT_FALSE(limiter.remove());
    EXPECT_TRUE(limiter.try_set_rate(Rate::per(5, 1s)));
    EXPECT_TRUE(limiter.exists());
    EXPECT_TRUE(limiter.try_acquire());
    EXPECT_TRUE(limiter.remove());
    EXPECT_FALSE(limiter.exists());
    EXPECT_TRUE(limiter.try_set_rate(Rate::per(5, 1s)));
    EXPECT_EQ(limiter.available_permits(), 5) << "the grants are gone with the config";
}

TEST_P(Redisson, Redisson15_Concurrency2)
{
    constexpr int permits = 18;
    constexpr int thread_count = 8;
    int const windows = time_stands_still() ? 56 : 5;
    auto limiter = limiter_with(Rate::per(permits, 1s));
    std::atomic<int> grants{0};
    std::stop_source stop;
    auto workers = threads(thread_count, [&, token = stop.get_token()](std::stop_token const&) {
        try {
            for (;;) {
                limiter.acquire(1, token);
                ++grants;
            }
        } catch (Error const& error) {
            EXPECT_EQ(error.code(), Errc::cancelled);
        }
    });
    for (int window = 0; window < windows; ++window) {
        await_waiters(thread_count);  // the window is full
        int const before = grants;
        if (time_stands_still()) {
            EXPECT_EQ(before, (window + 1) * permits);
        }
        advance(1s);
        EXPECT_LE(grants - before, 2 * permits);
    }
    stop.request_stop();
    workers.clear();
    if (time_stands_still()) {
        EXPECT_GT(grants, 1000);
    }
}

TEST_P(Redisson, Redisson16_Concurrency)
{
    constexpr int permits = 10;
    auto limiter = limiter_with(Rate::per(permits, 1s));
    std::mutex mutex;
    std::vector<Time> before;
    std::vector<Time> after;
    auto workers = threads(8, [&](std::stop_token const& stop) {
        while (!stop.stop_requested()) {
            Time const asked = world().wall();
            if (!limiter.try_acquire()) continue;
            Time const answered = world().wall();
            std::lock_guard const lock{mutex};
            before.push_back(asked);
            after.push_back(answered);
        }
    });
    std::size_t const wanted = time_stands_still() ? 500 : 40;
    for (bool enough = false; !enough;) {
        advance(50ms);
        std::lock_guard const lock{mutex};
        enough = before.size() >= wanted;
    }
    workers.clear();

    // A grant happened between the moments noted before and after it. Redis counts in whole milliseconds.
    Duration const interval = time_stands_still() ? 1s : 999ms;
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    for (std::size_t i = permits; i < after.size(); ++i) {
        EXPECT_GE(after[i] - before[i - permits], interval) << "grant " << i << " and the one ten before";
    }
}

}  // namespace
}  // namespace ration::conformance
