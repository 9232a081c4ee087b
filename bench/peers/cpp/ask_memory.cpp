// Threads that ask the embedded store as fast as they can.

#include "meter.hpp"
#include "run.hpp"

#include <ration/ration.hpp>

#include <thread>

namespace ration::peers {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t between_looks = 64;  // so that neither the clock nor the phase is what is measured
constexpr auto between_denials = 10us;     // in the log; there would be millions of them

/// Times one in 64.
template <class Ask>
void ask_quickly(Meter& meter, Ask ask)
{
    while (phase.load(std::memory_order_relaxed) != Phase::over) {
        std::uint64_t granted = 0;
        for (std::size_t i = 1; i < between_looks; ++i) granted += static_cast<std::uint64_t>(ask());
        auto const start = WallClock::now();
        granted += static_cast<std::uint64_t>(ask());
        auto const end = WallClock::now();
        meter.count(between_looks, granted);
        if (phase.load(std::memory_order_relaxed) == Phase::measuring) meter.time(start, end);
    }
}

template <class Ask>
void ask_and_log(Meter& meter, Ask ask)
{
    Moment last_denial{};
    while (phase.load(std::memory_order_relaxed) != Phase::over) {
        auto const start = WallClock::now();
        bool const granted = ask();
        auto const end = WallClock::now();
        meter.count(1, granted ? 1 : 0);
        if (!granted && start - last_denial < between_denials) continue;
        if (!granted) last_denial = start;
        meter.log(start, end, granted ? 1 : 0);
    }
}

/// `ask(cursor)` asks once; the cursor is the thread's own.
template <class Ask>
std::string measure(Options const& options, Ask ask)
{
    std::vector<Meter> meters(options.callers, Meter{!options.log.empty()});
    wait_for_go();
    double seconds = 0;
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < options.callers; ++i) {
            threads.emplace_back([&options, ask, &meter = meters[i], i]() mutable {
                std::size_t cursor = i * 7919;
                auto const once = [&]() -> bool { return ask(cursor).granted; };
                if (options.log.empty()) {
                    ask_quickly(meter, once);
                } else {
                    ask_and_log(meter, once);
                }
            });
        }
        seconds = keep_time(options);
    }
    for (std::size_t i = 1; i < meters.size(); ++i) meters[0].add(meters[i]);
    if (!options.log.empty()) meters[0].write_log(options.log);
    return meters[0].json(seconds);
}

}  // namespace

std::string ask_memory(Options const& options)
{
    Client client{"memory:"};
    Rate const rate = Rate::per(options.rate, options.interval);
    if (options.keys > 1) {
        auto limiter = client.keyed_rate_limiter("peers", {.rate = rate});
        if (options.fill)
            for (std::size_t i = 0; i < options.keys; ++i) (void)limiter.try_acquire(key_of(i));
        auto const keys = keys_to_ask(options);
        return measure(options, [limiter, &keys](std::size_t& cursor) mutable {
            cursor = cursor + 1 < keys.size() ? cursor + 1 : 0;
            return limiter.try_acquire(keys[cursor]);
        });
    }
    bool const is_log = options.contender == "ration-log";
    auto limiter =
        client.rate_limiter("hot", {.algorithm = is_log ? Algorithm::sliding_log : Algorithm::token_bucket});
    limiter.set_rate(rate);
    return measure(options, [limiter](std::size_t&) mutable { return limiter.try_acquire(); });
}

}  // namespace ration::peers
