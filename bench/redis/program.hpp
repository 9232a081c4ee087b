#pragma once

#include <string>
#include <vector>

namespace ration::bench {

/// Runs a program of $PATH and returns what it prints. Throws std::runtime_error if it fails.
std::string run_program(std::vector<std::string> arguments);

}  // namespace ration::bench
