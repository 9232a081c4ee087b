#pragma once

#include "cli/screen.hpp"
#include "cli/watch_state.hpp"

#include <string>
#include <vector>

namespace ration::cli {

/// Limiters as a picture: what was free over the last minute, grants per second, the next permit, clients. A pure function;
/// at most `screen.rows` lines, none wider than `screen.columns`.
std::vector<std::string> draw_watch(std::vector<WatchedLimiter> const& limiters, Screen const& screen);

/// The same for a pipe: one line per limiter.
std::string watch_line(WatchedLimiter const& limiter);
std::string watch_json(WatchedLimiter const& limiter);

}  // namespace ration::cli
