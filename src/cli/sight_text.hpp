#pragma once

// A limiter that was looked at, as text and as JSON.

#include "cli/json_line.hpp"
#include "redis/inspector.hpp"

#include <string>
#include <vector>

namespace ration::cli {

/// `limiter, rate, interval_ms, type, algorithm, keep_alive_ms, available, ttl_ms` and more.
JsonLine sight_json(redis::LimiterSight const& sight);

/// Some lines: a heading per fact.
std::vector<std::string> sight_lines(redis::LimiterSight const& sight);

/// A table: a line of titles, then one per limiter, sorted by name.
std::vector<std::string> sight_table(std::vector<redis::LimiterSight> const& sights);

/// What this user could not see, as one sentence; empty if there is nothing.
std::string missing_sentence(redis::LimiterSight const& sight);

}  // namespace ration::cli
