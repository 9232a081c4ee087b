// try_acquire on one limiter that is asked all the time.

#include "summary.hpp"
#include "topics.hpp"

#include <ration/ration.hpp>

#include <benchmark/benchmark.h>

#include <optional>

namespace ration::bench {

namespace {

using namespace std::chrono_literals;

Client& client()
{
    static Client client{"memory:"};
    return client;
}

RateLimiter open(std::string const& name, Rate const& rate, Algorithm algorithm)
{
    RateLimiter limiter = client().rate_limiter(name, {.algorithm = algorithm});
    limiter.set_rate(rate);
    return limiter;
}

void ask(benchmark::State& state, RateLimiter limiter)
{
    for (auto _ : state) benchmark::DoNotOptimize(limiter.try_acquire());
}

struct Case {
    Algorithm algorithm;
    Rate plenty;                         // never runs out, and does not divide evenly into microseconds
    Rate scarce;                         // one permit, for longer than the run
    std::optional<double> one_thread{};  // targets
    std::optional<double> two_threads{};
};

void add(Summary& summary, Case const& c)
{
    std::string const name{to_string(c.algorithm)};
    RateLimiter const granting = open(name + " granting", c.plenty, c.algorithm);
    RateLimiter const other = open(name + " granting too", c.plenty, c.algorithm);
    RateLimiter denying = open(name + " denying", c.scarce, c.algorithm);
    denying.acquire();

    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { ask(state, granting); })
        ->Threads(1)
        ->Threads(2)
        ->UseRealTime();
    benchmark::RegisterBenchmark(
        (name + "_apart").c_str(),
        [=](benchmark::State& state) { ask(state, state.thread_index() == 0 ? granting : other); })
        ->Threads(2)
        ->UseRealTime();
    benchmark::RegisterBenchmark((name + "_denied").c_str(),
                                 [=](benchmark::State& state) { ask(state, denying); })
        ->Threads(1)
        ->UseRealTime();

    summary.row({name + ", granted", {name, 1}, {"floor", 1}, c.one_thread});
    summary.row({name + ", denied", {name + "_denied", 1}, {"floor", 1}, c.one_thread});
    summary.row({name + ", 2 threads on one limiter", {name, 2}, {"floor", 2}, c.two_threads});
    summary.row(
        {name + ", 2 threads on a limiter each", {name + "_apart", 2}, {"floor_apart", 2}, c.one_thread});
}

}  // namespace

void add_hot_limiter(Summary& summary)
{
    Rate const plenty = Rate::per(999'999'937, 1s);
    Rate const scarce = Rate::per(1, 1h);
    add(summary, {Algorithm::token_bucket, plenty, scarce, 1.3, 1.5});
    add(summary, {Algorithm::fixed_window, plenty, scarce, 1.3, 1.5});
    add(summary, {Algorithm::sliding_log, plenty, scarce, 1.5, 2.0});
    add(summary,
        {Algorithm::calendar_window, Rate::calendar(4'000'000'000, CalendarUnit::minute, "Asia/Shanghai"),
         Rate::calendar(1, CalendarUnit::year, "Asia/Shanghai")});
}

}  // namespace ration::bench
