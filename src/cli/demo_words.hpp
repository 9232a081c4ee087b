#pragma once

// The demo as lines of text, for a pipe or a file: for people, and as JSON.

#include "cli/demo_check.hpp"
#include "cli/demo_state.hpp"

#include <string>

namespace ration::cli {

/// E.g. "20 workers share a limiter of 5/s (sliding_log) on the embedded store".
std::string opening_line(DemoState const& state);

/// E.g. "  0.001s worker 06 waits, next permit in 0.999s".
std::string event_line(DemoState const& state, DemoEvent const& event);

/// E.g. "06", as wide as the largest number.
std::string worker_text(DemoState const& state, int worker);

std::string opening_json(DemoState const& state);
std::string event_json(DemoEvent const& event);
std::string check_json(CheckResult const& result, std::size_t grants, bool interrupted);

}  // namespace ration::cli
