#include "cli/simulation_report.hpp"

#include "cli/simulation_view.hpp"
#include "cli/svg.hpp"
#include "cli/text.hpp"
#include "cli/ticks.hpp"

#include <algorithm>

namespace ration::cli {

namespace {

constexpr double width = 900;
constexpr double left = 72;    // of a plot
constexpr double right = 884;  // its end
constexpr double head = 70;    // above the first panel: title and legend
constexpr double name_height = 24;
constexpr double plot_height = 104;
constexpr double between = 12;
constexpr double strip_height = 44;
constexpr double axis_height = 40;
constexpr double panel_height = name_height + plot_height + between + strip_height + axis_height;

/// What can stand beside the axis, from top to bottom of a plot.
struct Scale {
    double top;
    double bottom;
    Permits most;

    double at(Permits value) const
    {
        return bottom
               - (bottom - top) * static_cast<double>(value)
                     / static_cast<double>(std::max<Permits>(most, 1));
    }
};

class Drawing {
public:
    explicit Drawing(Simulation const& simulation) : simulation_{simulation}
    {
        for (auto const& run : simulation.runs) {
            most_recent_ = std::max({most_recent_, run.most, run.rate.permits()});
            for (std::size_t i = 0; i < run.granted_in.size(); ++i)
                most_asked_ = std::max(most_asked_, run.granted_in[i] + run.denied_in[i]);
        }
    }

    std::string picture()
    {
        svg_.text(16, 26, simulation_title(simulation_), "title");
        legend();
        double top = head;
        for (auto const& run : simulation_.runs) {
            panel(run, top);
            top += panel_height;
        }
        for (auto const& note : simulation_.notes) {
            svg_.text(16, top + 8, note, "faint");
            top += 20;
        }
        return svg_.picture(width, top, simulation_title(simulation_));
    }

private:
    double x(double bin) const
    {
        double const bins = static_cast<double>(simulation_.traffic.length.count())
                            / static_cast<double>(simulation_.bin.count());
        return left + (right - left) * std::min(bin / bins, 1.0);
    }

    void legend()
    {
        double at = 16;
        auto const entry = [&](char const* look, std::string const& text) {
            if (std::string_view{look} == "limit") {
                svg_.line(at, 48, at + 22, 48, look);
                at += 28;
            } else {
                svg_.rect(at, 42, 12, 12, look);
                at += 18;
            }
            svg_.text(at, 52, text, "faint");
            at += 7.0 * static_cast<double>(text.size()) + 18;
        };
        entry("recent", "granted in the last " + span_text(simulation_.rate.interval()));
        entry("limit", "the rate's permits");
        entry("over", "more than that");
        entry("granted", "granted");
        entry("denied", "denied, per " + span_text(simulation_.bin));
    }

    void panel(Run const& run, double top)
    {
        svg_.text(16, top + 14, std::string{to_string(run.algorithm)} + "  " + to_string(run.rate), "name");
        auto const asked = std::max<std::int64_t>(simulation_.asked(), 1);
        svg_.text(right, top + 14,
                  grouped(run.granted) + " granted ("
                      + std::to_string((run.granted * 100 + asked / 2) / asked) + "%), " + grouped(run.denied)
                      + " denied, most in any " + span_text(run.rate.interval()) + ": " + grouped(run.most),
                  "faint", Svg::Anchor::end);

        Scale const plot{top + name_height, top + name_height + plot_height, most_recent_};
        Scale const strip{plot.bottom + between, plot.bottom + between + strip_height, most_asked_};
        time_axis(plot.top, strip.bottom);
        recent(run, plot);
        requests(run, strip);
    }

    void time_axis(double top, double bottom)
    {
        auto const step = round_time_step(simulation_.traffic.length, 12);
        for (Duration at{}; at <= simulation_.traffic.length; at += step) {
            double const where =
                x(static_cast<double>(at.count()) / static_cast<double>(simulation_.bin.count()));
            svg_.line(where, top, where, bottom, "grid");
            svg_.text(where, bottom + 16, tick_text(at), "faint", Svg::Anchor::middle);
        }
    }

    void value_axis(Scale const& scale, std::vector<Permits> const& values)
    {
        svg_.line(left, scale.top, left, scale.bottom, "axis");
        svg_.line(left, scale.bottom, right, scale.bottom, "axis");
        double last = scale.bottom + 100;
        for (auto const value : values) {
            double const where = scale.at(value);
            if (last - where < 13) continue;  // it would touch the one below
            svg_.text(left - 8, where + 4, short_number(value), "faint", Svg::Anchor::end);
            last = where;
        }
    }

    void recent(Run const& run, Scale const& scale)
    {
        Permits const limit = run.rate.permits();
        std::string area = "M" + svg_number(left) + " " + svg_number(scale.bottom);
        std::string over;
        std::string last;  // heights that go on are drawn once
        for (std::size_t i = 0; i < run.recent.size(); ++i) {
            auto const begin = svg_number(x(static_cast<double>(i)));
            auto const end = svg_number(x(static_cast<double>(i + 1)));
            auto const height = svg_number(scale.at(std::min(run.recent[i], limit)));
            if (height != last) area.append("H").append(begin).append("V").append(height);
            last = height;
            if (run.recent[i] <= limit) continue;
            auto const base = svg_number(scale.at(limit));
            over.append("M").append(begin).append(" ").append(base).append("V").append(
                svg_number(scale.at(run.recent[i])));
            over.append("H").append(end).append("V").append(base).append("Z");
        }
        area += "H" + svg_number(x(static_cast<double>(run.recent.size())));
        svg_.path(area + "V" + svg_number(scale.bottom) + "Z", "recent");
        if (!over.empty()) svg_.path(over, "over");
        svg_.line(left, scale.at(limit), right, scale.at(limit), "limit");
        value_axis(scale, {0, limit, scale.most});
    }

    void requests(Run const& run, Scale const& scale)
    {
        std::string granted;
        std::string denied;
        for (std::size_t i = 0; i < run.granted_in.size(); ++i) {
            auto const bar = [&](Permits from, Permits to) {
                if (from == to) return std::string{};
                return "M" + svg_number(x(static_cast<double>(i))) + " " + svg_number(scale.at(from)) + "V"
                       + svg_number(scale.at(to)) + "H" + svg_number(x(static_cast<double>(i + 1))) + "V"
                       + svg_number(scale.at(from)) + "Z";
            };
            granted += bar(0, run.granted_in[i]);
            denied += bar(run.granted_in[i], run.granted_in[i] + run.denied_in[i]);
        }
        if (!granted.empty()) svg_.path(granted, "granted");
        if (!denied.empty()) svg_.path(denied, "denied");
        value_axis(scale, {0, scale.most});
    }

    Simulation const& simulation_;
    Svg svg_;
    Permits most_recent_ = 1;
    Permits most_asked_ = 1;
};

std::string cell(std::string const& text)
{
    return "<td>" + xml_text(text) + "</td>";
}

std::string table(Simulation const& simulation)
{
    std::string rows;
    for (auto const& run : simulation.runs) {
        auto const longest =
            run.longest_denial > Duration{} ? wait_text(run.longest_denial) : std::string{"-"};
        rows += "<tr>" + cell(std::string{to_string(run.algorithm)}) + cell(to_string(run.rate))
                + cell(grouped(run.granted)) + cell(grouped(run.denied)) + cell(grouped(run.most))
                + cell(longest) + "</tr>\n";
    }
    return "<table>\n<tr><th>algorithm</th><th>rate</th><th>granted</th><th>denied</th><th>most in any "
           + xml_text(span_text(simulation.rate.interval()))
           + "</th><th>longest time of denials only</th></tr>\n" + rows + "</table>\n";
}

constexpr auto page_style =
    "body{margin:0;background:#ffffff;color:#1f2430;font-family:system-ui,-apple-system,'DejaVu "
    "Sans',sans-serif;"
    "font-size:14px}main{max-width:900px;margin:24px auto;padding:0 8px}svg{max-width:100%;height:auto}"
    "table{border-collapse:collapse;margin:16px}th,td{padding:4px 12px;text-align:right;border-bottom:1px "
    "solid "
    "#e3e6ea}th:nth-child(-n+2),td:nth-child(-n+2){text-align:left}p{margin:16px;line-height:1.5}"
    "@media (prefers-color-scheme:dark){body{background:#14171c;color:#e6e8eb}th,td{border-color:#2d333b}}";

}  // namespace

std::string simulation_svg(Simulation const& simulation)
{
    return Drawing{simulation}.picture();
}

std::string simulation_html(Simulation const& simulation, std::string const& command)
{
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width\"/>\n<meta name=\"color-scheme\" "
           "content=\"light "
           "dark\"/>\n<title>ration simulate</title>\n<style>"
           + std::string{page_style} + "</style>\n</head>\n<body>\n<main>\n" + simulation_svg(simulation)
           + table(simulation) + "<p>Made by <code>" + xml_text(command)
           + "</code>. Every request is decided at once, granted or denied, by the code that decides in "
             "production; none waits.</p>\n</main>\n</body>\n</html>\n";
}

}  // namespace ration::cli
