// `ration delete`: forgets a limiter.

#include "cli/output.hpp"
#include "cli/store.hpp"

#include <ration/client.hpp>

namespace ration::cli {

namespace {

constexpr auto details =
    "Rate and grants are gone, those of every client that ration knows of included. Whoever\n"
    "still asks for permits is told that no rate is set.\n"
    "\n"
    "Examples:\n"
    "  ration delete mail\n"
    "  ration list 'test:*' --json | jq -r .limiter | xargs -n 1 ration delete\n"
    "\n"
    "Exit codes: 0 deleted, 1 there was none, 2 wrong usage, 3 store or data error.";

Exit run_delete(LimiterArguments const& arguments, GlobalOptions const& global)
{
    require_shared_store(global);
    auto client = open_client(global);
    bool const deleted = client.rate_limiter(arguments.name).remove();
    if (global.json) {
        say(JsonLine{}.add("limiter", arguments.name).add("deleted", deleted).text());
    } else {
        say(printable(arguments.name) + (deleted ? ": deleted" : ": there is no such limiter"));
    }
    return deleted ? Exit::done : Exit::denied;
}

}  // namespace

Command delete_command(GlobalOptions const& global)
{
    auto const given = std::make_shared<LimiterArguments>();
    return {.name = "delete",
            .group = "Limiters",
            .summary = "Delete a limiter and all its grants",
            .details = details,
            .arguments = {given->name_argument()},
            .run = [given, &global] { return run_delete(*given, global); },
            .usage = "delete NAME"};
}

}  // namespace ration::cli
