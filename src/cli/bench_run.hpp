#pragma once

#include "cli/command.hpp"
#include "cli/histogram.hpp"

#include <ration/client.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ration::cli {

/// What to measure.
struct BenchPlan {
    int callers = 4;  ///< that ask all the time, each for itself
    Permits permits = 1;
    Duration length = std::chrono::seconds{5};
    int keys = 0;      ///< of a keyed limiter; 0: one limiter with a name
    bool hot = false;  ///< nine of ten requests are for the first key
    Rate rate = Rate::per_second(1'000'000);
    Algorithm algorithm = Algorithm::sliding_log;
    bool on_server = false;
};

/// What was measured so far.
struct BenchResult {
    std::uint64_t granted = 0;
    std::uint64_t denied = 0;
    std::uint64_t failed = 0;
    std::string first_failure{};
    Histogram latency{};
    Duration elapsed{};
    std::uint64_t calls = 0;  ///< of the store; embedded: those that had to queue

    std::uint64_t decisions() const { return granted + denied; }
    void add(BenchResult const& other);
};

/// Callers on the store of `global`, on limiters of their own, which are gone afterwards.
///
/// The embedded store is asked by a thread for each caller. A server is asked by callers that share one client and its one
/// connection, as the callers of a service do.
BenchResult run_bench(BenchPlan const& plan, GlobalOptions const& global,
                      std::function<bool()> const& interrupted,
                      std::function<void(Duration, std::uint64_t)> const& progress);

}  // namespace ration::cli
