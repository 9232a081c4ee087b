// `ration try`: takes permits now, or within a time, or not at all.

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/store.hpp"

#include <ration/client.hpp>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;

constexpr Duration longest = 24h * 366;

constexpr auto details =
    "Examples:\n"
    "  ration try mail && send-mail            one permit, now or never\n"
    "  ration try mail 5 --timeout 2s          five at once; waits up to 2 seconds, but not in\n"
    "                                          vain: denied at once if they would come too late\n"
    "  ration try worker --client-id host-7    a limiter of type per-client\n"
    "  ration try mail --json | jq .retry_after_ms\n"
    "\n"
    "Exit codes: 0 granted, 1 denied, 2 wrong usage (more permits than the rate included),\n"
    "3 store or data error (no such limiter included).";

struct TryArguments : LimiterArguments {
    std::string permits = "1";
    std::string timeout;
};

Exit run_try(TryArguments const& arguments, GlobalOptions const& global)
{
    auto const n = parse_permits(arguments.permits);
    auto const timeout =
        arguments.timeout.empty() ? Duration{} : parse_span_or_zero("--timeout", arguments.timeout, longest);
    auto const algorithm = arguments.expected_algorithm();
    require_shared_store(global);

    auto client = open_client(global, arguments.client_id);
    auto limiter = client.rate_limiter(arguments.name, {.algorithm = algorithm});
    require_config(limiter, arguments.client_id);
    auto const decision =
        timeout == Duration{} ? limiter.try_acquire(n) : limiter.try_acquire_for(timeout, n);
    say(global.json ? decision_json(arguments.name, decision).text() : decision_text(decision));
    return decision ? Exit::done : Exit::denied;
}

}  // namespace

Command try_command(GlobalOptions const& global)
{
    auto const given = std::make_shared<TryArguments>();
    return {.name = "try",
            .group = "Permits",
            .summary = "Take permits now or never, or within a time",
            .details = details,
            .arguments =
                {
                    given->name_argument(),
                    {"N", "", "How many permits", &given->permits},
                    {"--timeout", "D", "Wait up to so long, e.g. 500ms", &given->timeout},
                    given->client_id_argument(),
                    given->algorithm_argument(),
                },
            .run = [given, &global] { return run_try(*given, global); },
            .usage = "try NAME [N] [--timeout D] [--client-id ID]"};
}

}  // namespace ration::cli
