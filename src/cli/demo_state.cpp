#include "cli/demo_state.hpp"

#include <algorithm>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;

// Without --grants and --duration: everyone has a turn, for long enough to see something, but not for ever.
constexpr Duration long_enough = 4s;
constexpr Duration too_long = 1min;
constexpr std::size_t plenty = 1000;

/// Until the last of `grants` permits is free, if they are asked for all the time.
Duration time_for(Rate const& rate, Permits grants)
{
    Permits const behind = std::max<Permits>(grants - rate.capacity(), 0);
    Permits const intervals = (behind + rate.permits() - 1) / rate.permits();
    return intervals > too_long * 60 / rate.interval() ? too_long * 60 : intervals * rate.interval();
}

}  // namespace

Duration DemoPlan::expected_length() const
{
    if (duration) return *duration;
    if (grants) return time_for(rate, *grants);
    return std::clamp(time_for(rate, workers), long_enough, too_long);
}

DemoState::DemoState(DemoPlan const& what, LimiterConfig const& stored)
    : plan{what}, config{stored}, workers(static_cast<std::size_t>(what.workers))
{}

void DemoState::apply(DemoEvent const& event)
{
    auto& worker = workers[static_cast<std::size_t>(event.worker - 1)];
    if (event.kind == DemoEvent::Kind::waiting) {
        worker.waits.push_back({event.at, std::nullopt});
        return;
    }
    if (worker.is_waiting()) worker.waits.back().until = event.at;
    worker.grants.push_back(event.at);
    ++told;
    if (plan.processes == 0) grants.push_back({event.at, event.decision.reset_after});
}

int DemoState::waiting() const
{
    return static_cast<int>(
        std::ranges::count_if(workers, [](auto const& worker) { return worker.is_waiting(); }));
}

bool DemoState::everyone_had_a_turn() const
{
    return std::ranges::none_of(workers, [](auto const& worker) { return worker.grants.empty(); });
}

bool DemoState::is_over() const
{
    if (plan.duration) return elapsed > *plan.duration;
    if (plan.grants) return static_cast<Permits>(told) >= *plan.grants;
    if (elapsed > too_long) return true;
    return everyone_had_a_turn() && (elapsed > long_enough || told >= plenty);
}

}  // namespace ration::cli
