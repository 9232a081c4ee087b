#include "redis/inspector.hpp"

#include "core/quote.hpp"
#include "redis/keys.hpp"
#include "redis/stored_config.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unordered_set>

namespace ration::redis {

namespace {

using std::chrono::milliseconds;
using Question = Questions::Question;

constexpr std::int64_t page = 1000;             // keys or members a reply has, about
constexpr std::size_t most_questions = 10'000;  // that are sent at once

constexpr char const* config_fields[] = {"rate",      "interval", "type",   "keepAliveTime",
                                         "algorithm", "permits",  "micros", "burst",
                                         "unit",      "every",    "zone",   "scope"};

/// Only what a config may have: a hash that is none may have millions of fields.
Question config_question(std::string const& name)
{
    Question question{"HMGET", name};
    question.insert(question.end(), std::begin(config_fields), std::end(config_fields));
    return question;
}

[[noreturn]] void fail(Errc code, std::string const& who, std::string const& detail)
{
    // A question whose answer is lost took nothing.
    throw Error{code == Errc::outcome_unknown ? Errc::store_unavailable : code, who + detail};
}

/// Of a reply that must be there.
std::vector<Value> const& values_of(Reply const& reply, std::string const& who = {})
{
    if (auto const* const failure = std::get_if<Failure>(&reply)) fail(failure->code, who, failure->detail);
    return std::get<std::vector<Value>>(reply);
}

/// Of one that this user may be refused: then nothing.
std::vector<Value> const* allowed_values(Reply const& reply)
{
    auto const* const failure = std::get_if<Failure>(&reply);
    if (failure && failure->code == Errc::access_denied) return nullptr;
    return &values_of(reply);
}

/// The fields that are there, in turn with their values, as HGETALL has them.
core::Result<LimiterConfig> config_of(std::vector<Value> const& values, std::optional<Algorithm> assumed)
{
    std::vector<Value> fields;
    for (std::size_t i = 0; i < values.size() && i < std::size(config_fields); ++i) {
        if (values[i].kind == Value::Kind::nil) continue;
        fields.push_back({Value::Kind::text, 0, config_fields[i]});
        fields.push_back(values[i]);
    }
    return decode_config(fields, assumed);
}

std::int64_t number(std::string_view text)
{
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

double decimal(std::string_view text)
{
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::optional<std::string> text_if_any(std::vector<Value> const& values)
{
    if (values.empty() || values.front().kind == Value::Kind::nil) return std::nullopt;
    return values.front().text;
}

/// A limiter's key, or that of one of its clients.
std::string state_key(std::string const& name, char const* part, std::string const& client_id)
{
    auto const shared = suffixed(name, part);
    return client_id.empty() ? shared : suffixed(shared, client_id);
}

/// With what glob characters the name itself has made harmless.
std::string as_pattern(std::string_view text)
{
    std::string pattern;
    for (char const c : text) {
        if (std::string_view{"*?[]\\^"}.find(c) != std::string_view::npos) pattern += '\\';
        pattern += c;
    }
    return pattern;
}

std::string describe(std::string const& name)
{
    return "limiter " + core::quoted(name) + ": ";
}

Time local_now()
{
    return std::chrono::floor<Duration>(std::chrono::system_clock::now());
}

}  // namespace

Inspector::Inspector(std::string const& url, TlsOptions const& tls, Duration command_timeout)
    : questions_{core::parse_store_url(url), tls, command_timeout}
{}

LimiterSight Inspector::look(std::string const& name, InspectOptions const& options)
{
    auto const replies = questions_.ask({config_question(name), {"PTTL", name}, {"TIME"}});
    auto const config = config_of(values_of(replies[0], describe(name)), options.algorithm);
    if (config.error) {
        fail(*config.error, describe(name),
             config.detail.empty() ? "no rate is set, or it has expired; set one with 'ration set'"
                                   : config.detail);
    }
    LimiterSight sight{.name = name, .config = config.value};
    if (auto const* const ttl = allowed_values(replies[1])) {
        if (integer_at(*ttl, 0) >= 0) sight.ttl = milliseconds{integer_at(*ttl, 0)};
    } else {
        sight.missing.emplace_back("its time to live (PTTL)");
    }
    if (auto const* const time = allowed_values(replies[2])) {
        sight.now =
            Time{std::chrono::seconds{number(text_at(*time, 0))} + Duration{number(text_at(*time, 1))}};
    } else {
        sight.now = local_now();
        sight.missing.emplace_back("the server's clock (TIME), so this machine's counts");
    }
    try {
        if (sight.config.type == RateType::per_client) see_clients(sight, options);
        see_shared(sight, options);
    } catch (Error const& error) {
        if (error.code() != Errc::incompatible_data) throw;
        throw Error{Errc::incompatible_data, describe(name) + error.what()};
    }
    if (options.memory) measure_memory(sight, options.client_id);
    return sight;
}

void Inspector::see_shared(LimiterSight& sight, InspectOptions const& options)
{
    bool const per_client = sight.config.type == RateType::per_client;
    RawState raw;
    if (!per_client || !options.client_id.empty()) {
        raw = read_state(sight.name, per_client ? options.client_id : std::string{}, sight.config, sight.now,
                         options.most_members);
    }
    if (is_own_layout(sight.config.algorithm)) {
        sight.generation = Generation::ration;
    } else if (auto const seen = generation_of(raw.live)) {
        sight.generation = *seen;
    } else if (sight.config.algorithm == Algorithm::fixed_window || looks_like_counter(raw, sight.ttl)) {
        sight.config.algorithm = Algorithm::fixed_window;
        sight.generation = Generation::redisson_2_12;
    }
    sight.state = see_state(sight.config, raw, sight.now);
}

void Inspector::see_clients(LimiterSight& sight, InspectOptions const& options)
{
    for (auto const& id : client_ids(sight, options)) {
        auto const raw = read_state(sight.name, id, sight.config, sight.now, options.most_members);
        if (!raw.value && !raw.state && raw.members == 0) continue;  // registered, but all has expired
        if (auto const seen = generation_of(raw.live)) sight.generation = *seen;
        sight.clients.push_back({id, see_state(sight.config, raw, sight.now)});
    }
}

/// Those that ration registers and, if wanted, those whose keys are there without: Java's.
std::vector<std::string> Inspector::client_ids(LimiterSight& sight, InspectOptions const& options)
{
    auto ids = options.known_clients;
    auto const registered = questions_.ask_one(
        {"ZRANGE", suffixed(sight.name, "clients"), "0", std::to_string(options.most_clients)});
    if (auto const* const values = allowed_values(registered)) {
        for (auto const& value : *values) ids.push_back(value.text);
    } else {
        sight.missing.emplace_back("which clients it has (ZRANGE)");
    }
    if (options.find_clients) {
        auto const begin = suffixed(sight.name, "value") + ":";
        try {
            scan_keys({"MATCH", as_pattern(begin) + "*", "TYPE", "string"},
                      [&](std::vector<std::string>& keys) {
                          for (auto const& key : keys) ids.push_back(key.substr(begin.size()));
                      });
        } catch (Error const& error) {
            if (error.code() != Errc::access_denied) throw;
            sight.missing.emplace_back("clients of Java services (SCAN)");
        }
    }
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    ids.resize(std::min(ids.size(), options.most_clients));
    return ids;
}

RawState Inspector::read_state(std::string const& name, std::string const& client_id,
                               LimiterConfig const& config, Time now, std::int64_t most_members)
{
    RawState raw;
    auto const who = describe(name);
    if (is_own_layout(config.algorithm)) {
        raw.state =
            text_if_any(values_of(questions_.ask_one({"GET", state_key(name, "state", client_id)}), who));
        return raw;
    }
    auto const value_key = state_key(name, "value", client_id);
    auto const log_key = state_key(name, "permits", client_id);
    auto const horizon = std::to_string(
        std::chrono::floor<milliseconds>(now - config.rate.interval()).time_since_epoch().count());
    // Others go on meanwhile. The log is counted before and after the value is read: a value without a log means something
    // only if there was none all the time.
    auto const replies = questions_.ask({{"ZCARD", log_key},
                                         {"GET", value_key},
                                         {"PTTL", value_key},
                                         {"ZCARD", log_key},
                                         {"ZCOUNT", log_key, "(" + horizon, "+inf"}});
    raw.value = text_if_any(values_of(replies[1], who));
    raw.value_ttl_ms = integer_at(values_of(replies[2], who), 0);
    raw.members =
        std::max(integer_at(values_of(replies[0], who), 0), integer_at(values_of(replies[3], who), 0));
    if (integer_at(values_of(replies[4], who), 0) > most_members) {
        raw.all_read = false;
        read_live(log_key, raw, horizon, page);
    } else if (raw.members > 0) {
        read_live(log_key, raw, horizon, most_members);
    }
    return raw;
}

/// Page by page: a reply of a million members would keep the server from its work.
void Inspector::read_live(std::string const& log_key, RawState& raw, std::string const& horizon,
                          std::int64_t most_members)
{
    while (static_cast<std::int64_t>(raw.live.size()) < most_members) {
        auto const reply =
            questions_.ask_one({"ZRANGE", log_key, "(" + horizon, "+inf", "BYSCORE", "LIMIT",
                                std::to_string(raw.live.size()), std::to_string(page), "WITHSCORES"});
        auto const& values = values_of(reply);
        for (std::size_t i = 0; i + 1 < values.size(); i += 2)
            raw.live.push_back({values[i].text, decimal(values[i + 1].text)});
        if (static_cast<std::int64_t>(values.size()) < 2 * page) return;
    }
}

void Inspector::measure_memory(LimiterSight& sight, std::string const& client_id)
{
    std::vector<Question> questions;
    auto const ask_for = [&](std::string const& key) { questions.push_back({"MEMORY", "USAGE", key}); };
    for (auto const& key : limiter_keys(sight.name, client_id)) ask_for(key);
    for (auto const& client : sight.clients) {
        if (client.id == client_id || questions.size() > most_questions) continue;
        for (char const* const part : {"value", "permits", "state"})
            ask_for(state_key(sight.name, part, client.id));
    }
    std::int64_t bytes = 0;
    for (auto const& reply : questions_.ask(std::move(questions))) {
        auto const* const values = allowed_values(reply);
        if (!values) {
            sight.missing.emplace_back("its memory (MEMORY USAGE)");
            return;
        }
        bytes += integer_at(*values, 0);
    }
    sight.memory = bytes;
}

/// Calls `visit` with the keys of each page, by a SCAN with these filters.
template <class Visit>
void Inspector::scan_keys(std::vector<std::string> const& filter, Visit visit)
{
    std::string cursor = "0";
    do {
        Question question{"SCAN", cursor, "COUNT", std::to_string(page)};
        question.insert(question.end(), filter.begin(), filter.end());
        auto const reply = questions_.ask_one(std::move(question));
        auto const& values = values_of(reply);
        std::vector<std::string> keys;
        for (std::size_t i = 1; i < values.size(); ++i) keys.push_back(values[i].text);
        visit(keys);
        cursor = text_at(values, 0);
    } while (cursor != "0" && !cursor.empty());
}

Inspector::Scanned Inspector::scan(std::string const& pattern, InspectOptions const& options,
                                   std::function<void(LimiterSight const&)> const& show)
{
    Scanned scanned;
    std::unordered_set<std::string> seen;  // SCAN may come by more than once
    scan_keys({"MATCH", pattern, "TYPE", "hash"}, [&](std::vector<std::string>& names) {
        std::erase_if(names, [&](std::string const& name) { return seen.contains(name); });
        std::vector<Question> questions;
        questions.reserve(names.size());
        for (auto const& name : names) questions.push_back(config_question(name));
        auto const replies = questions_.ask(std::move(questions));
        for (std::size_t i = 0; i < names.size(); ++i) {
            auto const* const values = std::get_if<std::vector<Value>>(&replies[i]);
            if (!values) continue;  // deleted or replaced since, or not for this user
            if (config_of(*values, options.algorithm).error == Errc::not_initialized) continue;
            try {
                if (!seen.insert(names[i]).second) continue;
                show(look(names[i], options));
                ++scanned.limiters;
            } catch (Error const& error) {
                if (error.code() == Errc::not_initialized) continue;  // it has expired since
                if (error.code() != Errc::incompatible_data && error.code() != Errc::access_denied) throw;
                scanned.problems.emplace_back(error.what());
            }
        }
    });
    auto const size = questions_.ask_one({"DBSIZE"});
    if (auto const* const values = allowed_values(size)) scanned.keys = integer_at(*values, 0);
    return scanned;
}

}  // namespace ration::redis
