#pragma once

#include <ration/ration.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ration::interop {

/// Threads that take 1 to 5 permits at a time, in all ways there are, for a while: the twin of java/ration/Load.java.
/// Returns "PERMITS_GRANTED DENIALS".
std::string load_in_all_ways(RateLimiter const& limiter, std::int64_t threads, std::chrono::milliseconds span,
                             std::int64_t seed);

/// When a thread got how many permits.
using Receipts = std::vector<std::pair<std::chrono::system_clock::time_point, Permits>>;

/// Threads to which work comes evenly, as requests come to a server: together so many permits a second, each request on its own.
Receipts paced_load(RateLimiter const& limiter, int threads, std::chrono::milliseconds span,
                    Permits per_second);

}  // namespace ration::interop
