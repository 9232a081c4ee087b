#include "cli/simulation.hpp"

#include "cli/text.hpp"
#include "cli/ticks.hpp"
#include "core/limiter_state.hpp"

#include <algorithm>
#include <optional>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;

/// The calendar whose windows are as long as an interval, if there is one.
std::optional<Rate> calendar_of(Rate const& rate)
{
    struct Unit {
        Duration length;
        CalendarUnit unit;
    };
    constexpr Unit units[] = {{24h * 7, CalendarUnit::week},
                              {24h, CalendarUnit::day},
                              {1h, CalendarUnit::hour},
                              {1min, CalendarUnit::minute},
                              {1s, CalendarUnit::second}};
    if (rate.is_calendar()) return rate;
    for (auto const& unit : units) {
        if (rate.interval() % unit.length != 0us) continue;
        return Rate::calendar(rate.permits(), unit.unit, "UTC",
                              static_cast<int>(rate.interval() / unit.length));
    }
    return std::nullopt;
}

std::optional<Rate> rate_for(Algorithm algorithm, Rate const& rate)
{
    switch (algorithm) {
    case Algorithm::calendar_window: return calendar_of(rate);
    case Algorithm::token_bucket:
        if (rate.burst()) return rate;
        break;
    case Algorithm::sliding_log:
    case Algorithm::fixed_window: break;
    }
    return Rate::per(rate.permits(), rate.interval());
}

/// Keeps the counts of one run while its requests are decided, in the order of their times.
class Recorder {
public:
    Recorder(Run& run, Simulation const& simulation) : run_{run}, simulation_{simulation}
    {
        run_.granted_in.resize(simulation.bins());
        run_.denied_in.resize(simulation.bins());
        run_.recent.resize(simulation.bins());
    }

    void record(Time at, bool granted)
    {
        close_bins_before(at);
        if (granted) {
            ++run_.granted;
            run_.granted_in[bin_] += simulation_.n;
            grants_.push_back(at);
            see_recent(at);
            denied_since_.reset();
        } else {
            ++run_.denied;
            run_.denied_in[bin_] += simulation_.n;
            if (!denied_since_) denied_since_ = at;
            run_.longest_denial = std::max(run_.longest_denial, at - *denied_since_);
        }
    }

    void finish() { close_bins_before(simulation_.traffic.begin + simulation_.traffic.length); }

private:
    Time begin_of(std::size_t bin) const
    {
        return simulation_.traffic.begin + static_cast<std::int64_t>(bin) * simulation_.bin;
    }

    void close_bins_before(Time at)
    {
        while (bin_ + 1 < simulation_.bins() && begin_of(bin_ + 1) <= at) {
            ++bin_;
            see_recent(begin_of(bin_));
        }
    }

    /// Counts what was granted in (at - interval, at].
    void see_recent(Time at)
    {
        while (oldest_ < grants_.size() && grants_[oldest_] <= at - run_.rate.interval()) ++oldest_;
        auto const recent = static_cast<Permits>(grants_.size() - oldest_) * simulation_.n;
        run_.recent[bin_] = std::max(run_.recent[bin_], recent);
        run_.most = std::max(run_.most, recent);
    }

    Run& run_;
    Simulation const& simulation_;
    std::size_t bin_ = 0;
    std::vector<Time> grants_;
    std::size_t oldest_ = 0;  // of the grants that are recent
    std::optional<Time> denied_since_;
};

Run run_algorithm(Algorithm algorithm, Rate const& rate, Simulation const& simulation)
{
    Run run{.algorithm = algorithm, .rate = rate};
    Recorder recorder{run, simulation};
    core::LimiterState state{algorithm, rate};
    for (Time const at : simulation.traffic.arrivals)
        recorder.record(at, state.take(at, simulation.n, Duration{}).granted);
    recorder.finish();
    return run;
}

/// A bin is a round part of the interval, so that bars of equal windows look equal, or else a round span of time.
Duration bin_for(Duration length, Duration interval, int most_bins)
{
    for (int const parts : {20, 10, 5, 4, 2, 1}) {
        Duration const bin = interval / parts;
        if (bin >= 1us && length / bin < most_bins) return bin;
    }
    return std::max(interval, round_time_step(length, most_bins));
}

}  // namespace

Simulation simulate(Rate const& rate, Permits n, Traffic traffic, int most_bins)
{
    Simulation simulation{.rate = rate, .n = n, .traffic = std::move(traffic)};
    // Bars of one request each would be a fence.
    auto const with_some_in_each = std::max<std::int64_t>(simulation.asked() / 3, 40);
    simulation.bin = bin_for(simulation.traffic.length, rate.interval(),
                             static_cast<int>(std::min<std::int64_t>(most_bins, with_some_in_each)));
    using enum Algorithm;
    for (auto const algorithm : {sliding_log, fixed_window, calendar_window, token_bucket}) {
        if (auto const fitting = rate_for(algorithm, rate)) {
            simulation.runs.push_back(run_algorithm(algorithm, *fitting, simulation));
        } else {
            simulation.notes.push_back("calendar_window is left out: no calendar has windows of "
                                       + span_text(rate.interval()));
        }
    }
    return simulation;
}

}  // namespace ration::cli
