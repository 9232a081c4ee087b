#pragma once

#include "interop/scene.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace ration::interop {

// The cells of the matrix. Each returns what it has measured, in a few words, or throws Mismatch.

/// What either side wrote, the other reads; after the same calls both have stored the same.
std::string bytes(Scene& frozen);

struct TurnsOptions {
    std::uint64_t seed = 1;
    int turns = 5000;  ///< while the clock stands still
    int waits = 40;    ///< while it runs: each takes a good part of an interval
};

/// Random calls, each by a side picked at random, against the model in src/core.
std::string turns(Scene& frozen, Scene& running, TurnsOptions const& options);

/// Both sides take all they can get, then ration only half: nothing too much, nothing lost, and both get their share.
std::string load(Scene& running, std::chrono::seconds span, std::int64_t seed);

/// Rates, expiry and removal by one side as the other sees them, also while it waits.
std::string lifecycle(Scene& frozen);

}  // namespace ration::interop
