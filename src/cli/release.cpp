// `ration release`: gives permits back.

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/store.hpp"
#include "cli/text.hpp"

#include <ration/client.hpp>

namespace ration::cli {

namespace {

constexpr auto details =
    "Gives back permits that were taken and not used. Those of the oldest grants come first,\n"
    "and there are never more free than the rate says. Permits free up by themselves, so give\n"
    "back only what was not used: releasing what has freed up already gives away others'.\n"
    "\n"
    "Examples:\n"
    "  ration release mail 3\n"
    "  ration release worker 1 --client-id host-7\n"
    "\n"
    "Exit codes: 0 done, 2 wrong usage, 3 store or data error.";

struct ReleaseArguments : LimiterArguments {
    std::string permits;
};

Exit run_release(ReleaseArguments const& arguments, GlobalOptions const& global)
{
    auto const n = parse_permits(arguments.permits);
    auto const algorithm = arguments.expected_algorithm();
    require_shared_store(global);

    auto client = open_client(global, arguments.client_id);
    auto limiter = client.rate_limiter(arguments.name, {.algorithm = algorithm});
    require_config(limiter, arguments.client_id);
    limiter.release(n);
    auto const available = limiter.available_permits();
    if (global.json) {
        say(JsonLine{}.add("limiter", arguments.name).add("released", n).add("available", available).text());
    } else {
        say("released " + count_text(n, "permit") + ", " + std::to_string(available) + " free");
    }
    return Exit::done;
}

}  // namespace

Command release_command(GlobalOptions const& global)
{
    auto const given = std::make_shared<ReleaseArguments>();
    return {.name = "release",
            .group = "Permits",
            .summary = "Give permits back",
            .details = details,
            .arguments =
                {
                    given->name_argument(),
                    {"N", "", "How many permits", &given->permits, Argument::Need::required},
                    given->client_id_argument(),
                    given->algorithm_argument(),
                },
            .run = [given, &global] { return run_release(*given, global); },
            .usage = "release NAME N [--client-id ID]"};
}

}  // namespace ration::cli
