#include "cli/bench_report.hpp"

#include "cli/svg.hpp"
#include "cli/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace ration::cli {

namespace {

struct Percentile {
    char const* name;
    char const* field;
    double part;
};

constexpr Percentile percentiles[] = {
    {"p50", "p50_us", 0.5}, {"p90", "p90_us", 0.9}, {"p99", "p99_us", 0.99}, {"p99.9", "p99_9_us", 0.999}};

double seconds(Duration span)
{
    return std::chrono::duration<double>{span}.count();
}

std::int64_t per_second(BenchResult const& result)
{
    auto const length = seconds(result.elapsed);
    return length > 0 ? std::llround(static_cast<double>(result.decisions()) / length) : 0;
}

std::string number(std::uint64_t value)
{
    return grouped(static_cast<std::int64_t>(value));
}

// ---- the picture ----

constexpr double width = 900;
constexpr double height = 380;
constexpr double left = 72;
constexpr double right = 800;  // labels stand to the right of their lines
constexpr double top = 124;
constexpr double bottom = 320;

/// Time on a logarithmic axis, from a power of ten to another.
class LogAxis {
public:
    LogAxis(Histogram const& latency)
    {
        std::size_t first = Histogram::buckets;
        std::size_t last = 0;
        for (std::size_t i = 0; i < Histogram::buckets; ++i) {
            if (latency.count_in(i) == 0) continue;
            first = std::min(first, i);
            last = i;
        }
        if (first > last) first = last = 0;
        from_ = std::floor(std::log10(begin_of(first)));
        to_ =
            std::max(std::ceil(std::log10(static_cast<double>(Histogram::end_of(last).count()))), from_ + 1);
    }

    double at(double ns) const
    {
        return left
               + (right - left)
                     * std::clamp((std::log10(std::max(ns, 1.0)) - from_) / (to_ - from_), 0.0, 1.0);
    }

    int from() const { return static_cast<int>(from_); }
    int to() const { return static_cast<int>(to_); }

    static double begin_of(std::size_t bucket)
    {
        return bucket == 0 ? 1 : static_cast<double>(Histogram::end_of(bucket - 1).count());
    }

private:
    double from_;
    double to_;
};

}  // namespace

std::string latency_text(Histogram::Span span)
{
    struct Unit {
        double length;
        char const* name;
    };
    constexpr Unit units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    auto const ns = static_cast<double>(span.count());
    for (auto const& unit : units) {
        if (ns < unit.length) continue;
        char text[32];
        auto const value = ns / unit.length;
        std::snprintf(text, sizeof text, "%.*f%s",
                      value < 10 && unit.length > 1    ? 2
                      : value < 100 && unit.length > 1 ? 1
                                                       : 0,
                      value, unit.name);
        return text;
    }
    return "0ns";
}

std::string bench_title(BenchPlan const& plan, std::string const& where)
{
    auto title = where + ", " + count_text(plan.callers, "caller") + " for "
                 + count_text(plan.permits, "permit") + ", ";
    if (plan.keys == 0) {
        title += "one limiter";
    } else {
        title += count_text(plan.keys, "key");
        if (plan.keys > 1) title += plan.hot ? ", one of them hot" : ", spread evenly";
    }
    return title + ", " + to_string(plan.rate) + " (" + std::string{to_string(plan.algorithm)} + ")";
}

std::vector<std::string> bench_lines(BenchPlan const& plan, BenchResult const& result)
{
    std::string latency = "latency     ";
    for (auto const& percentile : percentiles) {
        latency += std::string{percentile.name} + " "
                   + latency_text(result.latency.percentile(percentile.part)) + "  ";
    }
    std::vector<std::string> lines{
        "throughput  " + grouped(per_second(result)) + " decisions/s",
        "decisions   " + number(result.decisions()) + " in " + seconds_text(result.elapsed) + ": "
            + number(result.granted) + " granted, " + number(result.denied) + " denied, "
            + number(result.failed) + " failed",
        latency + "max " + latency_text(result.latency.max()),
    };
    if (plan.on_server && result.calls > 0) {
        char text[96];
        std::snprintf(text, sizeof text, "calls       %s, of %.1f requests on average",
                      number(result.calls).c_str(),
                      static_cast<double>(result.decisions()) / static_cast<double>(result.calls));
        lines.emplace_back(text);
    }
    return lines;
}

JsonLine bench_json(BenchPlan const& plan, BenchResult const& result, std::string const& where)
{
    JsonLine line;
    line.add("store", where)
        .add("callers", plan.callers)
        .add("permits", plan.permits)
        .add("keys", plan.keys)
        .add("hot", plan.hot)
        .add("rate", to_string(plan.rate))
        .add("algorithm", to_string(plan.algorithm))
        .add_ms("elapsed_ms", result.elapsed)
        .add("decisions", static_cast<std::int64_t>(result.decisions()))
        .add("per_second", per_second(result))
        .add("granted", static_cast<std::int64_t>(result.granted))
        .add("denied", static_cast<std::int64_t>(result.denied))
        .add("failed", static_cast<std::int64_t>(result.failed))
        .add("calls", static_cast<std::int64_t>(result.calls));
    auto const microseconds = [](Histogram::Span span) { return static_cast<double>(span.count()) / 1000; };
    for (auto const& percentile : percentiles)
        line.add_decimal(percentile.field, microseconds(result.latency.percentile(percentile.part)), 3);
    return std::move(line.add_decimal("max_us", microseconds(result.latency.max()), 3));
}

std::string bench_svg(BenchPlan const& plan, BenchResult const& result, std::string const& where)
{
    Svg svg;
    auto const title = bench_title(plan, where);
    svg.text(16, 28, title, "title");
    svg.text(16, 50,
             grouped(per_second(result)) + " decisions/s; how long each took, max "
                 + latency_text(result.latency.max()),
             "faint");

    LogAxis const axis{result.latency};
    std::int64_t power = 1;
    for (int i = 0; i < axis.from(); ++i) power *= 10;
    for (int exponent = axis.from(); exponent <= axis.to(); ++exponent, power *= 10) {
        double const x = axis.at(static_cast<double>(power));
        svg.line(x, top, x, bottom, "grid");
        auto label = latency_text(Histogram::Span{power});
        if (auto const dot = label.find('.'); dot != label.npos)
            label.erase(dot, label.find_first_not_of('0', dot + 1) - dot);
        svg.text(x, bottom + 20, label, "faint", Svg::Anchor::middle);
    }
    std::uint64_t most = 1;
    for (std::size_t i = 0; i < Histogram::buckets; ++i) most = std::max(most, result.latency.count_in(i));
    std::string bars;
    for (std::size_t i = 0; i < Histogram::buckets; ++i) {
        auto const count = result.latency.count_in(i);
        if (count == 0) continue;
        double const y = bottom - (bottom - top) * static_cast<double>(count) / static_cast<double>(most);
        bars += "M" + svg_number(axis.at(LogAxis::begin_of(i))) + " " + svg_number(bottom) + "V"
                + svg_number(std::min(y, bottom - 0.5)) + "H"
                + svg_number(axis.at(static_cast<double>(Histogram::end_of(i).count()))) + "V"
                + svg_number(bottom) + "Z";
    }
    if (!bars.empty()) svg.path(bars, "granted");
    svg.line(left, top, left, bottom, "axis");
    svg.line(left, bottom, right, bottom, "axis");
    svg.text(left - 8, bottom + 4, "0", "faint", Svg::Anchor::end);
    auto const share = static_cast<double>(most) * 100
                       / static_cast<double>(std::max<std::uint64_t>(result.latency.count(), 1));
    svg.text(left - 8, top + 4, svg_number(share) + "%", "faint", Svg::Anchor::end);

    // A row for each label, the lowest for the longest time: no line then goes through the label of another.
    double row = top - 8 - 14 * static_cast<double>(std::size(percentiles) - 1);
    for (auto const& percentile : percentiles) {
        auto const span = result.latency.percentile(percentile.part);
        double const x = axis.at(static_cast<double>(span.count()));
        svg.line(x, row - 9, x, bottom, "limit");
        svg.text(x + 4, row, std::string{percentile.name} + " " + latency_text(span), "faint");
        row += 14;
    }
    svg.text((left + right) / 2, bottom + 42, "from asking to the answer; logarithmic", "faint",
             Svg::Anchor::middle);
    return svg.picture(width, height, title);
}

}  // namespace ration::cli
