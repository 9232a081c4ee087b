#include <ration/decision.hpp>
#include <ration/error.hpp>
#include <ration/hash_options.hpp>
#include <ration/queue_options.hpp>
#include <ration/types.hpp>

namespace ration {

// No `default:` in these switches: the compiler then points at the name that a new enumerator lacks.

std::string_view to_string(RateType type) noexcept
{
    switch (type) {
    case RateType::overall: return "overall";
    case RateType::per_client: return "per-client";
    }
    return "unknown";
}

std::string_view to_string(Algorithm algorithm) noexcept
{
    switch (algorithm) {
    case Algorithm::sliding_log: return "sliding_log";
    case Algorithm::fixed_window: return "fixed_window";
    case Algorithm::calendar_window: return "calendar_window";
    case Algorithm::token_bucket: return "token_bucket";
    }
    return "unknown";
}

std::string_view to_string(Basis basis) noexcept
{
    switch (basis) {
    case Basis::store: return "store";
    case Basis::local_fallback: return "local_fallback";
    case Basis::fail_open: return "fail_open";
    case Basis::fail_closed: return "fail_closed";
    }
    return "unknown";
}

std::string_view to_string(Errc code) noexcept
{
    switch (code) {
    case Errc::permits_exceed_rate: return "permits_exceed_rate";
    case Errc::not_initialized: return "not_initialized";
    case Errc::invalid_argument: return "invalid_argument";
    case Errc::store_unavailable: return "store_unavailable";
    case Errc::outcome_unknown: return "outcome_unknown";
    case Errc::incompatible_data: return "incompatible_data";
    case Errc::config_conflict: return "config_conflict";
    case Errc::would_deadlock: return "would_deadlock";
    case Errc::queue_full: return "queue_full";
    case Errc::client_closed: return "client_closed";
    case Errc::cancelled: return "cancelled";
    case Errc::too_many_keys: return "too_many_keys";
    case Errc::access_denied: return "access_denied";
    }
    return "unknown";
}

std::string_view to_string(HashStrategy strategy) noexcept
{
    switch (strategy) {
    case HashStrategy::automatic: return "automatic";
    case HashStrategy::sorted_set: return "sorted_set";
    case HashStrategy::delay_queue: return "delay_queue";
    case HashStrategy::native: return "native";
    }
    return "unknown";
}

std::string_view to_string(Acknowledge acknowledge) noexcept
{
    switch (acknowledge) {
    case Acknowledge::automatic: return "automatic";
    case Acknowledge::manual: return "manual";
    }
    return "unknown";
}

}  // namespace ration
