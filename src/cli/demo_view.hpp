#pragma once

#include "cli/demo_state.hpp"
#include "cli/screen.hpp"

#include <string>
#include <vector>

namespace ration::cli {

/// The demo as a picture: a line per worker over time, grants per tick below. A pure function; at most
/// `screen.rows` lines, none wider than `screen.columns`.
std::vector<std::string> draw_demo(DemoState const& state, Screen const& screen);

}  // namespace ration::cli
