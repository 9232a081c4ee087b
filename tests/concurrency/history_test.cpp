// Real time, real threads: the history of grants never shows more than the limit.

#include "concurrency/crowd.hpp"

#include <algorithm>
#include <mutex>

namespace ration::concurrency {
namespace {

/// When grants were made, as exactly as their receivers can tell: between these moments.
class History {
public:
    void add(Time before, Time after)
    {
        std::lock_guard const lock{mutex_};
        before_.push_back(before);
        after_.push_back(after);
    }

    void sort()
    {
        std::sort(before_.begin(), before_.end());
        std::sort(after_.begin(), after_.end());
    }

    std::size_t size() const { return before_.size(); }

    /// At most this long lies between the i-th grant and the j-th.
    Duration longest_span(std::size_t i, std::size_t j) const { return after_[j] - before_[i]; }

private:
    std::mutex mutex_;
    std::vector<Time> before_;
    std::vector<Time> after_;
};

/// Eight threads take single permits in all ways, for as long as it takes to be granted `count`.
void collect(History& history, RateLimiter limiter, int count)
{
    auto const clock = system_clock();
    std::atomic<int> left{count};
    run_crowd(crowd_size, [&](int thread) {
        auto random = random_for(thread);
        while (left > 0) {
            Time const before = clock->now();
            bool granted = false;
            switch (pick(random, 0, 3)) {
            case 0: granted = limiter.try_acquire().granted; break;
            case 1: granted = limiter.try_acquire_for(3ms).granted; break;
            case 2: granted = limiter.acquire().granted; break;
            default: granted = limiter.async_acquire(1, asio::use_future).get().granted;
            }
            if (granted) {
                history.add(before, clock->now());
                --left;
            }
        }
    });
    history.sort();
}

TEST(History, OfASlidingLogHasNoWindowWithMoreThanTheRate)
{
    constexpr std::size_t permits = 20;
    constexpr Duration interval = 10ms;
    Client client{"memory:"};
    auto limiter = client.rate_limiter("one");
    limiter.set_rate(Rate::per(permits, interval));
    History history;
    collect(history, limiter, scaled(4000));
    for (std::size_t i = permits; i < history.size(); ++i) {
        ASSERT_GE(history.longest_span(i - permits, i), interval) << "grants " << i - permits << " to " << i;
    }
}

TEST(History, OfATokenBucketHasNoSpanWithMoreThanItsCapacityAndWhatFlowsIn)
{
    constexpr std::size_t capacity = 15;
    constexpr Duration one_permit = 500us;
    Client client{"memory:"};
    auto limiter = client.rate_limiter("one");
    limiter.set_rate(Rate::per(2, 1ms).with_burst(capacity));
    History history;
    collect(history, limiter, scaled(4000));
    for (std::size_t i = 0; i < history.size(); ++i) {
        for (std::size_t j = i + capacity; j < std::min(history.size(), i + 200); ++j) {
            auto const flowed_in = static_cast<std::size_t>(history.longest_span(i, j) / one_permit);
            ASSERT_LE(j - i + 1, capacity + flowed_in + 1) << "grants " << i << " to " << j;
        }
    }
}

TEST(History, OfTwoClientsThatShareALimiter)
{
    constexpr std::size_t permits = 10;
    constexpr Duration interval = 5ms;
    Client first{"memory:history"};
    Client second{"memory:history"};
    first.rate_limiter("one").set_rate(Rate::per(permits, interval));
    History history;
    auto const clock = system_clock();
    std::atomic<int> left{scaled(2000)};
    run_crowd(crowd_size, [&](int thread) {
        auto limiter = (thread % 2 == 0 ? first : second).rate_limiter("one");
        while (left > 0) {
            Time const before = clock->now();
            limiter.acquire();
            history.add(before, clock->now());
            --left;
        }
    });
    history.sort();
    for (std::size_t i = permits; i < history.size(); ++i) {
        ASSERT_GE(history.longest_span(i - permits, i), interval) << "grants " << i - permits << " to " << i;
    }
}

}  // namespace
}  // namespace ration::concurrency
