// The clock that everybody reads who brings none: the same on all threads as the system's.

#include "concurrency/crowd.hpp"

#include <ration/clock.hpp>

#include <algorithm>
#include <chrono>
#include <mutex>

namespace ration::concurrency {
namespace {

using namespace std::chrono_literals;

Duration steady_now()
{
    return std::chrono::floor<Duration>(std::chrono::steady_clock::now().time_since_epoch());
}

/// A reading is made between two readings of the steady clock, and is ahead of it by the same span each time. So each
/// reading says where that span lies; some span must be right for all of them.
TEST(SystemClock, KeepsTheSystemsTimeOnEveryThread)
{
    constexpr Duration allowed = 20us;  // many times what TickedTime promises, and nothing to a limit
    constexpr int readings = scaled(20'000);
    std::mutex mutex;
    Duration least_ahead = Duration::min();
    Duration most_ahead = Duration::max();
    run_crowd(crowd_size, [&](int thread) {
        auto random = random_for(thread);
        auto const clock = system_clock();
        Duration least = Duration::min();
        Duration most = Duration::max();
        Time latest{};
        for (int i = 0; i < readings; ++i) {
            Duration const before = steady_now();
            Time const now = clock->now();
            Duration const after = steady_now();
            least = std::max(least, now.time_since_epoch() - after);
            most = std::min(most, now.time_since_epoch() - before);
            ASSERT_GE(now, latest);
            latest = now;
            if (pick(random, 1, 1000) == 1) std::this_thread::sleep_for(Duration{pick(random, 1, 3000)});
        }
        std::lock_guard const lock{mutex};
        least_ahead = std::max(least_ahead, least);
        most_ahead = std::min(most_ahead, most);
    });
    EXPECT_LE(least_ahead, most_ahead + allowed);
    EXPECT_GT(least_ahead, Duration::min());
}

/// It reads like a date.
TEST(SystemClock, BeginsAtTheTimeOnTheWall)
{
    auto const clock = system_clock();
    EXPECT_LT(std::chrono::abs(clock->now() - clock->wall()), 1h);
}

}  // namespace
}  // namespace ration::concurrency
