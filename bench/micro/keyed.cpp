// One rate for many keys: how fast a key is found, what a key weighs, and what the slowest operations cost while the
// number of keys grows and idle ones are dropped.

#include "keys.hpp"
#include "latency.hpp"
#include "memory.hpp"
#include "summary.hpp"
#include "topics.hpp"

#include <ration/ration.hpp>

#include <benchmark/benchmark.h>

#include <cstdio>

namespace ration::bench {

namespace {

using namespace std::chrono_literals;

Client& client()
{
    static Client client{"memory:"};
    return client;
}

/// Every key takes half a day's permits first, so that none is idle and dropped while we measure.
constexpr Rate long_memory = Rate::per_day(1'000'000);
constexpr Permits half_a_day = 500'000;

void hit(benchmark::State& state, KeyedRateLimiter limiter, std::vector<std::string> const& keys)
{
    std::size_t i = static_cast<std::size_t>(state.thread_index()) * keys.size() / 2;
    for (auto _ : state) {
        benchmark::DoNotOptimize(limiter.try_acquire(keys[i]));
        i = (i + 1) % keys.size();
    }
}

/// Keys appear one after the other until there are `count`.
KeyedRateLimiter grow(std::size_t count)
{
    std::size_t const before = bytes_in_use();
    auto limiter = client().keyed_rate_limiter(std::to_string(count), {.rate = long_memory});
    std::size_t const empty = bytes_in_use();
    Latencies latencies{count};
    std::size_t const begin = bytes_in_use();
    for (std::size_t i = 0; i < count; ++i) {
        Key const key{shuffled(i, count)};
        latencies.time([&] { benchmark::DoNotOptimize(limiter.try_acquire(key, half_a_day)); });
    }
    auto const each = static_cast<double>(bytes_in_use() - begin) / static_cast<double>(count);
    latencies.print("growing to " + std::to_string(count) + " keys");
    std::printf("%-46s %9.0f %9.0f\n", "  bytes per key, bytes when empty", each,
                static_cast<double>(empty - before));
    return limiter;
}

/// A stream of new keys, each idle 100 ms after it was seen, so that as many go as come.
void come_and_go(std::size_t count)
{
    auto limiter = client().keyed_rate_limiter("come and go", {.rate = Rate::per(10, 1s)});
    Latencies latencies{count};
    std::size_t most = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Key const key{shuffled(i, count)};
        latencies.time([&] { benchmark::DoNotOptimize(limiter.try_acquire(key)); });
        if (i % 1024 == 0) most = std::max(most, limiter.size());
    }
    latencies.print(std::to_string(count) + " keys come, and go when idle");
    std::printf("%-46s %9zu\n", "  the most keys held at once", most);
}

/// All keys fall idle at about the same time; while the sweeper drops them, other keys are asked for.
void fall_idle(std::size_t count)
{
    auto limiter = client().keyed_rate_limiter("fall idle", {.rate = Rate::per(1, 5s)});
    for (std::size_t i = 0; i < count; ++i) benchmark::DoNotOptimize(limiter.try_acquire(Key{i}));
    Latencies latencies{100'000'000};
    auto const end = std::chrono::steady_clock::now() + 12s;
    std::size_t const full = limiter.size();
    for (std::size_t i = 0; std::chrono::steady_clock::now() < end; i = (i + 1) % 1000) {
        Key const key{count + i};
        latencies.time([&] { benchmark::DoNotOptimize(limiter.try_acquire(key)); });
    }
    latencies.print("asking while " + std::to_string(full - limiter.size()) + " of " + std::to_string(full)
                    + " keys are dropped");
}

void read_the_clock(std::size_t count)
{
    Latencies latencies{count};
    for (std::size_t i = 0; i < count; ++i) latencies.time([] {});
    latencies.print("nothing: the clock and the machine's own noise");
}

}  // namespace

void add_keyed(Summary& summary, bool quick)
{
    std::vector<std::size_t> sizes{1'000, 1'000'000};
    if (!quick) sizes.push_back(10'000'000);
    Latencies::print_heading();
    read_the_clock(sizes.back());
    for (std::size_t const size : sizes) {
        std::string const name = "keyed_" + std::to_string(size);
        KeyedRateLimiter const limiter = grow(size);
        auto const keys = std::make_shared<std::vector<std::string> const>(some_keys(size));
        benchmark::RegisterBenchmark(name.c_str(),
                                     [=](benchmark::State& state) { hit(state, limiter, *keys); })
            ->Threads(1)
            ->Threads(2)
            ->UseRealTime();
        std::string const what = "one of " + std::to_string(size) + " keys";
        summary.row({what, {name, 1}, {"floor", 1}});
        summary.row({what + ", 2 threads", {name, 2}, {"floor_apart", 2}});
    }
    come_and_go(sizes.back());
    if (!quick) fall_idle(sizes.back());
    read_the_clock(sizes.back());
}

}  // namespace ration::bench
