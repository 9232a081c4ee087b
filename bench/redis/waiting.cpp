// Those who have to wait: what they cost the server, and how late they are woken.

#include "lateness.hpp"
#include "processors.hpp"
#include "topics.hpp"

#include <ration/ration.hpp>

#include <boost/asio/post.hpp>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace ration::bench {

namespace {

using namespace std::chrono_literals;

// ---- a hundred thousand waiters ----

constexpr std::size_t waiters = 100'000;
constexpr Permits per_second = 100;

constexpr char const* calls_name = "100 000 waiters: Redis calls per grant";
constexpr char const* stats_name = "100 000 waiters: Stats::calls per grant";
constexpr char const* grants_name = "100 000 waiters: grants";
constexpr char const* cpu_name = "100 000 waiters: client's processor";

/// A bucket of one permit, so that every grant has a moment of its own: the most calls that waiting can cause.
void measure_waiters(Scene& scene)
{
    scene.clear();
    Client client = scene.client();
    RateLimiter limiter = client.rate_limiter("crowded");
    limiter.set_rate(Rate::per_second(per_second).with_burst(1));
    std::atomic<std::size_t> granted{0};
    boost::asio::post(client.get_executor(), [&] {
        for (std::size_t i = 0; i < waiters; ++i) {
            limiter.async_acquire(1, [&granted](boost::system::error_code error, Decision const&) {
                if (!error) granted.fetch_add(1, std::memory_order_relaxed);
            });
        }
    });
    while (client.stats().waiters < waiters - waiters / 10) std::this_thread::sleep_for(10ms);

    std::this_thread::sleep_for(200ms);
    auto const granted_before = granted.load();
    auto const stats_before = client.stats().calls;
    auto const calls_before = scene.script_stats().calls;
    auto const busy_before = processor_seconds();
    auto const begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(2 * scene.span());
    std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - begin;
    auto const busy = processor_seconds() - busy_before;
    auto const calls = scene.script_stats().calls - calls_before;
    auto const stats = static_cast<double>(client.stats().calls - stats_before);
    auto const grants = static_cast<double>(granted.load() - granted_before);
    client.close();
    scene.report().record(calls_name, calls / grants);
    scene.report().record(stats_name, stats / grants);
    scene.report().record(grants_name, grants / elapsed.count());
    scene.report().record(cpu_name, 100 * busy / elapsed.count());
}

// ---- how late ----

constexpr char const* timer_name = "woken by a bare Asio timer";
constexpr char const* waiter_name = "woken when a permit frees up";

/// So many permits are taken, one every `spacing`; then as many wait for them to free up, `interval` later.
constexpr std::size_t permits = 100;
constexpr auto spacing = 10ms;
constexpr auto interval = 1500ms;

/// Takes the permits, paced by a bare timer, and says how late that was each time.
std::vector<double> take_all(RateLimiter& limiter)
{
    BareTimer timer;
    std::vector<double> late;
    auto const begin = WallClock::now();
    for (std::size_t i = 1; i <= permits; ++i) {
        late.push_back(timer.sleep_until(begin + static_cast<int>(i) * spacing));
        if (!limiter.try_acquire()) throw std::runtime_error{"the limiter should not be empty yet"};
    }
    return late;
}

void measure_lateness(Scene& scene)
{
    scene.clear();
    Client client = scene.client();
    RateLimiter limiter = client.rate_limiter("late");
    limiter.set_rate(Rate::per(permits, interval));
    (void)limiter.peek();  // connected, scripts loaded
    record_lateness(scene, timer_name, take_all(limiter));

    // When each of them frees up, by the server's clock, which is ours too.
    std::vector<WallClock::time_point> due;
    auto const entries = scene.control().list("ZRANGE", "{late}:permits", "0", "-1", "WITHSCORES");
    for (std::size_t i = 1; i < entries.size(); i += 2)
        due.push_back(WallClock::time_point{std::chrono::milliseconds{std::atoll(entries[i].c_str())}}
                      + interval);
    if (due.size() != permits) throw std::runtime_error{"not all permits are in the log"};

    std::vector<WallClock::time_point> woken(permits);
    std::atomic<std::size_t> waiting{permits};
    for (std::size_t i = 0; i < permits; ++i) {
        limiter.async_acquire(1, [&, i](boost::system::error_code, Decision const&) {
            woken[i] = WallClock::now();
            if (waiting.fetch_sub(1) == 1) waiting.notify_one();
        });
    }
    for (auto left = waiting.load(); left > 0; left = waiting.load()) waiting.wait(left);
    std::vector<double> late;
    for (std::size_t i = 0; i < permits; ++i) late.push_back(lateness(due[i], woken[i]));
    record_lateness(scene, waiter_name, late);
}

}  // namespace

void add_waiting(Measurements& all, Report& report)
{
    all.push_back({"100 000 waiters", measure_waiters});
    all.push_back({"lateness", measure_lateness});

    report.heading("100 000 waiters in one process, 100 permits per second");
    report.row({grants_name, "per s", grants_name});
    report.row({calls_name, "", calls_name, {}, Row::Against::nothing, at_most(2)});
    report.row({stats_name, "", stats_name, {}, Row::Against::nothing, at_most(2)});
    report.row({cpu_name, "% busy", cpu_name});

    report.heading("How late a wake-up is, against a bare timer");
    for (std::string const which : {", p50", ", p99"}) {
        report.row({timer_name + which, "ms", timer_name + which});
        report.row({waiter_name + which, "ms", waiter_name + which, timer_name + which,
                    Row::Against::difference, which == ", p99" ? std::optional{at_most(2)} : std::nullopt});
    }
}

}  // namespace ration::bench
