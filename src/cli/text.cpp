#include "cli/text.hpp"

#include <cstdio>
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

}  // namespace ration::cli
