#include "cli/json_line.hpp"

#include <cstdio>

namespace ration::cli {

namespace {

std::string quoted_json(std::string_view text)
{
    std::string quoted = "\"";
    for (char const c : text) {
        if (c == '"' || c == '\\') {
            quoted += {'\\', c};
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
            quoted += escaped;
        } else {
            quoted += c;
        }
    }
    return quoted + "\"";
}

}  // namespace

JsonLine& JsonLine::add_raw(std::string_view name, std::string_view value)
{
    if (!body_.empty()) body_ += ",";
    body_ += quoted_json(name);
    body_ += ":";
    body_ += value;
    return *this;
}

JsonLine& JsonLine::add(std::string_view name, std::string_view value)
{
    return add_raw(name, quoted_json(value));
}

JsonLine& JsonLine::add(std::string_view name, bool value)
{
    return add_raw(name, value ? "true" : "false");
}

JsonLine& JsonLine::add(std::string_view name, std::int64_t value)
{
    return add_raw(name, std::to_string(value));
}

JsonLine& JsonLine::add_ms(std::string_view name, Duration value)
{
    auto text = std::to_string(value.count() / 1000);
    if (auto const rest = value.count() % 1000; rest != 0) {
        auto decimals = std::to_string(1000 + rest).substr(1);
        decimals.erase(decimals.find_last_not_of('0') + 1);
        text += "." + decimals;
    }
    return add_raw(name, text);
}

}  // namespace ration::cli
