#pragma once

// What each algorithm lets through of the same traffic, in virtual time: the library's own code decides, at the moments of
// the traffic.

#include "cli/traffic.hpp"

#include <ration/rate.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace ration::cli {

/// One algorithm's answers.
struct Run {
    Algorithm algorithm{};
    Rate rate = Rate::per_second(1);  ///< as this algorithm takes it
    std::int64_t granted = 0;         ///< requests
    std::int64_t denied = 0;
    Permits most = 0;           ///< granted in any span of the interval
    Duration longest_denial{};  ///< the longest time in which every request was denied

    // ---- over time, for drawing: one number per bin ----
    std::vector<Permits> granted_in{};
    std::vector<Permits> denied_in{};
    std::vector<Permits>
        recent{};  ///< the most that was granted in the interval before any moment of the bin
};

struct Simulation {
    Rate rate = Rate::per_second(1);
    Permits n = 1;  ///< that each request asks for
    Traffic traffic{};
    Duration bin{};
    std::vector<Run> runs{};
    std::vector<std::string> notes{};  ///< which algorithm could not take part, and why

    std::int64_t asked() const { return static_cast<std::int64_t>(traffic.arrivals.size()); }
    std::size_t bins() const { return static_cast<std::size_t>((traffic.length + bin - Duration{1}) / bin); }
};

/// All four algorithms, or all that can do this rate. Requires: n <= the permits of the rate.
Simulation simulate(Rate const& rate, Permits n, Traffic traffic, int most_bins);

}  // namespace ration::cli
