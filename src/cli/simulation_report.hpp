#pragma once

#include "cli/simulation.hpp"

#include <string>

namespace ration::cli {

/// How many bins the picture has room for.
constexpr int report_bins = 400;

/// The simulation as one SVG file: axes, legend, light and dark.
std::string simulation_svg(Simulation const& simulation);

/// The same as a page that needs no other file, with a table of the numbers and the command that made it.
std::string simulation_html(Simulation const& simulation, std::string const& command);

}  // namespace ration::cli
