#include "cli/demo_view.hpp"

#include "cli/demo_check.hpp"
#include "cli/demo_words.hpp"
#include "cli/row.hpp"
#include "cli/text.hpp"

#include <algorithm>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;

struct Glyphs {
    char const* granted;
    char const* waiting;
    char const* bar;
    char const* and_more;
};

constexpr Glyphs unicode_glyphs{"●", "·", "█", "…"};
constexpr Glyphs ascii_glyphs{"o", ".", "#", "..."};

constexpr int narrowest_tick = 8;  // columns that a label or a bar with its number needs

/// Where time is on the screen.
struct Axis {
    int left = 0;     // columns before it
    int columns = 0;  // that it has
    Duration cell{};  // how much time one column is
    Duration tick{};  // how much time lies between two labels

    int column(Duration at) const { return left + static_cast<int>(at / cell); }
};

/// 1, 2, 5, 10, 20, 50 … ms; the first that satisfies `fits`.
template <class Fits>
Duration round_span(Fits fits)
{
    for (Duration power = 1ms;; power *= 10) {
        for (int const digit : {1, 2, 5}) {
            if (fits(power * digit)) return power * digit;
        }
    }
}

Axis make_axis(DemoState const& state, int left, int screen_columns)
{
    Axis axis;
    axis.left = left;
    axis.columns = std::max(screen_columns - left, 1);
    Duration const end = std::max({state.plan.expected_length(), state.elapsed, Duration{100ms}});
    axis.cell = round_span([&](Duration span) { return end / span < axis.columns; });
    axis.tick = round_span(
        [&](Duration span) { return span % axis.cell == 0us && span / axis.cell >= narrowest_tick; });
    return axis;
}

class Picture {
public:
    Picture(DemoState const& state, Screen const& screen)
        : state_{state},
          screen_{screen},
          glyphs_{screen.unicode ? unicode_glyphs : ascii_glyphs},
          axis_{make_axis(state, 7, screen.columns)}
    {
        // The label of the bars may need more room than the worker's numbers.
        int const left = static_cast<int>(bar_label().size()) + 1;
        if (left > axis_.left) axis_ = make_axis(state, left, screen.columns);
    }

    std::vector<std::string> lines()
    {
        // Around the workers: title, axis, bars, status; three empty lines if there is room.
        int const workers = static_cast<int>(state_.workers.size());
        bool const airy = workers + 7 <= screen_.rows;
        int const shown = workers + 4 <= screen_.rows ? workers : std::max(screen_.rows - 5, 1);
        title();
        if (airy) add(Row{0});
        time_labels();
        for (int i = 0; i < shown; ++i) worker(i);
        if (shown < workers) {
            Row row{screen_.columns};
            auto const text =
                std::string{glyphs_.and_more} + " and " + count_text(workers - shown, "more worker");
            row.put(axis_.left, text, Style::faint);
            add(row);
        }
        if (airy) add(Row{0});
        bars();
        if (airy) add(Row{0});
        status();
        if (static_cast<int>(lines_.size()) > screen_.rows)
            lines_.resize(static_cast<std::size_t>(std::max(screen_.rows, 0)));
        return std::move(lines_);
    }

private:
    void add(Row const& row) { lines_.push_back(row.text(screen_.colour)); }

    void title()
    {
        Row row{screen_.columns};
        row.put(0, opening_line(state_), Style::strong);
        auto const time = seconds_text(state_.elapsed);
        auto const clock = " " + time.substr(0, time.size() - 3) + "s";
        row.put(screen_.columns - static_cast<int>(clock.size()), clock, Style::strong);
        add(row);
    }

    void time_labels()
    {
        Row row{screen_.columns};
        row.put(0, "worker", Style::faint);
        for (Duration at{}; axis_.column(at) < screen_.columns; at += axis_.tick) {
            auto const label = at == Duration{} ? "0s" : span_text(at);
            // A label that would be cut off says something else.
            if (axis_.column(at) + static_cast<int>(label.size()) <= screen_.columns) {
                row.put(axis_.column(at), label, Style::faint);
            }
        }
        add(row);
    }

    void worker(int index)
    {
        auto const& worker = state_.workers[static_cast<std::size_t>(index)];
        Row row{screen_.columns};
        auto const number = worker_text(state_, index + 1);
        row.put(axis_.left - 1 - static_cast<int>(number.size()), number, Style::faint);
        for (auto const& wait : worker.waits) {
            int const end = axis_.column(wait.until.value_or(state_.elapsed));
            for (int column = axis_.column(wait.from); column <= end; ++column) {
                row.put(column, glyphs_.waiting, Style::waiting);
            }
        }
        for (auto const at : worker.grants) row.put(axis_.column(at), glyphs_.granted, Style::good);
        add(row);
    }

    std::string bar_label() const { return "per " + span_text(axis_.tick); }

    /// How many grants each tick holds.
    std::vector<int> grants_per_tick() const
    {
        std::vector<int> counts;
        for (auto const& worker : state_.workers) {
            for (auto const at : worker.grants) {
                auto const tick = static_cast<std::size_t>(at / axis_.tick);
                if (tick >= counts.size()) counts.resize(tick + 1);
                ++counts[tick];
            }
        }
        return counts;
    }

    void bars()
    {
        auto const counts = grants_per_tick();
        int const most = counts.empty() ? 0 : *std::ranges::max_element(counts);
        int const room =
            static_cast<int>(axis_.tick / axis_.cell) - static_cast<int>(std::to_string(most).size()) - 2;
        Row row{screen_.columns};
        row.put(0, bar_label(), Style::faint);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            // One cell per grant, as long as that fits.
            int const length = most <= room ? counts[i] : (counts[i] * room + most - 1) / most;
            int column = axis_.column(static_cast<int>(i) * axis_.tick);
            for (int cell = 0; cell < length; ++cell) column = row.put(column, glyphs_.bar, Style::good);
            row.put(column + 1, std::to_string(counts[i]));
        }
        add(row);
    }

    void status()
    {
        auto const check = check_grants(state_.config, state_.grants);
        Row row{screen_.columns};
        int column = row.put(0, std::to_string(state_.told) + " granted", Style::good);
        column = row.put(column, ", ");
        column = row.put(column, std::to_string(state_.waiting()) + " waiting", Style::waiting);
        bool const windows = state_.config.algorithm == Algorithm::fixed_window
                             || state_.config.algorithm == Algorithm::calendar_window;
        auto const span =
            windows ? std::string{"one window"} : "any " + span_text(state_.config.rate.interval());
        row.put(column, ", most in " + span + ": " + std::to_string(check.most));
        add(row);
    }

    DemoState const& state_;
    Screen const screen_;
    Glyphs const& glyphs_;
    Axis axis_;
    std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> draw_demo(DemoState const& state, Screen const& screen)
{
    return Picture{state, screen}.lines();
}

}  // namespace ration::cli
