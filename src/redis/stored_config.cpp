#include "redis/stored_config.hpp"

#include "core/algorithms.hpp"
#include "core/quote.hpp"

#include <array>
#include <charconv>
#include <unordered_map>

namespace ration::redis {

namespace {

using core::Result;
using std::chrono::milliseconds;

constexpr std::array<std::string_view, 7> unit_names{"second", "minute", "hour", "day",
                                                     "week",   "month",  "year"};

std::optional<std::int64_t> number(std::string_view text)
{
    std::int64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// The fields of a hash by name.
class Fields {
public:
    explicit Fields(Values values)
    {
        for (std::size_t i = 0; i + 1 < values.size(); i += 2)
            fields_.emplace(values[i].text, values[i + 1].text);
    }

    bool has(char const* name) const { return fields_.contains(name); }

    std::string text(char const* name) const
    {
        auto const found = fields_.find(name);
        return found == fields_.end() ? std::string{} : std::string{found->second};
    }

    /// Throws Error if it is not a number.
    std::int64_t integer(char const* name) const
    {
        auto const value = number(text(name));
        if (!value) {
            throw Error{Errc::incompatible_data, std::string{"its field "} + name + " is "
                                                     + core::quoted(text(name)) + ", not a number"};
        }
        return *value;
    }

private:
    std::unordered_map<std::string_view, std::string_view> fields_;
};

RateType type_of(std::string const& text)
{
    if (text == "0") return RateType::overall;
    if (text == "1") return RateType::per_client;
    throw Error{Errc::incompatible_data, "its type is " + core::quoted(text) + "; 0 and 1 are known"};
}

LimiterConfig redisson_config(Fields const& fields, Algorithm algorithm)
{
    return {.rate = Rate::per(fields.integer("rate"), milliseconds{fields.integer("interval")}),
            .type = type_of(fields.text("type")),
            .algorithm = algorithm};
}

LimiterConfig own_config(Fields const& fields, Algorithm algorithm)
{
    LimiterConfig config{.type = type_of(fields.text("scope")), .algorithm = algorithm};
    Permits const permits = fields.integer("permits");
    if (algorithm == Algorithm::calendar_window) {
        config.rate = calendar_rate(permits, fields.text("unit"), fields.text("every"), fields.text("zone"));
    } else {
        config.rate = Rate::per(permits, Duration{fields.integer("micros")});
        if (fields.has("burst")) config.rate = config.rate.with_burst(fields.integer("burst"));
    }
    return config;
}

}  // namespace

bool is_own_layout(Algorithm algorithm)
{
    return algorithm == Algorithm::calendar_window || algorithm == Algorithm::token_bucket;
}

std::string millis_up(Duration span)
{
    constexpr Duration for_ever = std::chrono::hours{24} * 365 * 1000;
    return std::to_string(std::chrono::ceil<milliseconds>(std::min(span, for_ever)).count());
}

std::optional<Algorithm> algorithm_named(std::string_view name)
{
    using enum Algorithm;
    for (Algorithm const algorithm : {sliding_log, fixed_window, calendar_window, token_bucket}) {
        if (name == to_string(algorithm)) return algorithm;
    }
    return std::nullopt;
}

std::string calendar_text(Rate const& rate)
{
    return std::string{unit_names[static_cast<std::size_t>(rate.unit())]} + ' ' + std::to_string(rate.every())
           + ' ' + std::string{rate.zone()};
}

Rate calendar_rate(Permits permits, std::string_view unit, std::string_view every, std::string_view zone)
{
    auto const count = number(every);
    for (std::size_t i = 0; i < unit_names.size(); ++i) {
        if (unit != unit_names[i]) continue;
        if (!count || *count < 1 || *count > std::numeric_limits<int>::max()) break;
        return Rate::calendar(permits, static_cast<CalendarUnit>(i), zone, static_cast<int>(*count));
    }
    throw Error{Errc::incompatible_data, "its calendar is " + core::quoted(every) + " times "
                                             + core::quoted(unit) + ", which is none"};
}

Result<LimiterConfig> decode_config(Values values, std::optional<Algorithm> assumed)
{
    using Decoded = Result<LimiterConfig>;
    Fields const fields{values};
    try {
        Algorithm algorithm =
            assumed == Algorithm::fixed_window ? Algorithm::fixed_window : Algorithm::sliding_log;
        if (fields.has("algorithm")) {
            auto const named = algorithm_named(fields.text("algorithm"));
            if (!named) {
                return Decoded::failed(Errc::incompatible_data,
                                       "its algorithm is " + core::quoted(fields.text("algorithm"))
                                           + ", which this version of ration does not know");
            }
            algorithm = *named;
        }
        bool const own = is_own_layout(algorithm);
        if (own ? !fields.has("permits") || !fields.has("scope")
                : !fields.has("rate") || !fields.has("interval") || !fields.has("type")) {
            return Decoded::failed(Errc::not_initialized);
        }
        LimiterConfig config = own ? own_config(fields, algorithm) : redisson_config(fields, algorithm);
        if (fields.has("keepAliveTime")) config.keep_alive = milliseconds{fields.integer("keepAliveTime")};
        return {{}, {}, config};
    } catch (Error const& error) {
        return Decoded::failed(Errc::incompatible_data, error.what());
    }
}

std::vector<std::string> config_arguments(core::WantedConfig const& wanted)
{
    Rate const& rate = wanted.rate;
    bool const calendar = rate.is_calendar();
    return {
        wanted.algorithm ? std::string{to_string(*wanted.algorithm)} : std::string{},
        calendar       ? "calendar"
        : rate.burst() ? "burst"
                       : "plain",
        std::to_string(rate.permits()),
        std::to_string(rate.interval().count()),
        rate.burst() ? std::to_string(*rate.burst()) : std::string{},
        calendar ? std::string{unit_names[static_cast<std::size_t>(rate.unit())]} : std::string{},
        calendar ? std::to_string(rate.every()) : std::string{},
        calendar ? std::string{rate.zone()} : std::string{},
        wanted.options.type == RateType::per_client ? "1" : "0",
        millis_up(wanted.options.keep_alive),
    };
}

std::optional<std::string> inexact_in_redis(core::WantedConfig const& wanted)
{
    return inexact_in_redis(wanted.algorithm.value_or(core::natural_algorithm(wanted.rate)), wanted.rate);
}

std::optional<std::string> inexact_in_redis(Algorithm algorithm, Rate const& rate)
{
    if (algorithm == Algorithm::token_bucket) {
        constexpr double exact = 9007199254740992.0;  // 2^53: Lua counts in doubles
        double const until_full = static_cast<double>(rate.capacity()) / static_cast<double>(rate.permits())
                                  * static_cast<double>(rate.interval().count());
        if (until_full >= exact) {
            return "the rate " + to_string(rate)
                   + " takes more than 285 years to fill its burst, which Redis cannot count exactly; "
                     "give a smaller burst";
        }
    }
    return std::nullopt;
}

}  // namespace ration::redis
