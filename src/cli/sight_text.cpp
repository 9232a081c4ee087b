#include "cli/sight_text.hpp"

#include "cli/output.hpp"
#include "cli/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace ration::cli {

namespace {

using redis::Generation;
using redis::LimiterSight;
using redis::StateSight;

constexpr std::size_t heading_width = 14;

void add_state(JsonLine& line, StateSight const& state)
{
    line.add("available", state.available)
        .add("in_use", state.in_use)
        .add_ms("next_permit_ms", state.next_permit)
        .add_ms("reset_after_ms", state.reset)
        .add("grants", static_cast<std::int64_t>(state.log.size()))
        .add("exact", state.exact);
}

std::string free_text(LimiterSight const& sight, StateSight const& state)
{
    auto const capacity = sight.config.rate.capacity();
    auto text = (state.exact ? "" : "about ") + grouped(state.available) + " of " + grouped(capacity);
    if (state.in_use > capacity) text += ", " + grouped(state.in_use - capacity) + " in debt";
    return text;
}

std::string next_text(StateSight const& state)
{
    return state.available > 0 ? "now" : "in " + wait_text(state.next_permit);
}

std::string in_use_text(LimiterSight const& sight)
{
    auto text = count_text(sight.state.in_use, "permit");
    if (sight.config.algorithm == Algorithm::sliding_log && sight.state.exact)
        text += ", by " + count_text(static_cast<std::int64_t>(sight.state.log.size()), "call");
    return text;
}

std::string ttl_text(LimiterSight const& sight)
{
    return sight.ttl ? "expires in " + wait_text(*sight.ttl) : "does not expire";
}

/// Whose data it is, in words.
std::string generation_text(Generation generation)
{
    switch (generation) {
    case Generation::ration: return "ration's own";
    case Generation::redisson: return "Redisson's (no grant that would tell the version)";
    case Generation::redisson_2_12: return "Redisson's, as 2.12 to 3.13.2 write it: a counter";
    case Generation::redisson_3_13_3: return "Redisson's, as 3.13.3 to 3.16.3 write it";
    case Generation::redisson_3_16_4: return "Redisson's, as 3.16.4 to 3.16.8 write it";
    case Generation::redisson_3_17: return "Redisson's, as 3.17.0 to 3.20.1 write it";
    case Generation::redisson_3_21: return "Redisson's, as 3.21.0 and newer write it";
    case Generation::mixed: return "Redisson's, by several versions";
    }
    return {};
}

/// E.g. "1.2 kB".
std::string bytes_text(std::int64_t bytes)
{
    constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1000 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.*f %s", unit > 0 && value < 100 ? 1 : 0, value, units.at(unit));
    return text;
}

}  // namespace

std::string missing_sentence(LimiterSight const& sight)
{
    if (sight.missing.empty()) return {};
    std::string sentence = "this user may not see ";
    for (std::size_t i = 0; i < sight.missing.size(); ++i) sentence += (i > 0 ? "; " : "") + sight.missing[i];
    return sentence;
}

JsonLine sight_json(LimiterSight const& sight)
{
    JsonLine line;
    line.add("limiter", sight.name);
    add_config(line, sight.config);
    add_state(line, sight.state);
    if (sight.ttl) {
        line.add_ms("ttl_ms", *sight.ttl);
    } else {
        line.add_null("ttl_ms");
    }
    line.add("generation", to_string(sight.generation));
    if (sight.memory) {
        line.add("memory_bytes", *sight.memory);
    } else {
        line.add_null("memory_bytes");
    }
    if (sight.config.type == RateType::per_client) {
        std::vector<JsonLine> clients;
        for (auto const& client : sight.clients) {
            clients.emplace_back().add("client", client.id);
            add_state(clients.back(), client.state);
        }
        line.add("clients", clients);
    }
    return line;
}

std::vector<std::string> sight_lines(LimiterSight const& sight)
{
    std::vector<std::string> lines{printable(sight.name)};
    auto const add = [&](std::string const& heading, std::string const& text) {
        lines.push_back("  " + left_aligned(heading, heading_width) + text);
    };
    auto const& config = sight.config;
    bool const per_client = config.type == RateType::per_client;
    add("rate", to_string(config.rate));
    add("type", std::string{to_string(config.type)});
    add("algorithm", std::string{to_string(config.algorithm)});
    add("data", generation_text(sight.generation));
    add(per_client && sight.state.in_use == 0 ? "free for new" : "free now", free_text(sight, sight.state));
    add("in use", in_use_text(sight));
    add("next permit", next_text(sight.state));
    if (sight.state.in_use > 0) add("all free in", wait_text(sight.state.reset));
    if (config.keep_alive > Duration{}) add("keep-alive", wait_text(config.keep_alive));
    add("lifetime", ttl_text(sight));
    if (sight.memory) add("memory", bytes_text(*sight.memory));
    if (per_client) add("clients", grouped(static_cast<std::int64_t>(sight.clients.size())));
    for (auto const& client : sight.clients) {
        lines.push_back("    " + printable(client.id) + "  " + free_text(sight, client.state) + " free, next "
                        + next_text(client.state));
    }
    return lines;
}

std::vector<std::string> sight_table(std::vector<LimiterSight> const& sights)
{
    constexpr std::size_t columns = 8;
    using Cells = std::array<std::string, columns>;
    std::vector<Cells> rows{{"LIMITER", "RATE", "ALGORITHM", "TYPE", "FREE", "NEXT", "EXPIRES", "MEMORY"}};
    for (auto const& sight : sights) {
        bool const shared = sight.config.type == RateType::overall;
        rows.push_back(
            {printable(sight.name), to_string(sight.config.rate),
             std::string{to_string(sight.config.algorithm)}, std::string{to_string(sight.config.type)},
             shared ? (sight.state.exact ? "" : "~") + std::to_string(sight.state.available) : "-",
             !shared                     ? "-"
             : sight.state.available > 0 ? "now"
                                         : wait_text(sight.state.next_permit),
             sight.ttl ? wait_text(*sight.ttl) : "-", sight.memory ? bytes_text(*sight.memory) : "-"});
    }
    std::sort(rows.begin() + 1, rows.end());
    std::array<std::size_t, columns> widths{};
    for (auto const& row : rows) {
        for (std::size_t i = 0; i < columns; ++i)
            widths.at(i) = std::max(widths.at(i), left_aligned(row.at(i), 0).size());
    }
    std::vector<std::string> lines;
    for (auto const& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < columns; ++i) {
            bool const number = i == 4 || i == 7;
            line += number ? right_aligned(row.at(i), widths.at(i)) : left_aligned(row.at(i), widths.at(i));
            if (i + 1 < columns) line += "  ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(line);
    }
    return lines;
}

}  // namespace ration::cli
