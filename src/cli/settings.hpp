#pragma once

// What is set outside of the command line: the environment and the config file. Arguments come first, then the
// environment, then the file.

#include "cli/command.hpp"

#include <string>

namespace ration::cli {

/// What was given on the command line, as text; empty if it was not.
struct GivenOptions {
    std::string store;
    std::string command_timeout;
    std::string tls_ca;
    std::string tls_cert;
    std::string tls_key;
};

/// Fills what the arguments leave open, and warns of passwords that others can see. Throws UsageError with the line of
/// the file that is wrong.
GlobalOptions settle(GivenOptions const& given, bool json);

}  // namespace ration::cli
