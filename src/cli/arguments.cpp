#include "cli/arguments.hpp"

#include "cli/command.hpp"
#include "cli/text.hpp"
#include "core/quote.hpp"

#include <ration/rate.hpp>

#include <charconv>
#include <optional>
#include <string_view>

namespace ration::cli {

namespace {

[[noreturn]] void reject(std::string const& option, std::string const& text, std::string const& hint)
{
    throw UsageError{option + " " + core::quoted(text) + ": " + hint};
}

/// The whole of `text` as a number; neither signs nor spaces.
std::optional<std::int64_t> whole_number(std::string_view text)
{
    std::int64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.front() == '-') return std::nullopt;
    return value;
}

struct SpanUnit {
    std::string_view name;
    Duration length;
};

constexpr SpanUnit span_units[] = {
    {"ms", std::chrono::milliseconds{1}}, {"s", std::chrono::seconds{1}}, {"m", std::chrono::minutes{1}},
    {"h", std::chrono::hours{1}},         {"d", std::chrono::hours{24}},
};

}  // namespace

std::int64_t parse_count(std::string const& option, std::string const& text, std::int64_t least,
                         std::int64_t most)
{
    auto const value = whole_number(text);
    if (value && *value >= least && *value <= most) return *value;
    reject(option, text, "give a whole number from " + std::to_string(least) + " to " + std::to_string(most));
}

Duration parse_span(std::string const& option, std::string const& text, Duration most)
{
    auto const digits = std::min(text.find_first_not_of("0123456789"), text.size());
    auto const value = whole_number(std::string_view{text}.substr(0, digits));
    for (auto const& unit : span_units) {
        if (!value || std::string_view{text}.substr(digits) != unit.name) continue;
        if (*value >= 1 && *value <= most / unit.length) return *value * unit.length;
        reject(option, text, "give more than zero and at most " + span_text(most));
    }
    reject(option, text, "write a number and ms, s, m, h or d, e.g. 500ms or 10s");
}

Duration parse_span_or_zero(std::string const& option, std::string const& text, Duration most)
{
    for (char const* const zero : {"0", "0ms", "0s", "0m", "0h", "0d"}) {
        if (text == zero) return Duration{};
    }
    return parse_span(option, text, most);
}

Permits parse_permits(std::string const& text)
{
    return parse_count("N", text, 1, Rate::max_permits);
}

RateType parse_type(std::string const& option, std::string const& text)
{
    for (auto const type : {RateType::overall, RateType::per_client}) {
        if (text == to_string(type)) return type;
    }
    reject(option, text, "choose overall or per-client");
}

Algorithm parse_algorithm(std::string const& option, std::string const& text)
{
    using enum Algorithm;
    for (auto const algorithm : {sliding_log, fixed_window, calendar_window, token_bucket}) {
        if (text == to_string(algorithm)) return algorithm;
    }
    reject(option, text, "choose sliding_log, fixed_window, calendar_window or token_bucket");
}

}  // namespace ration::cli
