#pragma once

#include "interop/scene.hpp"

#include <string>
#include <vector>

namespace ration::interop {

/// One step: a line for the side that is tested (see Side), or one of
///
///   advance MS            moves the clock
///   start N LINE          begins N calls at once, without waiting for them
///   done                  how many of those have ended (when as many have as are expected)
///   keys                  how many keys are in Redis
///   permits               the permits in the log of `lim`
///   lose value | permits  that key of `lim` is gone, as Redis drops one when its memory is full
struct Step {
    std::string line;
    std::string expected = {};
    std::string of_ration = {};  ///< where that is something else
};

/// Something that both sides must do, told to each of them in turn.
struct Story {
    std::string number;
    std::string name;
    std::vector<Step> steps;
    std::string difference = {};  ///< where they differ: what, and why
};

/// Throws Mismatch.
void tell(Story const& story, Scene& frozen, Side& side);

}  // namespace ration::interop
