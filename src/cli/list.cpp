// `ration list`: all limiters of a store.

#include "cli/output.hpp"
#include "cli/sight_text.hpp"
#include "cli/store.hpp"
#include "cli/text.hpp"

namespace ration::cli {

namespace {

constexpr std::int64_t most_members = 20'000;  // of a log; a longer one shows about how much is free

constexpr auto details =
    "PATTERN is a glob of the server: mail, 'mail:*', 'user-?'. Without one, all are shown.\n"
    "Goes through the keys with SCAN, so that the server is never blocked; at the end it says\n"
    "on standard error how many keys it passed. Limiters by key (KeyedRateLimiter) store no\n"
    "rate, and are not shown.\n"
    "\n"
    "Examples:\n"
    "  ration list\n"
    "  ration list 'mail:*'\n"
    "  ration list --json | jq -r 'select(.available == 0) | .limiter'\n"
    "\n"
    "Exit codes: 0 done, 2 wrong usage, 3 store or data error.";

std::string summary(redis::Inspector::Scanned const& scanned, std::string const& pattern)
{
    auto text = count_text(scanned.limiters, "limiter");
    if (pattern != "*") text += " match " + printable(pattern);
    if (scanned.keys) text += ", " + count_text(*scanned.keys, "key") + " passed";
    return text;
}

Exit run_list(std::string const& pattern, GlobalOptions const& global)
{
    require_shared_store(global);
    redis::Inspector inspector{global.store, global.tls, global.command_timeout};
    std::vector<redis::LimiterSight> sights;
    std::string missing;
    auto const scanned =
        inspector.scan(pattern, {.most_members = most_members}, [&](redis::LimiterSight const& sight) {
            missing = missing_sentence(sight);
            if (global.json) {
                say(sight_json(sight).text());
            } else {
                sights.push_back(sight);
                sights.back().state.log.clear();
            }
        });
    if (!sights.empty()) {
        for (auto const& line : sight_table(sights)) say(line);
    }
    for (auto const& problem : scanned.problems) say_note(global.json, problem);
    if (!missing.empty()) say_note(global.json, missing);
    if (global.json) {
        JsonLine line;
        line.add("limiters", scanned.limiters);
        if (scanned.keys) line.add("keys_passed", *scanned.keys);
        say_to_error(line.text());
    } else {
        say_to_error(summary(scanned, pattern));
    }
    return Exit::done;
}

}  // namespace

Command list_command(GlobalOptions const& global)
{
    auto const pattern = std::make_shared<std::string>("*");
    return {.name = "list",
            .group = "Looking",
            .summary = "Show all limiters, those of Java services too",
            .details = details,
            .arguments = {{"PATTERN", "", "Which ones, e.g. 'mail:*'", pattern.get()}},
            .run = [pattern, &global] { return run_list(*pattern, global); },
            .usage = "list [PATTERN]"};
}

}  // namespace ration::cli
