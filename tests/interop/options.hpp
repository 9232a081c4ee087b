#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ration::interop {

struct Options {
    std::filesystem::path jars = {};
    std::vector<std::string> versions = {};
    std::chrono::seconds load{15};
    int turns = 5000;
    std::uint64_t seed = 1;
    int at_once = 3;  ///< versions under test at the same time; only one of them under load
};

/// Throws std::invalid_argument with a sentence.
Options parse_options(std::vector<std::string> const& arguments);

}  // namespace ration::interop
