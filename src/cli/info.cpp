// `ration info`: one limiter, looked at.

#include "cli/output.hpp"
#include "cli/sight_text.hpp"
#include "cli/store.hpp"

namespace ration::cli {

namespace {

constexpr auto details =
    "Looks at any limiter, also at one of a Java service (Redisson), of any version. It reads\n"
    "the keys and writes nothing: a user who may only read will do. What he may not see, it\n"
    "says on standard error.\n"
    "\n"
    "Examples:\n"
    "  ration info mail\n"
    "  ration info mail --json | jq .available\n"
    "  ration info worker --client-id host-7   what is free for this client\n"
    "\n"
    "Exit codes: 0 done, 2 wrong usage, 3 store or data error (no such limiter included).";

Exit run_info(LimiterArguments const& arguments, GlobalOptions const& global)
{
    auto const algorithm = arguments.expected_algorithm();
    require_shared_store(global);
    redis::Inspector inspector{global.store, global.tls, global.command_timeout};
    auto const sight = inspector.look(arguments.name, {.algorithm = algorithm,
                                                       .client_id = arguments.client_id,
                                                       .find_clients = arguments.client_id.empty()});
    if (global.json) {
        say(sight_json(sight).text());
    } else {
        for (auto const& line : sight_lines(sight)) say(line);
    }
    if (auto const sentence = missing_sentence(sight); !sentence.empty()) say_note(global.json, sentence);
    return Exit::done;
}

}  // namespace

Command info_command(GlobalOptions const& global)
{
    auto const given = std::make_shared<LimiterArguments>();
    return {.name = "info",
            .group = "Looking",
            .summary = "Show a limiter: its rate and what is free",
            .details = details,
            .arguments = {given->name_argument(), given->client_id_argument(), given->algorithm_argument()},
            .run = [given, &global] { return run_info(*given, global); },
            .usage = "info NAME [--client-id ID]"};
}

}  // namespace ration::cli
