#include "cli/text.hpp"

#include <algorithm>
#include <cstdio>
#include <ratio>
#include <utility>

namespace ration::cli {

std::string seconds_text(Duration span)
{
    auto const ms = std::chrono::round<std::chrono::milliseconds>(span).count();
    char text[40];
    std::snprintf(text, sizeof text, "%lld.%03llds", static_cast<long long>(ms / 1000),
                  static_cast<long long>(ms % 1000));
    return text;
}

std::string span_text(Duration span)
{
    using namespace std::chrono_literals;
    std::pair<Duration, char const*> const units[] = {
        {1h, "h"}, {1min, "min"}, {1s, "s"}, {1ms, "ms"}, {1us, "us"}};
    for (auto const& [unit, name] : units) {
        if (span >= unit && span % unit == 0us) return std::to_string(span / unit) + name;
    }
    return "0s";
}

std::string count_text(std::int64_t count, std::string const& noun)
{
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string wait_text(Duration span)
{
    using namespace std::chrono_literals;
    using std::chrono::days;
    if (span < 10s) return seconds_text(span);
    if (span < 1min) {
        auto const tenths = std::chrono::ceil<std::chrono::duration<std::int64_t, std::deci>>(span).count();
        return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "s";
    }
    struct Pair {
        Duration large;
        char const* large_name;
        Duration small;
        char const* small_name;
    };
    Pair const pairs[] = {{days{1}, "d", 1h, "h"}, {1h, "h", 1min, "min"}, {1min, "min", 1s, "s"}};
    for (auto const& pair : pairs) {
        if (span < pair.large) continue;
        auto text = std::to_string(span / pair.large) + pair.large_name;
        if (auto const rest = span % pair.large / pair.small; rest > 0)
            text += " " + std::to_string(rest) + pair.small_name;
        return text;
    }
    return seconds_text(span);
}

std::string grouped(std::int64_t number)
{
    auto const digits = std::to_string(number);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        bool const after_digit = i > 0 && digits[i - 1] != '-';
        if (after_digit && (digits.size() - i) % 3 == 0) text += ' ';
        text += digits[i];
    }
    return text;
}

std::size_t utf8_size(std::string_view text)
{
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80) return 1;
    std::size_t const size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
    if (byte(0) < 0xc2 || byte(0) > 0xf4 || size > text.size()) return 0;
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) return 0;
    }
    // Longer than needed, a surrogate, or beyond Unicode.
    bool const bad = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xed && byte(1) > 0x9f)
                     || (byte(0) == 0xf0 && byte(1) < 0x90) || (byte(0) == 0xf4 && byte(1) > 0x8f);
    return bad ? 0 : size;
}

namespace {

std::size_t characters(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

}  // namespace

std::string left_aligned(std::string text, std::size_t width)
{
    if (auto const used = characters(text); used < width) text.append(width - used, ' ');
    return text;
}

std::string right_aligned(std::string const& text, std::size_t width)
{
    auto const used = characters(text);
    return used < width ? std::string(width - used, ' ') + text : text;
}

}  // namespace ration::cli
