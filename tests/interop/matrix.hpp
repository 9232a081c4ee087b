#pragma once

#include "interop/options.hpp"

namespace ration::interop {

/// Runs every cell for every version, prints the matrix, and last "interop: N of M cells". True if that is all of them.
bool run_matrix(Options const& options);

}  // namespace ration::interop
