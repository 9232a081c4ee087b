#pragma once

#include "interop/jars.hpp"

#include <string>

namespace ration::interop {

// What is shown beside the matrix. Each returns what it has measured, in a few words, or throws Mismatch.

/// A limiter that `old` has filled and `newer` cannot read: ration can, and repairs it.
std::string rolling_upgrade(Jars const& jars, Version const& old, Version const& newer);

/// What Redisson's own tests expect, of Redisson and of ration.
std::string behaviours(Jars const& jars, Version const& version);

/// What a shared limit guarantees when the clock of a Java process is 5 s ahead or behind, and when that of a C++ process is.
std::string clock_skew(Jars const& jars, Version const& version);

}  // namespace ration::interop
