#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ration::peers {

/// What the runner asks of a contender; the same for all languages (docs/benchmarks-peers.md, "The programs").
struct Options {
    std::string contender;
    std::string url;
    std::string mode = "ask";
    std::string log;  ///< a file for every decision, or empty
    std::size_t callers = 1;
    std::size_t keys = 1;
    std::int64_t rate = 1;
    std::chrono::milliseconds interval{1000};
    std::chrono::duration<double> warmup{0.2};
    std::chrono::duration<double> seconds{1};
    std::size_t process = 0;
    bool fill = false;  ///< ask once for every key before it begins
};

/// Throws std::runtime_error for what it does not know.
Options parse(std::vector<std::string> const& words);

}  // namespace ration::peers
