#include "cli/store.hpp"

#include "cli/arguments.hpp"
#include "core/quote.hpp"
#include "core/url.hpp"

namespace ration::cli {

Argument LimiterArguments::name_argument(char const* meaning)
{
    return {"NAME", "", meaning, &name, Argument::Need::required};
}

Argument LimiterArguments::client_id_argument()
{
    return {"--client-id", "ID", "Who asks, for a limiter of type per-client", &client_id};
}

Argument LimiterArguments::algorithm_argument()
{
    return {"--algorithm", "A",
            "What the limiter is; only needed for one of Redisson\nup to 3.13.2, which is a fixed_window",
            &algorithm};
}

std::optional<Algorithm> LimiterArguments::expected_algorithm() const
{
    if (algorithm.empty()) return std::nullopt;
    return parse_algorithm("--algorithm", algorithm);
}

void require_shared_store(GlobalOptions const& global)
{
    if (core::parse_store_url(global.store).kind != core::StoreUrl::Kind::memory) return;
    throw UsageError{"this needs a store that others share, and " + global.store
                     + " is in this process alone; set RATION_STORE or give --store, "
                       "e.g. --store redis://127.0.0.1:6379"};
}

Client open_client(GlobalOptions const& global, std::string const& client_id)
{
    ClientOptions options;
    options.command_timeout = global.command_timeout;
    options.tls = global.tls;
    options.client_id = client_id;
    return Client{global.store, options};
}

LimiterConfig require_config(RateLimiter const& limiter, std::string const& client_id)
{
    auto const who = "limiter " + core::quoted(limiter.name()) + ": ";
    LimiterConfig config;
    try {
        config = limiter.config();
    } catch (Error const& error) {
        if (error.code() != Errc::not_initialized) throw;
        throw Error{Errc::not_initialized,
                    who + "no rate is set, or it has expired; set one with 'ration set NAME RATE'"};
    }
    if (config.type == RateType::per_client && client_id.empty()) {
        throw UsageError{who + "each client has a limit of its own; say who asks with --client-id"};
    }
    return config;
}

}  // namespace ration::cli
