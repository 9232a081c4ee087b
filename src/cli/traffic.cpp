#include "cli/traffic.hpp"

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/text.hpp"
#include "core/quote.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numbers>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;

constexpr Time midnight{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

/// The same numbers everywhere, unlike the distributions of the standard library.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_{seed} {}

    /// Evenly from 0 to 1, without 1. (splitmix64)
    double next()
    {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1.0p-53;
    }

    /// Until the next of events that come at random, `mean` apart on average.
    double gap(double mean) { return -mean * std::log1p(-next()); }

private:
    std::uint64_t state_;
};

double seconds(Duration span)
{
    return std::chrono::duration<double>{span}.count();
}

class Maker {
public:
    explicit Maker(TrafficPlan const& plan) : plan_{plan}, random_{plan.seed}, end_{seconds(plan.length)} {}

    std::vector<double> make()
    {
        switch (plan_.shape) {
        case Shape::steady: steady(); break;
        case Shape::bursty: bursty(); break;
        case Shape::on_off: on_off(); break;
        case Shape::daily: daily(); break;
        }
        std::ranges::sort(times_);
        return std::move(times_);
    }

private:
    void steady()
    {
        auto const count = static_cast<std::int64_t>(std::ceil(end_ * plan_.per_second));
        for (std::int64_t i = 0; i < count; ++i) times_.push_back(static_cast<double>(i) / plan_.per_second);
    }

    void bursty()
    {
        double const between = plan_.crowd / plan_.per_second;
        double at = random_.gap(between) / 4;
        while (at < end_) {
            crowd(at);
            at += random_.gap(between);
        }
    }

    void crowd(double begin)
    {
        double const spread = seconds(plan_.interval) / 8;
        auto const size = std::max<std::int64_t>(1, std::llround(plan_.crowd * (0.5 + random_.next())));
        for (std::int64_t i = 0; i < size; ++i) {
            double const moment = begin + spread * random_.next();
            if (moment < end_) times_.push_back(moment);
        }
    }

    void on_off()
    {
        double const half = 2 * seconds(plan_.interval);
        for (std::int64_t i = 0;; ++i) {
            double const busy =
                static_cast<double>(i) / (2 * plan_.per_second);  // time spent in the busy halves
            double const at = busy + std::floor(busy / half) * half;
            if (at >= end_) return;
            times_.push_back(at);
        }
    }

    void daily()
    {
        constexpr double day = 86400;
        constexpr double peak = 14 * 3600;
        constexpr double swing = 0.9;
        // Comes at the peak's rate, and stays with the chance that the time of day gives.
        double at = 0;
        while ((at += random_.gap(1 / (plan_.per_second * (1 + swing)))) < end_) {
            double const share = 1 + swing * std::cos((at - peak) / day * 2 * std::numbers::pi);
            if (random_.next() * (1 + swing) < share) times_.push_back(at);
        }
    }

    TrafficPlan const& plan_;
    Random random_;
    double const end_;
    std::vector<double> times_;
};

std::string_view name_of(Shape shape)
{
    switch (shape) {
    case Shape::steady: return "steady";
    case Shape::bursty: return "bursty";
    case Shape::on_off: return "on-off";
    case Shape::daily: return "daily";
    }
    return {};
}

std::string per_second_text(double per_second)
{
    char text[64];
    bool const rare = per_second < 1;
    std::snprintf(text, sizeof text, "%.3g/%s", rare ? per_second * 3600 : per_second, rare ? "h" : "s");
    return text;
}

Duration from_seconds(double value)
{
    return Duration{std::llround(value * 1e6)};
}

[[noreturn]] void too_many()
{
    throw UsageError{"that would be more than " + grouped(static_cast<std::int64_t>(most_arrivals))
                     + " requests; give a shorter --duration or a smaller --demand"};
}

// ---- files ----

std::optional<double> number_of(std::string_view text)
{
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<double> date_of(std::string const& text)
{
    std::tm parts{};
    double second = 0;
    int read = 0;
    if (std::sscanf(text.c_str(), "%4d-%2d-%2d%*1[T ]%2d:%2d:%lf%n", &parts.tm_year, &parts.tm_mon,
                    &parts.tm_mday, &parts.tm_hour, &parts.tm_min, &second, &read)
        != 6) {
        return std::nullopt;
    }
    auto const rest = text.substr(static_cast<std::size_t>(read));
    if ((!rest.empty() && rest != "Z") || second < 0 || second >= 61) return std::nullopt;
    parts.tm_year -= 1900;
    parts.tm_mon -= 1;
    return static_cast<double>(::timegm(&parts)) + second;
}

}  // namespace

std::optional<Shape> shape_named(std::string_view name)
{
    for (auto const shape : {Shape::steady, Shape::bursty, Shape::on_off, Shape::daily}) {
        if (name == name_of(shape)) return shape;
    }
    return std::nullopt;
}

Traffic make_traffic(TrafficPlan const& plan)
{
    if (plan.per_second * seconds(plan.length) > static_cast<double>(most_arrivals)) too_many();
    Traffic traffic;
    traffic.length = plan.length;
    // Calendars have boundaries of their own: but for a day, requests do not begin at one.
    traffic.begin = plan.shape == Shape::daily ? midnight : midnight + 12h + plan.interval * 2 / 5;
    for (double const at : Maker{plan}.make()) traffic.arrivals.push_back(traffic.begin + from_seconds(at));
    traffic.description =
        std::string{name_of(plan.shape)} + " traffic, " + per_second_text(plan.per_second) + " on average";
    return traffic;
}

Traffic read_traffic(std::istream& lines, std::string const& name)
{
    std::vector<double> times;
    std::int64_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        line.erase(0, line.find_first_not_of(" \t"));
        line.erase(line.find_last_not_of(" \t\r") + 1);
        if (line.empty() || line.front() == '#') continue;
        auto const value = number_of(line);
        auto const time = value ? value : date_of(line);
        constexpr double latest = 7'000'000'000;  // the year 2191
        if (!time || *time < 0 || *time > latest) {
            throw UsageError{printable(name) + ":" + std::to_string(number) + ": " + core::quoted(line)
                             + " is no moment; write seconds, e.g. 12.5, or 2026-01-31T12:34:56Z"};
        }
        if (times.size() >= most_arrivals) too_many();
        times.push_back(*time);
    }
    if (times.empty()) throw UsageError{printable(name) + ": there is no moment in it; write one per line"};
    std::ranges::sort(times);
    constexpr double a_date = 100'000'000;  // less than that counts from some begin, not from 1970
    bool const dates = times.front() > a_date;
    Traffic traffic;
    for (double const time : times) {
        traffic.arrivals.push_back(dates ? Time{from_seconds(time)}
                                         : midnight + 12h + from_seconds(time - times.front()));
    }
    traffic.begin = traffic.arrivals.front();
    traffic.length = std::max<Duration>(traffic.arrivals.back() - traffic.begin + 1us, 1ms);
    traffic.description = "the moments in " + printable(name);
    return traffic;
}

}  // namespace ration::cli
