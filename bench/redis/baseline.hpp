#pragma once

// What others do with the same server: scripts run by redis-benchmark, which is as fast as a client gets that combines
// nothing.

#include "scene.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ration::bench {

namespace baseline {

/// The names under which decisions per second are recorded.
inline constexpr char const* noop = "a script that does nothing, pipeline 16";
inline constexpr char const* redisson = "Redisson's script, pipeline 16";
inline constexpr char const* redisson_unpipelined = "Redisson's script, 64 connections";
inline constexpr char const* keyed = "one key per call, pipeline 16";

/// Does nothing: the ceiling of anything that takes a script per decision.
inline constexpr std::string_view noop_script = "return 1";

/// Shaped like the one that Redisson 3.38 to 4.7 runs for tryAcquire: the same commands on the same keys.
/// KEYS config, value, its own value, permits, its own permits. ARGV permits, time in ms, 16 random bytes
extern std::string_view const redisson_script;

inline constexpr std::string_view redisson_name = "theirs";
std::vector<std::string> redisson_keys();

/// As they are stored: so much that nothing is ever refused, unless `rate` says otherwise.
void set_redisson_rate(Scene& scene, std::string const& rate = "4294967295");

}  // namespace baseline

/// A key as redis-benchmark makes it from a random number.
std::string keyed_key(int number);

/// Empties the server, then takes a permit of each key of the keyed limiter, so that all buckets are there. Nothing is counted.
void fill_keyed(Scene& scene);

void measure_noop(Scene& scene);
void measure_redisson(Scene& scene);
void measure_redisson_unpipelined(Scene& scene);
void measure_keyed_baseline(Scene& scene);

}  // namespace ration::bench
