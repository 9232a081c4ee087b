#include "cli/watch_view.hpp"

#include "cli/output.hpp"
#include "cli/row.hpp"
#include "cli/sight_text.hpp"
#include "cli/text.hpp"
#include "cli/ticks.hpp"

#include <algorithm>
#include <array>
#include <ctime>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;

constexpr int left = 10;  // columns before a plot
constexpr int parts = 8;  // that one cell shows
constexpr int tallest = 8;
constexpr int least_rows = 4;  // of a limiter: title, one row of the plot, axis, status

constexpr std::array<char const*, parts + 1> unicode_bars{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<char const*, parts + 1> ascii_bars{" ", ".", ".", ":", ":", "|", "|", "#", "#"};

std::string clock_text(Time now)
{
    std::time_t const seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
    std::tm fields{};
    ::localtime_r(&seconds, &fields);
    char text[16];
    std::strftime(text, sizeof text, "%H:%M:%S", &fields);
    return text;
}

std::string next_text(redis::StateSight const& state)
{
    return state.available > 0 ? "now" : "in " + wait_text(state.next_permit);
}

std::string free_text(redis::LimiterSight const& sight, redis::StateSight const& state)
{
    return (state.exact ? "" : "about ") + grouped(state.available) + " of "
           + grouped(sight.config.rate.capacity()) + " free";
}

/// "3 of 5 free", of a limit per client for whom.
std::string free_text(WatchedLimiter const& limiter)
{
    auto const& sight = *limiter.sight();
    auto text = free_text(sight, limiter.tightest());
    if (sight.config.type == RateType::per_client)
        text += sight.clients.empty() ? " for a new client" : " for who has least";
    return text;
}

class Panel {
public:
    Panel(WatchedLimiter const& limiter, Screen const& screen, int rows)
        : limiter_{limiter}, screen_{screen}, rows_{rows}
    {}

    std::vector<std::string> lines()
    {
        title();
        if (!limiter_.sight()) {
            say(limiter_.problem().empty() ? "..." : limiter_.problem(), Style::waiting);
            return std::move(lines_);
        }
        auto const& sight = *limiter_.sight();
        int const clients = std::min<int>(static_cast<int>(sight.clients.size()), std::max(rows_ - 7, 0));
        bool const strip = rows_ - clients >= 6;
        plot(std::clamp(rows_ - 3 - clients - (strip ? 1 : 0), 1, tallest));
        if (strip) grants();
        axis();
        status();
        for (int i = 0; i < clients; ++i) client(sight, i, clients);
        return std::move(lines_);
    }

private:
    void add(Row const& row) { lines_.push_back(row.text(screen_.colour)); }

    void say(std::string const& text, Style style)
    {
        Row row{screen_.columns};
        row.put(0, text, style);
        add(row);
    }

    void title()
    {
        Row row{screen_.columns};
        int const column = row.put(0, printable(limiter_.name()), Style::strong);
        if (limiter_.sight()) {
            auto const& sight = *limiter_.sight();
            row.put(column,
                    "  " + to_string(sight.config.rate) + " " + std::string{to_string(sight.config.algorithm)}
                        + " " + std::string{to_string(sight.config.type)},
                    Style::faint);
            auto const clock = " " + clock_text(sight.now);
            row.put(screen_.columns - static_cast<int>(clock.size()), clock, Style::faint);
        }
        add(row);
    }

    int plot_columns() const { return std::max(screen_.columns - left, 1); }

    std::size_t column_of(Time at) const
    {
        Time const begin = limiter_.sight()->now - WatchedLimiter::remembered;
        auto const place = (at - begin) * plot_columns() / (WatchedLimiter::remembered + 1us);
        return static_cast<std::size_t>(std::clamp<std::int64_t>(place, 0, plot_columns() - 1));
    }

    /// The least that was free in each column of time; nothing where it was not looked at yet.
    std::vector<std::optional<Permits>> free_by_column() const
    {
        auto const count = static_cast<std::size_t>(plot_columns());
        std::vector<std::optional<Permits>> columns(count);
        for (auto const& sample : limiter_.samples()) {
            auto& column = columns[column_of(sample.at)];
            column = std::min(column.value_or(sample.available), sample.available);
        }
        for (std::size_t i = 1; i < count; ++i) {
            if (!columns[i]) columns[i] = columns[i - 1];
        }
        return columns;
    }

    void plot(int height)
    {
        auto const capacity = limiter_.sight()->config.rate.capacity();
        auto const columns = free_by_column();
        for (int row = height - 1; row >= 0; --row) {
            Row line{screen_.columns};
            if (row == height - 1) line.put(0, right_aligned(short_number(capacity), left - 1), Style::faint);
            if (row == 0 && height > 1) line.put(0, right_aligned("free 0", left - 1), Style::faint);
            for (std::size_t i = 0; i < columns.size(); ++i) {
                if (!columns[i]) continue;
                // Full is full, and one is not none.
                auto eighths = static_cast<int>(*columns[i] * height * parts / capacity);
                if (*columns[i] > 0) eighths = std::max(eighths, 1);
                auto const index = static_cast<std::size_t>(std::clamp(eighths - row * parts, 0, parts));
                bool const none = *columns[i] == 0 && row == 0;
                line.put(left + static_cast<int>(i), none ? (screen_.unicode ? "·" : "_") : bar(index),
                         none ? Style::waiting : Style::good);
            }
            add(line);
        }
    }

    /// What was granted in each column of time.
    void grants()
    {
        std::vector<Permits> columns(static_cast<std::size_t>(plot_columns()));
        for (auto const& sample : limiter_.samples()) columns[column_of(sample.at)] += sample.granted;
        Permits const most = std::max<Permits>(*std::ranges::max_element(columns), 1);
        Row row{screen_.columns};
        row.put(0, right_aligned("granted", left - 1), Style::faint);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            auto const eighths = columns[i] == 0 ? 0 : std::max<Permits>(columns[i] * parts / most, 1);
            row.put(left + static_cast<int>(i), bar(static_cast<std::size_t>(eighths)));
        }
        add(row);
    }

    char const* bar(std::size_t eighths) const
    {
        return screen_.unicode ? unicode_bars.at(eighths) : ascii_bars.at(eighths);
    }

    void axis()
    {
        Row row{screen_.columns};
        row.put(left, "1min ago", Style::faint);
        if (plot_columns() > 30) row.put(left + plot_columns() / 2 - 2, "30s", Style::faint);
        row.put(screen_.columns - 3, "now", Style::faint);
        add(row);
    }

    void status()
    {
        auto const& sight = *limiter_.sight();
        Row row{screen_.columns};
        int column = 0;
        if (!limiter_.problem().empty()) {
            row.put(0, limiter_.problem(), Style::bad);
        } else {
            column = row.put(column, free_text(limiter_),
                             limiter_.tightest().available > 0 ? Style::good : Style::waiting);
            column = row.put(column, ", " + grouped(limiter_.granted_in_last_second())
                                         + " granted in the last second");
            column = row.put(column, ", next permit " + next_text(limiter_.tightest()));
            if (sight.config.type == RateType::per_client)
                row.put(column, ", " + count_text(static_cast<std::int64_t>(sight.clients.size()), "client"));
        }
        add(row);
    }

    void client(redis::LimiterSight const& sight, int index, int shown)
    {
        int const more = static_cast<int>(sight.clients.size()) - shown;
        Row row{screen_.columns};
        if (index == shown - 1 && more > 0) {
            row.put(2, "and " + count_text(more + 1, "more client"), Style::faint);
        } else {
            auto const& one = sight.clients[static_cast<std::size_t>(index)];
            int const column = row.put(2, printable(one.id), Style::faint);
            row.put(column + 2, free_text(sight, one.state) + ", next permit " + next_text(one.state));
        }
        add(row);
    }

    WatchedLimiter const& limiter_;
    Screen const screen_;
    int const rows_;
    std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> draw_watch(std::vector<WatchedLimiter> const& limiters, Screen const& screen)
{
    std::vector<std::string> lines;
    int const count = static_cast<int>(limiters.size());
    int const fitting = std::clamp(screen.rows / (least_rows + 1), 1, std::max(count, 1));
    int const each = std::max(screen.rows / fitting, 1);
    for (int i = 0; i < fitting && i < count; ++i) {
        int const room = std::min(each, screen.rows - static_cast<int>(lines.size()));
        auto panel = Panel{limiters[static_cast<std::size_t>(i)], screen,
                           std::max(i + 1 < fitting ? room - 1 : room, 1)}
                         .lines();
        panel.resize(std::min<std::size_t>(panel.size(), static_cast<std::size_t>(std::max(room, 0))));
        lines.insert(lines.end(), panel.begin(), panel.end());
        if (static_cast<int>(lines.size()) < screen.rows && i + 1 < fitting) lines.emplace_back();
    }
    if (fitting < count && !lines.empty())
        lines.back() = "and " + count_text(count - fitting, "more limiter") + ": make the window larger";
    for (auto& line : lines) {
        if (line.starts_with("and ") && static_cast<int>(line.size()) > screen.columns)
            line.resize(static_cast<std::size_t>(std::max(screen.columns, 0)));
    }
    return lines;
}

std::string watch_line(WatchedLimiter const& limiter)
{
    auto const name = printable(limiter.name());
    if (!limiter.problem().empty() || !limiter.sight()) return name + " " + limiter.problem();
    auto const& sight = *limiter.sight();
    return clock_text(sight.now) + " " + name + " " + free_text(limiter) + ", "
           + grouped(limiter.granted_in_last_second()) + " granted in the last second, next permit "
           + next_text(limiter.tightest());
}

std::string watch_json(WatchedLimiter const& limiter)
{
    if (!limiter.problem().empty() || !limiter.sight())
        return JsonLine{}.add("limiter", limiter.name()).add("problem", limiter.problem()).text();
    auto line = sight_json(*limiter.sight());
    line.add("granted_per_second", limiter.granted_in_last_second());
    line.add_ms("at_ms", limiter.sight()->now.time_since_epoch());
    return line.text();
}

}  // namespace ration::cli
