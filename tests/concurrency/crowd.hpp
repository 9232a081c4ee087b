#pragma once

// Many threads at once, and what they share.

#include <ration/ration.hpp>
#include <ration/testing/manual_clock.hpp>

#include <boost/asio.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <random>
#include <thread>
#include <vector>

namespace ration::concurrency {

namespace asio = boost::asio;
using boost::system::error_code;
using namespace std::chrono_literals;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

/// A number that sanitizers make too large.
constexpr int scaled(int count)
{
    return sanitized ? count / 20 : count;
}

constexpr int crowd_size = 8;

/// Runs `action(i)` on `count` threads that begin together; returns when all have ended.
template <class Action>
void run_crowd(int count, Action action)
{
    std::latch start{count};
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        threads.emplace_back([&, i] {
            start.arrive_and_wait();
            action(i);
        });
    }
}

inline std::minstd_rand random_for(int thread)
{
    return std::minstd_rand{static_cast<std::uint32_t>(20'260'101 + thread)};
}

inline int pick(std::minstd_rand& random, int from, int to)
{
    return std::uniform_int_distribution{from, to}(random);
}

/// Returns when `done()` is true. Fails after a while.
template <class Condition>
void await(Condition done)
{
    auto const end = std::chrono::steady_clock::now() + 60s;
    while (!done()) {
        ASSERT_LT(std::chrono::steady_clock::now(), end) << "never happened";
        std::this_thread::yield();
    }
}

inline void await_waiters(Client const& client, std::uint64_t count)
{
    await([&] { return client.stats().waiters == count; });
}

/// A manual clock that counts the alarms made and set.
class CountingClock final : public Clock {
public:
    Time now() const noexcept override { return clock_.now(); }
    Time wall() const noexcept override { return clock_.wall(); }
    void advance(Duration by) { clock_.advance(by); }

    std::unique_ptr<Alarm> make_alarm(std::function<void()> ring) override
    {
        ++made;
        return std::make_unique<CountingAlarm>(*this, clock_.make_alarm(std::move(ring)));
    }

    std::atomic<int> made{0};
    std::atomic<int> sets{0};

private:
    class CountingAlarm final : public Alarm {
    public:
        CountingAlarm(CountingClock& owner, std::unique_ptr<Alarm> alarm)
            : owner_{owner}, alarm_{std::move(alarm)}
        {}

        void set(Time moment) override
        {
            ++owner_.sets;
            alarm_->set(moment);
        }
        void clear() override { alarm_->clear(); }

    private:
        CountingClock& owner_;
        std::unique_ptr<Alarm> const alarm_;
    };

    ManualClock clock_;
};

}  // namespace ration::concurrency
