#include "cli/simulation_view.hpp"

#include "cli/row.hpp"
#include "cli/text.hpp"
#include "cli/ticks.hpp"

#include <algorithm>
#include <array>

namespace ration::cli {

namespace {

constexpr int left = 10;       // columns before a plot
constexpr int plot_rows = 4;   // of what is recent
constexpr int parts = 8;       // that one cell shows
constexpr int least_bins = 8;  // however narrow the terminal

constexpr std::array<char const*, parts + 1> unicode_bars{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<char const*, parts + 1> ascii_bars{" ", ".", ".", ":", ":", "|", "|", "#", "#"};

std::string percent(std::int64_t part, std::int64_t whole)
{
    return whole == 0 ? "0%" : std::to_string((part * 100 + whole / 2) / whole) + "%";
}

class Picture {
public:
    Picture(Simulation const& simulation, Screen const& screen) : simulation_{simulation}, screen_{screen} {}

    std::vector<std::string> lines()
    {
        add(text(simulation_title(simulation_), Style::strong));
        for (auto const& run : simulation_.runs) {
            add(Row{0});
            draw(run);
        }
        axis();
        add(Row{0});
        legend();
        for (auto const& note : simulation_.notes) add(text(note, Style::faint));
        return std::move(lines_);
    }

private:
    void add(Row const& row) { lines_.push_back(row.text(screen_.colour)); }

    Row text(std::string const& line, Style style) const
    {
        Row row{screen_.columns};
        row.put(0, line, style);
        return row;
    }

    /// How much of `most` a value is, in eighths of a cell; never nothing if there is something.
    static int height(Permits value, Permits most, int cells)
    {
        if (value <= 0) return 0;
        return std::max<int>(1, static_cast<int>(value * cells * parts / std::max<Permits>(most, 1)));
    }

    char const* bar(int eighths) const
    {
        auto const index = static_cast<std::size_t>(std::clamp(eighths, 0, parts));
        return screen_.unicode ? unicode_bars.at(index) : ascii_bars.at(index);
    }

    void draw(Run const& run)
    {
        Row title{screen_.columns};
        int column = title.put(0, to_string(run.algorithm), Style::strong);
        column = title.put(column, " " + to_string(run.rate) + "  ", Style::faint);
        column = title.put(
            column, grouped(run.granted) + " granted (" + percent(run.granted, simulation_.asked()) + ")",
            Style::good);
        column = title.put(column, ", " + grouped(run.denied) + " denied", Style::waiting);
        title.put(column, ", most in any " + span_text(run.rate.interval()) + ": " + grouped(run.most));
        add(title);
        recent(run);
        strip("granted", run.granted_in, Style::good);
        strip("denied", run.denied_in, Style::waiting);
    }

    /// What was granted in the interval before, and the limit as a line.
    void recent(Run const& run)
    {
        Permits const limit = run.rate.permits();
        Permits top = limit;
        for (auto const& other : simulation_.runs) top = std::max(top, other.most);
        int const limit_row = static_cast<int>((limit * plot_rows - 1) / top);
        for (int row = plot_rows - 1; row >= 0; --row) {
            Row line{screen_.columns};
            if (row == limit_row) {
                auto const label = "limit " + short_number(limit);
                line.put(0, right_aligned(label, left - 1), Style::faint);
                for (int column = left; column < left + static_cast<int>(run.recent.size()); ++column)
                    line.put(column, screen_.unicode ? "┄" : "-", Style::faint);
            }
            for (std::size_t bin = 0; bin < run.recent.size(); ++bin) {
                int const eighths = height(run.recent[bin], top, plot_rows) - row * parts;
                if (eighths <= 0) continue;
                bool const over = run.recent[bin] > limit;
                line.put(left + static_cast<int>(bin), bar(eighths), over ? Style::bad : Style::plain);
            }
            add(line);
        }
    }

    void strip(char const* name, std::vector<Permits> const& values, Style style)
    {
        Row row{screen_.columns};
        row.put(0, right_aligned(name, left - 1), Style::faint);
        Permits most = 1;
        for (auto const& run : simulation_.runs) {
            for (std::size_t bin = 0; bin < run.granted_in.size(); ++bin)
                most = std::max({most, run.granted_in[bin], run.denied_in[bin]});
        }
        for (std::size_t bin = 0; bin < values.size(); ++bin)
            row.put(left + static_cast<int>(bin), bar(height(values[bin], most, 1)), style);
        add(row);
    }

    void axis()
    {
        Row row{screen_.columns};
        auto const step = round_time_step(simulation_.traffic.length,
                                          std::max<int>(static_cast<int>(simulation_.bins()) / 9, 1));
        for (Duration at{}; at < simulation_.traffic.length; at += step) {
            auto const label = tick_text(at);
            int const column = left + static_cast<int>(at / simulation_.bin);
            // A label that would be cut off says something else.
            if (column + static_cast<int>(label.size()) <= screen_.columns)
                row.put(column, label, Style::faint);
        }
        add(row);
    }

    void legend()
    {
        add(text("Bars: permits granted in the " + span_text(simulation_.rate.interval())
                     + " before each moment.",
                 Style::faint));
        add(text("Below: what was granted and denied, per " + span_text(simulation_.bin) + ".",
                 Style::faint));
    }

    Simulation const& simulation_;
    Screen const screen_;
    std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> draw_simulation(Simulation const& simulation, Screen const& screen)
{
    return Picture{simulation, screen}.lines();
}

int bins_for_columns(int columns)
{
    return std::max(columns - left, least_bins);
}

std::string simulation_title(Simulation const& simulation)
{
    auto title = to_string(simulation.rate) + ", " + simulation.traffic.description + ", for "
                 + wait_text(simulation.traffic.length) + ": " + grouped(simulation.asked())
                 + (simulation.asked() == 1 ? " request" : " requests");
    if (simulation.n > 1) title += " for " + grouped(simulation.n) + " permits each";
    return title;
}

}  // namespace ration::cli
