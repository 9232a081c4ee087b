#include "cli/json_line.hpp"

#include "cli/text.hpp"

#include <cstdio>

namespace ration::cli {

namespace {

std::string escaped(char c)
{
    char text[8];
    std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    return text;
}

/// A byte that belongs to no character becomes the character of that number.
std::string quoted_json(std::string_view text)
{
    std::string quoted = "\"";
    while (!text.empty()) {
        auto const size = utf8_size(text);
        char const c = text.front();
        if (c == '"' || c == '\\') {
            quoted += {'\\', c};
        } else if (size == 0 || (size == 1 && (c < 0x20 || c == 0x7f))) {
            quoted += escaped(c);
        } else {
            quoted += text.substr(0, size);
        }
        text.remove_prefix(size == 0 ? 1 : size);
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

JsonLine& JsonLine::add_decimal(std::string_view name, double value, int decimals)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return add_raw(name, text);
}

JsonLine& JsonLine::add(std::string_view name, std::vector<JsonLine> const& objects)
{
    std::string list = "[";
    for (auto const& object : objects) list += (list.size() > 1 ? "," : "") + object.text();
    return add_raw(name, list + "]");
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
