#pragma once

#include "interop/version.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace ration::interop {

/// What tests/interop/run has put in place: DIRECTORY/VERSION/jars and DIRECTORY/VERSION/classes.
class Jars {
public:
    explicit Jars(std::filesystem::path directory) : directory_{std::move(directory)} {}

    /// `name` is a number or "newest", which goes by the name of the jar. Throws if it is not there.
    Version version(std::string const& name) const;

    /// Runs the driver of a version against a server on this port.
    std::vector<std::string> command(Version const& version, std::uint16_t port) const;

private:
    std::filesystem::path directory_;
};

}  // namespace ration::interop
