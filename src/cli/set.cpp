// `ration set`: gives a limiter its rate.

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/store.hpp"

#include <ration/client.hpp>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto details =
    "RATE is permits per interval: 5/2s, 100/m (minute), 1/500ms, 60/m;burst=10,\n"
    "100/day (24 hours), 10000/day@Asia/Shanghai (a natural day there), 1/3months.\n"
    "\n"
    "Without one of the last three options an existing limiter is replaced and all grants\n"
    "are forgotten.\n"
    "\n"
    "Examples:\n"
    "  ration set mail 100/m\n"
    "  ration set mail 100/m --if-absent       only if it has no rate; exit code 1 if it has\n"
    "  ration set mail 100/m --if-changed      at start-up: the same rate leaves all alone\n"
    "  ration set mail 200/m --keep-state      what was taken stays taken\n"
    "  ration set api '60/m;burst=10'          a token bucket\n"
    "  ration set worker 5/s --type per-client --keep-alive 1h\n"
    "\n"
    "Exit codes: 0 done (with --if-changed also if there was nothing to change), 1 nothing\n"
    "changed, 2 wrong usage, 3 store or data error.";

struct SetArguments : LimiterArguments {
    std::string rate;
    std::string type = "overall";
    std::string keep_alive;
    bool if_absent = false;
    bool if_changed = false;
    bool keep_state = false;
};

struct Outcome {
    char const* result;    ///< in JSON
    char const* sentence;  ///< for people, behind the name
    bool changed = true;
    Exit exit = Exit::done;
};

constexpr Outcome was_set{"set", "set to", true};

Outcome outcome_of(EnsureResult result)
{
    switch (result) {
    case EnsureResult::created: return {"created", "created with"};
    case EnsureResult::unchanged: return {"unchanged", "has already", false};
    case EnsureResult::changed: return {"changed", "changed to"};
    }
    return was_set;
}

Outcome apply(SetArguments const& arguments, RateLimiter& limiter, Rate const& rate,
              RateOptions const& options)
{
    if (arguments.if_absent) {
        return limiter.try_set_rate(rate, options)
                   ? Outcome{"created", "created with"}
                   : Outcome{"exists", "left alone, it has", false, Exit::denied};
    }
    if (arguments.if_changed) return outcome_of(limiter.ensure_rate(rate, options));
    if (arguments.keep_state) {
        return limiter.update_rate(rate, options)
                   ? Outcome{"updated", "updated to"}
                   : Outcome{"missing", "left alone, it has no rate to update", false, Exit::denied};
    }
    limiter.set_rate(rate, options);
    return was_set;
}

std::string config_text(LimiterConfig const& config)
{
    auto text = to_string(config.rate) + " (" + std::string{to_string(config.algorithm)};
    if (config.type == RateType::per_client) text += ", per client";
    return text + ")";
}

Exit run_set(SetArguments const& arguments, GlobalOptions const& global)
{
    if (arguments.if_absent + arguments.if_changed + arguments.keep_state > 1)
        throw UsageError{"give one of --if-absent, --if-changed and --keep-state"};
    auto const rate = Rate::parse(arguments.rate);
    RateOptions options{.type = parse_type("--type", arguments.type)};
    if (!arguments.keep_alive.empty())
        options.keep_alive = parse_span_or_zero("--keep-alive", arguments.keep_alive, Rate::max_interval);
    auto const algorithm = arguments.expected_algorithm();
    require_shared_store(global);

    auto client = open_client(global);
    auto limiter = client.rate_limiter(arguments.name, {.algorithm = algorithm});
    auto const outcome = apply(arguments, limiter, rate, options);
    bool const missing = arguments.keep_state && !outcome.changed;
    // What is stored now, by whomever: another may have been quicker, or it expires soon.
    LimiterConfig config{.rate = rate, .type = options.type, .keep_alive = options.keep_alive};
    if (!missing) config = client.rate_limiter(arguments.name).config();

    if (global.json) {
        JsonLine line;
        line.add("limiter", arguments.name).add("result", outcome.result).add("changed", outcome.changed);
        if (!missing) add_config(line, config);
        say(line.text());
    } else {
        say(printable(arguments.name) + ": " + outcome.sentence
            + (missing ? std::string{} : " " + config_text(config)));
    }
    return outcome.exit;
}

}  // namespace

Command set_command(GlobalOptions const& global)
{
    auto const given = std::make_shared<SetArguments>();
    return {.name = "set",
            .group = "Limiters",
            .summary = "Give a limiter its rate",
            .details = details,
            .arguments =
                {
                    given->name_argument("The limiter, 1 to 1024 bytes"),
                    {"RATE", "", "Permits per interval, e.g. 100/m", &given->rate, Argument::Need::required},
                    {"--type", "T", "overall: all share it; per-client: each has it all", &given->type},
                    {"--algorithm", "A",
                     "sliding_log, fixed_window, calendar_window or\ntoken_bucket; if not given, the one "
                     "that fits",
                     &given->algorithm},
                    {"--keep-alive", "D", "It vanishes when unused for so long, e.g. 1h", &given->keep_alive},
                    {"--if-absent", "", "Only if it has no rate", &given->if_absent},
                    {"--if-changed", "", "Only if it has another rate, or none", &given->if_changed},
                    {"--keep-state", "", "Only if it has a rate; grants are kept", &given->keep_state},
                },
            .run = [given, &global] { return run_set(*given, global); },
            .usage = "set NAME RATE [--type overall|per-client] [--algorithm A]\n"
                     "         [--keep-alive D] [--if-absent|--if-changed|--keep-state]"};
}

}  // namespace ration::cli
