#pragma once

#include "interop/scene.hpp"

namespace ration::interop {

/// Calls that wait, each by a side picked at random, against the model. Returns how late each side was, in words.
std::string waits(Scene& running, std::uint64_t seed, int count);

}  // namespace ration::interop
