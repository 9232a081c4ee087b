// `ration demo`: many workers, one limiter, and the proof that the limit held.

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/demo_check.hpp"
#include "cli/demo_log.hpp"
#include "cli/demo_output.hpp"
#include "cli/demo_processes.hpp"
#include "cli/demo_run.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/store.hpp"
#include "core/algorithms.hpp"
#include "core/url.hpp"

#include <algorithm>
#include <memory>
#include <thread>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t most_workers = 1000;
constexpr std::int64_t most_grants = 100'000;
constexpr std::int64_t most_processes = 64;
constexpr int default_processes = 4;
constexpr Duration longest = 1h;
constexpr auto step = 1ms;         // how closely the limiter's clock follows real time
constexpr auto listen_for = 10ms;  // to the processes, before the state is looked at again

Exit finished(DemoState const& state, DemoOutput& output, int signal)
{
    auto const check = check_grants(state.config, state.grants);
    output.end(state, check, signal != 0);
    if (!check.holds) return Exit::failed;
    return signal == 0 ? Exit::done : exit_for_signal(signal);
}

void apply(std::vector<DemoEvent> const& events, DemoState& state, DemoOutput& output)
{
    for (auto const& event : events) {
        state.apply(event);
        output.event(state, event);
    }
}

/// Threads of this process on the embedded store, whose clock it steps.
Exit run_here(DemoPlan const& plan, GlobalOptions const& global)
{
    DemoRun run{plan, global.store};
    DemoState state{plan, run.config()};
    InterruptGuard const guard;
    auto const output = make_demo_output(global.json);
    output->begin(state);
    run.start();
    while (guard.signal() == 0 && !state.is_over()) {
        std::this_thread::sleep_for(step);
        apply(run.catch_up(), state, *output);
        state.elapsed = run.elapsed();
        output->tick(state);
    }
    run.stop();
    return finished(state, *output, guard.signal());
}

/// A limiter that is gone with this object.
class DemoLimiter {
public:
    DemoLimiter(DemoPlan const& plan, GlobalOptions const& global) : global_{global}
    {
        auto client = open_client(global);
        name_ = "ration-demo:" + client.id();
        auto limiter = client.rate_limiter(name_, {.algorithm = plan.algorithm});
        // Should this process be killed, it goes by itself.
        limiter.set_rate(plan.rate, {.keep_alive = std::max<Duration>(plan.rate.interval(), 1min)});
        config_ = limiter.config();
    }
    ~DemoLimiter()
    {
        try {
            open_client(global_).rate_limiter(name_).remove();
        } catch (Error const&) {
            // The server is gone, or will forget it by itself.
        }
    }
    DemoLimiter(DemoLimiter const&) = delete;
    DemoLimiter& operator=(DemoLimiter const&) = delete;

    std::string const& name() const { return name_; }
    LimiterConfig const& config() const { return config_; }

private:
    GlobalOptions const& global_;
    std::string name_;
    LimiterConfig config_;
};

/// Processes on a server. Its clock is not ours to step; its log has the exact moments of all grants.
Exit run_shared(DemoPlan const& plan, GlobalOptions const& global)
{
    if (core::natural_algorithm(plan.rate) != Algorithm::sliding_log
        || plan.algorithm.value_or(Algorithm::sliding_log) != Algorithm::sliding_log) {
        throw UsageError{"on a server the demo checks the limit by the server's log of grants, which only a "
                         "sliding_log has; give another --rate, or no --algorithm"};
    }
    InterruptGuard const guard;
    DemoLimiter const limiter{plan, global};
    DemoProcesses processes{plan, global, limiter.name()};
    DemoLog log{global, limiter.name()};
    DemoState state{plan, limiter.config()};
    auto const output = make_demo_output(global.json);
    auto const read_every = std::min<Duration>(plan.rate.interval() / 4, 200ms);
    Duration next_read{};
    output->begin(state);
    while (guard.signal() == 0 && !state.is_over()) {
        apply(processes.events(listen_for), state, *output);
        state.elapsed = processes.elapsed();
        if (state.elapsed >= next_read) {
            log.read();
            state.grants = log.grants();
            next_read = state.elapsed + read_every;
        }
        output->tick(state);
    }
    processes.stop();
    log.read();
    state.grants = log.grants();
    return finished(state, *output, guard.signal());
}

Exit run_demo(DemoPlan plan, GlobalOptions const& global)
{
    auto const url = core::parse_store_url(global.store);
    if (url.kind == core::StoreUrl::Kind::memory) {
        if (plan.processes > 0) throw UsageError{"--processes needs a server; give --store redis://HOST"};
        return run_here(plan, global);
    }
    plan.where = to_string(url);
    if (plan.processes == 0) plan.processes = std::min(default_processes, plan.workers);
    return run_shared(plan, global);
}

struct DemoArguments {
    std::string workers = "20";
    std::string rate = "5/s";
    std::string grants;
    std::string duration;
    std::string algorithm;
    std::string processes;

    DemoPlan plan() const
    {
        DemoPlan plan;
        plan.workers = static_cast<int>(parse_count("--workers", workers, 1, most_workers));
        plan.rate = Rate::parse(rate);
        if (!grants.empty()) plan.grants = parse_count("--grants", grants, 1, most_grants);
        if (!duration.empty()) plan.duration = parse_span("--duration", duration, longest);
        if (!algorithm.empty()) plan.algorithm = parse_algorithm("--algorithm", algorithm);
        if (!processes.empty())
            plan.processes = static_cast<int>(parse_count("--processes", processes, 1, most_processes));
        if (plan.processes > plan.workers) throw UsageError{"give at least as many --workers as --processes"};
        if (plan.grants && plan.duration) throw UsageError{"give --grants or --duration, not both"};
        return plan;
    }
};

constexpr auto explanation =
    "Worker threads share one limiter: each asks for a permit, works for 50 ms and asks again.\n"
    "At the end it checks, from the moments of all grants, that the limit held. With --store\n"
    "redis://... the threads are in several processes, and the moments come from the server.\n"
    "\n"
    "On a terminal it draws a live picture, else it prints a line per grant and per wait.\n"
    "Without --grants and --duration it ends when every worker had a turn and 4 seconds are\n"
    "over, after a minute at the latest. Ctrl-C ends it at any time.\n"
    "\n"
    "Examples:\n"
    "  ration demo                            20 workers share 5 permits per second\n"
    "  ration demo --workers 20 --rate 1/1s   one at a time, first come, first served\n"
    "  ration demo --algorithm token_bucket   the same rate, spread evenly\n"
    "  ration demo --rate '60/m;burst=10'     a bucket of 10, filled with 1 per second\n"
    "  ration demo --grants 100 --rate 50/s --json\n"
    "  ration demo --store redis://127.0.0.1  4 processes share one limit\n"
    "\n"
    "Exit codes: 0 the limit held, 2 wrong usage, 3 the limit did not hold, or a store or data\n"
    "error; 128 + n ended by signal n.";

}  // namespace

Command demo_command(GlobalOptions const& global)
{
    auto const given = std::make_shared<DemoArguments>();
    return {
        .name = "demo",
        .group = "Trying and measuring",
        .summary = "Show a limiter at work",
        .details = explanation,
        .arguments =
            {
                {"--workers", "N", "How many threads ask, 1 to 1000", &given->workers},
                {"--rate", "RATE", "What they share, e.g. 5/s, 1/500ms, 60/m;burst=10", &given->rate},
                {"--processes", "N", "On a server: in how many processes they are (4)", &given->processes},
                {"--grants", "N", "End after so many grants", &given->grants},
                {"--duration", "D", "End after so long, e.g. 10s or 500ms", &given->duration},
                {"--algorithm", "A",
                 "sliding_log, fixed_window, calendar_window or\ntoken_bucket; if not given, the one "
                 "that fits "
                 "the rate",
                 &given->algorithm},
            },
        .run = [given, &global] { return run_demo(given->plan(), global); }};
}

}  // namespace ration::cli
