#include "cli/ticks.hpp"

#include <cstdio>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;

constexpr Duration day = 24h;

constexpr Duration time_steps[] = {
    1ms, 2ms, 5ms, 10ms, 20ms, 50ms,    100ms,   200ms,    500ms,    1s,       2s,
    5s,  10s, 15s, 30s,  1min, 2min,    5min,    10min,    15min,    30min,    1h,
    2h,  3h,  6h,  12h,  day,  2 * day, 5 * day, 10 * day, 30 * day, 90 * day, 365 * day};

/// 1, 2, 5, 10, 20, 50 …: the smallest that needs no more than `most` steps for `length`.
std::int64_t round_step(std::int64_t length, int most)
{
    for (std::int64_t power = 1;; power *= 10) {
        for (int const digit : {1, 2, 5}) {
            if (length / (power * digit) <= most) return power * digit;
        }
    }
}

}  // namespace

Duration round_time_step(Duration length, int most)
{
    for (auto const step : time_steps) {
        if (length / step <= most) return step;
    }
    return round_step(length / (365 * day), most) * (365 * day);
}

std::string tick_text(Duration at)
{
    struct Unit {
        Duration length;
        char const* name;
    };
    constexpr Unit units[] = {{day, "d"}, {1h, "h"}, {1min, "min"}, {1s, "s"}, {1ms, "ms"}, {1us, "us"}};
    if (at == 0us) return "0";
    for (auto const& unit : units) {
        if (at % unit.length == 0us) return std::to_string(at / unit.length) + unit.name;
    }
    return {};
}

std::string short_number(std::int64_t number)
{
    struct Unit {
        double size;
        char const* name;
    };
    constexpr Unit units[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    constexpr std::int64_t written_in_full = 9999;
    if (number <= written_in_full) return std::to_string(number);
    auto const value = static_cast<double>(number);
    for (auto const& unit : units) {
        if (value < unit.size) continue;
        char text[32];
        std::snprintf(text, sizeof text, "%.3g%s", value / unit.size, unit.name);
        return text;
    }
    return std::to_string(number);
}

}  // namespace ration::cli
