// One sliding log that everybody asks, and that refuses nobody: what combining brings.

#include "baseline.hpp"
#include "crowd.hpp"
#include "topics.hpp"

#include <ration/ration.hpp>

#include <atomic>
#include <thread>

namespace ration::bench {

namespace {

using namespace std::chrono_literals;

constexpr char const* limiter_name = "ours";

RateLimiter open(Client& client)
{
    RateLimiter limiter = client.rate_limiter(limiter_name);
    limiter.set_rate(Rate::per(4'294'967'295, 1h));
    return limiter;
}

std::string callers_name(std::size_t callers)
{
    return std::to_string(callers) + " async callers";
}
std::string calls_name(std::size_t callers)
{
    return callers_name(callers) + ", decisions per call";
}

std::string cost_name(std::size_t callers)
{
    return callers_name(callers) + ", client's processor";
}

constexpr char const* threads_name = "64 blocking threads";
constexpr char const* member_name = "memory of a grant, MEMORY USAGE";
constexpr char const* memory_name = "memory of a grant, INFO memory";
constexpr std::size_t callers_for_memory = 64;

void measure_callers(Scene& scene, std::size_t callers)
{
    scene.clear();
    Client client = scene.client();
    RateLimiter limiter = open(client);
    double const memory_before = scene.used_memory();
    {
        auto ask = [&limiter](auto handler) { limiter.async_try_acquire(1, handler); };
        Crowd<decltype(ask)> crowd{client, callers, ask};
        auto const pace = crowd.watch(scene.span());
        scene.report().record(callers_name(callers), pace.decisions_per_second);
        scene.report().record(cost_name(callers), pace.client_nanoseconds);
        auto const stats = client.stats();
        scene.report().record(calls_name(callers),
                              static_cast<double>(stats.decisions) / static_cast<double>(stats.calls));
    }
    if (callers != callers_for_memory) return;
    auto const granted = static_cast<double>(client.stats().decisions);
    auto const bytes = scene.control().integer("MEMORY", "USAGE", "{ours}:permits", "SAMPLES", "0");
    scene.report().record(member_name, static_cast<double>(bytes) / granted);
    scene.report().record(memory_name, (scene.used_memory() - memory_before) / granted);
}

void measure_threads(Scene& scene)
{
    constexpr std::size_t count = 64;
    scene.clear();
    Client client = scene.client();
    RateLimiter limiter = open(client);
    std::atomic<bool> is_over{false};
    std::vector<std::jthread> threads;
    threads.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        threads.emplace_back([&is_over, limiter]() mutable {
            while (!is_over.load(std::memory_order_relaxed)) (void)limiter.try_acquire();
        });
    }
    std::this_thread::sleep_for(scene.span() / 5);
    auto const begin = std::chrono::steady_clock::now();
    auto const before = client.stats().decisions;
    std::this_thread::sleep_for(scene.span());
    auto const decided = client.stats().decisions - before;
    std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - begin;
    is_over = true;
    scene.report().record(threads_name, static_cast<double>(decided) / elapsed.count());
}

}  // namespace

void add_baselines(Measurements& all, Report& report)
{
    all.push_back({baseline::noop, measure_noop});
    all.push_back({baseline::redisson, [](Scene& scene) { measure_redisson(scene); }});
    all.push_back({baseline::redisson_unpipelined, measure_redisson_unpipelined});
    all.push_back({baseline::keyed, measure_keyed_baseline});

    report.heading("By redis-benchmark");
    for (auto const* const name :
         {baseline::noop, baseline::redisson, baseline::redisson_unpipelined, baseline::keyed})
        report.row({name, "calls/s", name});
}

void add_hot_limiter(Measurements& all, Report& report)
{
    constexpr auto ratio = Row::Against::ratio;
    for (std::size_t const callers : {1U, 16U, 64U, 256U, 1024U})
        all.push_back({callers_name(callers), [callers](Scene& scene) { measure_callers(scene, callers); }});
    all.push_back({threads_name, measure_threads});

    report.heading("One hot sliding_log, against Redisson's script");
    auto const row = [&](std::size_t callers, std::optional<Target> target) {
        auto const name = callers_name(callers);
        report.row({name, "decisions/s", name, baseline::redisson, ratio, target});
    };
    row(1, {});
    row(16, {});
    row(64, at_least(4));
    row(256, at_least(12));
    row(1024, at_least(30));
    report.row({"1024, against a script that does nothing", "decisions/s", callers_name(1024), baseline::noop,
                ratio, at_least(5)});
    report.row(
        {threads_name, "decisions/s", threads_name, baseline::redisson_unpipelined, ratio, at_least(2.5)});
    for (std::size_t const callers : {64U, 256U, 1024U})
        report.row({calls_name(callers), "", calls_name(callers)});
    for (std::size_t const callers : {64U, 256U, 1024U})
        report.row({cost_name(callers), "ns/decision", cost_name(callers)});

    report.heading("Redis memory of a grant in the window, 64 callers");
    report.row({member_name, "bytes", member_name, {}, Row::Against::nothing, at_most(12)});
    report.row({memory_name, "bytes", memory_name, {}, Row::Against::nothing, at_most(12)});
}

}  // namespace ration::bench
