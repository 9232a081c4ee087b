// `ration acquire`: waits for permits and, if wanted, becomes the command that needed them.

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/program.hpp"
#include "cli/stop_signals.hpp"
#include "cli/store.hpp"
#include "core/quote.hpp"

#include <ration/client.hpp>

#include <cerrno>
#include <cstring>
#include <optional>

namespace ration::cli {

namespace {

constexpr auto details =
    "With '-- CMD' it becomes CMD as soon as it has the permits: CMD gets its standard input\n"
    "and output, its signals and its place in the shell, and its exit code is CMD's. Nothing\n"
    "is printed then; with --json the decision goes to standard error. If CMD cannot be\n"
    "started, the permits are given back. Ctrl-C while it waits takes nothing.\n"
    "\n"
    "Examples:\n"
    "  ration acquire mail\n"
    "  ration acquire mail 10 && send-ten-mails\n"
    "  ration acquire backup -- tar cf /backup/home.tar /home\n"
    "  * * * * * ration --store redis://db acquire report -- /usr/local/bin/report\n"
    "\n"
    "Exit codes: 0 granted, or CMD's own; 2 wrong usage (more permits than the rate included),\n"
    "3 store or data error, 126 CMD cannot be run, 127 there is no CMD, 128 + n ended by\n"
    "signal n while waiting.";

struct AcquireArguments : LimiterArguments {
    std::string permits = "1";
};

Exit cannot_start(std::string const& command, int problem, bool json, char const* what_happened)
{
    bool const none = problem == ENOENT || problem == ENOTDIR;
    auto const sentence = "cannot run " + core::quoted(command) + ": "
                          + (none ? "there is no such command" : std::strerror(problem)) + "; "
                          + what_happened;
    say_failure(json, none ? "command_not_found" : "command_not_runnable", sentence);
    return none ? Exit::no_command : Exit::cannot_run;
}

/// Nothing if a signal came first.
std::optional<Decision> wait_for_permits(AcquireArguments const& arguments, GlobalOptions const& global,
                                         Permits n, StopSignals const& signals)
{
    auto client = open_client(global, arguments.client_id);
    auto limiter = client.rate_limiter(arguments.name, {.algorithm = arguments.expected_algorithm()});
    require_config(limiter, arguments.client_id);
    try {
        return limiter.acquire(n, signals.token());
    } catch (Error const& error) {
        if (error.code() == Errc::cancelled) return std::nullopt;
        throw;
    }
}

void give_back(AcquireArguments const& arguments, GlobalOptions const& global, Permits n)
{
    auto client = open_client(global, arguments.client_id);
    client.rate_limiter(arguments.name, {.algorithm = arguments.expected_algorithm()}).release(n);
}

Exit run_acquire(AcquireArguments const& arguments, GlobalOptions const& global)
{
    auto const n = parse_permits(arguments.permits);
    arguments.expected_algorithm();
    require_shared_store(global);
    std::optional<Program> program;
    if (!global.behind_dashes.empty()) {
        // Now, and not after an hour of waiting.
        program.emplace(global.behind_dashes);
        if (program->problem() != 0) {
            return cannot_start(global.behind_dashes.front(), program->problem(), global.json,
                                "no permit was taken");
        }
    }
    {
        StopSignals const signals;
        auto const decision = wait_for_permits(arguments, global, n, signals);
        if (decision && program && signals.signal() != 0) give_back(arguments, global, n);  // just too late
        if (!decision || signals.signal() != 0) return exit_for_signal(signals.signal());
        auto const line =
            global.json ? decision_json(arguments.name, *decision).text() : decision_text(*decision);
        if (!program) {
            say(line);
            return Exit::done;
        }
        if (global.json) say_to_error(line);
    }
    // No thread, no connection and no blocked signal is left to CMD.
    int const problem = program->become();
    give_back(arguments, global, n);
    return cannot_start(global.behind_dashes.front(), problem, global.json, "the permits were given back");
}

}  // namespace

Command acquire_command(GlobalOptions const& global)
{
    auto const given = std::make_shared<AcquireArguments>();
    return {.name = "acquire",
            .group = "Permits",
            .summary = "Wait for permits, and run a command",
            .details = details,
            .arguments =
                {
                    given->name_argument(),
                    {"N", "", "How many permits", &given->permits},
                    given->client_id_argument(),
                    given->algorithm_argument(),
                },
            .run = [given, &global] { return run_acquire(*given, global); },
            .takes_command = true,
            .usage = "acquire NAME [N] [--client-id ID] [-- CMD...]"};
}

}  // namespace ration::cli
