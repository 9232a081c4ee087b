#pragma once

#include "cli/screen.hpp"
#include "cli/simulation.hpp"

#include <string>
#include <vector>

namespace ration::cli {

/// The simulation as a picture for a terminal: per algorithm what was granted in the interval before, under the limit,
/// and what was granted and denied. A pure function; no line is wider than `screen.columns`.
std::vector<std::string> draw_simulation(Simulation const& simulation, Screen const& screen);

/// How many bins the picture has room for.
int bins_for_columns(int columns);

/// E.g. "10/s, steady traffic, 15/s on average, 20s: 300 requests".
std::string simulation_title(Simulation const& simulation);

}  // namespace ration::cli
