// `ration watch`: limiters, live.

#include "cli/arguments.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/output.hpp"
#include "cli/store.hpp"
#include "cli/terminal.hpp"
#include "cli/watch_view.hpp"
#include "redis/inspector.hpp"

#include <ration/error.hpp>

#include <cstdio>
#include <optional>
#include <thread>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

constexpr std::int64_t most_limiters = 50;
constexpr std::int64_t most_members = 20'000;  // of a log, which is read again and again
constexpr std::size_t most_clients = 200;
constexpr auto find_clients_every = 10s;

constexpr auto details =
    "On a terminal: a live picture of what was free over the last minute, grants per second,\n"
    "the next permit and, with a limit per client, each client. Keys: q quits.\n"
    "Else: one line per limiter and second; with --json one object. Only reads.\n"
    "\n"
    "Examples:\n"
    "  ration watch mail\n"
    "  ration watch mail api worker\n"
    "  ration watch mail --samples 60 > mail.log\n"
    "\n"
    "Exit codes: 0 ended by q or --samples, 2 wrong usage, 3 store or data error at the\n"
    "start (later it says so and goes on), 128 + n ended by signal n.";

struct WatchArguments {
    std::vector<std::string> names;
    std::string every;
    std::string samples;
};

class Watcher {
public:
    Watcher(WatchArguments const& arguments, GlobalOptions const& global)
        : global_{global}, inspector_{global.store, global.tls, global.command_timeout}
    {
        for (auto const& name : arguments.names) limiters_.emplace_back(name);
    }

    /// Looks at all. A problem with the store or a limiter is thrown only at the first time.
    void look()
    {
        bool const find = Steady::now() >= next_find_;
        if (find) next_find_ = Steady::now() + find_clients_every;
        for (auto& limiter : limiters_) {
            redis::InspectOptions options{.most_members = most_members, .find_clients = find};
            options.most_clients = most_clients;
            options.memory = false;
            if (limiter.sight()) {
                for (auto const& client : limiter.sight()->clients)
                    options.known_clients.push_back(client.id);
            }
            try {
                limiter.saw(inspector_.look(limiter.name(), options));
            } catch (Error const& error) {
                if (!limiter.sight()) throw;
                limiter.failed(error.what());
            }
        }
    }

    void print() const
    {
        for (auto const& limiter : limiters_) say(global_.json ? watch_json(limiter) : watch_line(limiter));
        std::fflush(stdout);
    }

    std::vector<WatchedLimiter> const& limiters() const { return limiters_; }

private:
    GlobalOptions const& global_;
    redis::Inspector inspector_;
    std::vector<WatchedLimiter> limiters_;
    Steady::time_point next_find_{};
};

Exit run_watch(WatchArguments const& arguments, GlobalOptions const& global)
{
    if (arguments.names.size() > most_limiters)
        throw UsageError{"give at most " + std::to_string(most_limiters) + " limiters"};
    bool const live = !global.json && output_is_terminal();
    auto const every = arguments.every.empty() ? (live ? Duration{250ms} : Duration{1s})
                                               : parse_span("--every", arguments.every, 1h);
    std::optional<std::int64_t> left;
    if (!arguments.samples.empty()) left = parse_count("--samples", arguments.samples, 1, 1'000'000'000);
    require_shared_store(global);

    Watcher watcher{arguments, global};
    watcher.look();
    InterruptGuard const guard;
    std::optional<LiveScreen> screen;
    std::optional<Keyboard> keyboard;
    if (live) {
        screen.emplace();
        keyboard.emplace();
    }
    auto const draw = [&] { screen->show(draw_watch(watcher.limiters(), output_screen())); };
    for (auto next = Steady::now();;) {
        if (live) {
            draw();
        } else {
            watcher.print();
        }
        if (left && --*left == 0) return Exit::done;
        next += every;
        if (next < Steady::now()) next = Steady::now();  // the store is slower than that
        while (Steady::now() < next && guard.signal() == 0) {
            auto const wait = std::chrono::ceil<std::chrono::milliseconds>(next - Steady::now());
            if (!live) {
                std::this_thread::sleep_for(std::min<std::chrono::milliseconds>(wait, 50ms));
            } else if (auto const key = keyboard->wait(wait); key == 'q' || key == 'Q') {
                return Exit::done;
            } else if (key == Keyboard::resized) {
                draw();
            }
        }
        if (guard.signal() != 0) return exit_for_signal(guard.signal());
        watcher.look();
    }
}

}  // namespace

Command watch_command(GlobalOptions const& global)
{
    auto const given = std::make_shared<WatchArguments>();
    return {.name = "watch",
            .group = "Looking",
            .summary = "Watch limiters, live",
            .details = details,
            .arguments =
                {
                    {"NAME", "", "The limiters", &given->names, Argument::Need::required},
                    {"--every", "D", "How often to look (terminal: 250ms, else 1s)", &given->every},
                    {"--samples", "N", "End after looking so often", &given->samples},
                },
            .run = [given, &global] { return run_watch(*given, global); },
            .usage = "watch NAME... [--every D] [--samples N]"};
}

}  // namespace ration::cli
