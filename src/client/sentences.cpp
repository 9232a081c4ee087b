#include "client/sentences.hpp"

#include "core/algorithms.hpp"
#include "core/quote.hpp"

namespace ration::client {

using core::quoted;

namespace {

constexpr Duration coarsest_log = std::chrono::hours{1};
constexpr Duration slowest_sweep = std::chrono::hours{1};
constexpr std::size_t largest_sweep = 1000;
constexpr Duration longest_lease = std::chrono::years{10};

/// What to say if the place where it went wrong has nothing to add.
std::string advice(Errc code)
{
    switch (code) {
    case Errc::permits_exceed_rate: return "more permits were asked for than it can ever hold; ask for fewer";
    case Errc::not_initialized:
        return "no rate is set, or it has expired; call try_set_rate or ensure_rate first";
    case Errc::invalid_argument: return "an argument is not valid";
    case Errc::store_unavailable: return "the store was not reached; nothing was taken, try again later";
    case Errc::outcome_unknown:
        return "the store's answer was lost; the permits count as used until they free up";
    case Errc::incompatible_data: return "the store holds something under this name that ration cannot read";
    case Errc::config_conflict:
        return "it is stored with another algorithm than it was opened with; open it without one, or replace "
               "it by "
               "set_rate";
    case Errc::would_deadlock:
        return "this blocking call would have to wait for the thread it runs on, the client's I/O thread; "
               "use the "
               "async_ call there";
    case Errc::queue_full:
        return "ClientOptions::max_waiters are waiting already; try again later or raise it";
    case Errc::client_closed: return "the client is closed; make a new one";
    case Errc::cancelled: return "the wait was cancelled by its stop_token; nothing was taken";
    case Errc::too_many_keys:
        return "it holds KeyedOptions::max_keys keys that are all in use; raise it, or deny this key";
    case Errc::access_denied:
        return "the store refused this user; check the user, the password and the ACL rules";
    }
    return make_error_code(code).message();
}

std::string count(Permits n)
{
    return std::to_string(n) + (n == 1 ? " permit" : " permits");
}

std::optional<Problem> invalid(std::string detail)
{
    return Problem{Errc::invalid_argument, std::move(detail)};
}

std::optional<Problem> check_length(std::string const& what, std::string_view text)
{
    if (text.empty()) return invalid("the " + what + " is empty; give it 1 to 1024 bytes");
    if (text.size() <= longest_name) return std::nullopt;
    return invalid("the " + what + " has " + std::to_string(text.size()) + " bytes; 1024 is the most");
}

std::optional<Problem> check_mix(Algorithm algorithm, Rate const& rate)
{
    if (core::fits(algorithm, rate)) return std::nullopt;
    return invalid("the rate " + to_string(rate) + " does not go with " + std::string{to_string(algorithm)}
                   + "; a calendar rate goes with calendar_window only, and a burst with token_bucket only");
}

std::optional<Problem> check_local_share(Permits share)
{
    if (share >= 1) return std::nullopt;
    return invalid("local_share is " + std::to_string(share) + "; it is the number of processes, at least 1");
}

}  // namespace

std::string describe_limiter(std::string_view name)
{
    return "limiter " + quoted(name);
}

std::string describe_keyed_limiter(std::string_view name)
{
    return "keyed limiter " + quoted(name);
}

std::string describe_key(std::string_view name, std::string_view key)
{
    return "key " + quoted(key) + " of " + describe_keyed_limiter(name);
}

std::string describe_hash(std::string_view name)
{
    return "hash " + quoted(name);
}

std::string describe_queue(std::string_view name)
{
    return "delay queue " + quoted(name);
}

Error make_error(std::string const& who, Problem const& problem)
{
    return Error{problem.code, who + ": " + (problem.detail.empty() ? advice(problem.code) : problem.detail)};
}

Problem problem_of(core::Outcome const& outcome, Permits n)
{
    if (outcome.detail) return {*outcome.error, *outcome.detail};
    if (*outcome.error != Errc::permits_exceed_rate) return {*outcome.error};
    return {Errc::permits_exceed_rate, count(n) + " asked, but it never holds more than "
                                           + std::to_string(outcome.decision.remaining)
                                           + "; ask for fewer or raise the rate"};
}

std::optional<Problem> check_name(std::string_view name)
{
    return check_length("name", name);
}

std::optional<Problem> check_key(std::string_view key)
{
    return check_length("key", key);
}

std::optional<Problem> check_permits(Permits n)
{
    if (n >= 1) return std::nullopt;
    return invalid(count(n) + " asked; ask for at least 1");
}

std::optional<Problem> check_timeout(Duration timeout)
{
    if (timeout >= Duration{}) return std::nullopt;
    return invalid("the timeout is negative (" + std::to_string(timeout.count())
                   + " us); give zero to not wait at all, or call acquire to wait for ever");
}

std::optional<Problem> check_expiry(Duration span)
{
    if (span > Duration{}) return std::nullopt;
    return invalid("it cannot expire after " + std::to_string(span.count())
                   + " us; give more than zero, or call remove");
}

std::optional<Problem> check_options(LimiterOptions const& options)
{
    if (options.log_resolution < Duration{} || options.log_resolution > coarsest_log) {
        return invalid("log_resolution is " + std::to_string(options.log_resolution.count())
                       + " us; give 0 to one hour");
    }
    if (options.log_resolution > Duration{} && options.redisson_format != RedissonFormat::current) {
        return invalid("log_resolution needs redisson_format current; the older ones have no room for it");
    }
    return check_local_share(options.local_share);
}

std::optional<Problem> check_options(KeyedOptions const& options)
{
    if (options.max_keys == 0) return invalid("max_keys is 0; give at least 1");
    if (auto problem = check_mix(options.algorithm, options.rate)) return problem;
    return check_local_share(options.local_share);
}

std::optional<Problem> check_ttl(Duration ttl)
{
    if (ttl > Duration{}) return std::nullopt;
    return invalid("the TTL is " + std::to_string(ttl.count())
                   + " us; give more than zero, none to keep the field, or call remove");
}

std::optional<Problem> check_options(HashOptions const& options)
{
    if (options.shortest_sweep < std::chrono::milliseconds{1}
        || options.shortest_sweep > options.longest_sweep || options.longest_sweep > slowest_sweep) {
        return invalid("shortest_sweep is " + std::to_string(options.shortest_sweep.count())
                       + " us and longest_sweep " + std::to_string(options.longest_sweep.count())
                       + " us; give 1 ms to one hour, the shortest not above the longest");
    }
    if (options.sweep_batch < 1 || options.sweep_batch > largest_sweep) {
        return invalid("sweep_batch is " + std::to_string(options.sweep_batch) + "; give 1 to 1000");
    }
    return std::nullopt;
}

std::optional<Problem> check_options(QueueOptions const& options)
{
    if (options.lease >= std::chrono::milliseconds{1} && options.lease <= longest_lease) return std::nullopt;
    return invalid("lease is " + std::to_string(options.lease.count()) + " us; give 1 ms to 10 years");
}

std::optional<Problem> check_wanted(core::WantedConfig const& wanted)
{
    Duration const keep_alive = wanted.options.keep_alive;
    if (keep_alive != Duration{} && keep_alive < wanted.rate.interval()) {
        return invalid("keep_alive is " + std::to_string(keep_alive.count())
                       + " us, shorter than the interval of " + to_string(wanted.rate)
                       + ", so grants would be forgotten too early; give zero (for ever) or at "
                       + "least the interval");
    }
    if (wanted.algorithm) return check_mix(*wanted.algorithm, wanted.rate);
    return std::nullopt;
}

}  // namespace ration::client
