#include "interop/load_threads.hpp"

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <random>
#include <system_error>
#include <thread>
#include <vector>

namespace ration::interop {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

namespace {

/// Throws what the first of them throws, when all have ended.
template <class Action>
void on_threads(std::int64_t count, Action action)
{
    std::vector<std::future<void>> crowd;
    for (std::int64_t i = 0; i < count; ++i) crowd.push_back(std::async(std::launch::async, action, i));
    for (auto& each : crowd) each.wait();
    for (auto& each : crowd) each.get();
}

bool take(RateLimiter limiter, Permits n, int way, milliseconds patience)
{
    switch (way) {
    case 0: return limiter.try_acquire(n).granted;
    case 1:
    case 2: return limiter.try_acquire_for(patience, n).granted;
    default: return limiter.acquire(n).granted;
    }
}

}  // namespace

std::string load_in_all_ways(RateLimiter const& limiter, std::int64_t threads, milliseconds span,
                             std::int64_t seed)
{
    std::atomic<Permits> granted{0};
    std::atomic<std::int64_t> denials{0};
    auto const end = SteadyClock::now() + span;
    on_threads(threads, [&](std::int64_t thread) {
        std::minstd_rand random{static_cast<std::uint32_t>(seed * 1000 + thread + 1)};
        auto const pick = [&](int from, int to) { return std::uniform_int_distribution{from, to}(random); };
        while (SteadyClock::now() < end) {
            Permits const n = pick(1, 5);
            if (take(limiter, n, pick(0, 4), milliseconds{pick(0, 299)})) {
                granted += n;
            } else {
                ++denials;
            }
        }
    });
    return std::to_string(granted) + " " + std::to_string(denials);
}

Receipts paced_load(RateLimiter const& limiter, int threads, milliseconds span, Permits per_second)
{
    constexpr Permits at_once = 5;
    auto const pause = std::chrono::nanoseconds{std::chrono::seconds{1}} * at_once * threads / per_second;
    auto const begin = SteadyClock::now();
    std::mutex mutex;
    Receipts receipts;
    on_threads(threads, [&](std::int64_t thread) {
        std::vector<std::future<void>> all;
        auto due = begin + pause * thread / threads;
        for (auto mine = limiter; due < begin + span; due += pause) {
            std::this_thread::sleep_until(due);
            auto const granted = std::make_shared<std::promise<void>>();
            all.push_back(granted->get_future());
            mine.async_acquire(at_once, [&, granted](boost::system::error_code error, Decision const&) {
                if (error) return granted->set_exception(std::make_exception_ptr(std::system_error{error}));
                std::lock_guard const lock{mutex};
                receipts.emplace_back(std::chrono::system_clock::now(), at_once);
                granted->set_value();
            });
        }
        for (auto& each : all) each.get();
    });
    return receipts;
}

}  // namespace ration::interop
