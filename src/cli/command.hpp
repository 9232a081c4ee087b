#pragma once

// What every subcommand shares. A subcommand is one file: it adds itself to the command line and says what
// to run.

#include <functional>
#include <stdexcept>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's own
class App;
}

namespace ration::cli {

/// What `ration` exits with. Scripts depend on these numbers.
enum class Exit : int {
    done = 0,         ///< granted, or done
    denied = 1,       ///< denied, or nothing changed
    wrong_usage = 2,  ///< an argument that cannot be right
    failed = 3,       ///< the store or its data: not reached, not readable, or not what was promised
    signalled = 128,  ///< plus the signal's number: ended by it, e.g. 130 after Ctrl-C
};

/// What stands before the subcommand (or, for convenience, behind it).
struct GlobalOptions {
    std::string store = "memory:";
    bool json = false;
};

/// What the chosen subcommand will do once the whole command line has been read.
using Run = std::function<Exit()>;

/// The arguments are wrong; the sentence says how, and what to write instead.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// ---- the subcommands: each adds itself to `app` and sets `run` when it is chosen ----

void add_demo(CLI::App& app, GlobalOptions const& global, Run& run);

}  // namespace ration::cli
