#pragma once

// One function per topic: what it measures in each round, and its rows of the report.

#include "scene.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ration::bench {

/// Measured once a round; records what it finds.
struct Measurement {
    std::string name;  ///< what --filter looks at
    std::function<void(Scene&)> measure;
};

using Measurements = std::vector<Measurement>;

void add_baselines(Measurements& all, Report& report);
void add_hash_cost(Measurements& all, Report& report);
void add_hash_lateness(Measurements& all, Report& report);
void add_hash_memory(Measurements& all, Report& report);
void add_hot_limiter(Measurements& all, Report& report);
void add_keyed(Measurements& all, Report& report);
void add_one_at_a_time(Measurements& all, Report& report);
void add_server_cost(Measurements& all, Report& report);
void add_waiting(Measurements& all, Report& report);

}  // namespace ration::bench
