#pragma once

// What every subcommand shares. A subcommand is one file that describes itself as a value: its options, its help, and
// what to run. command_line.cpp reads the command line by these descriptions.

#include <ration/tls_options.hpp>
#include <ration/types.hpp>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace ration::cli {

/// What `ration` exits with. Scripts depend on these numbers.
enum class Exit : int {
    done = 0,          ///< granted, or done
    denied = 1,        ///< denied, or nothing changed
    wrong_usage = 2,   ///< an argument that cannot be right
    failed = 3,        ///< the store or its data: not reached, not readable, or not what was promised
    cannot_run = 126,  ///< acquire: CMD is there but cannot be run, as shells say it
    no_command = 127,  ///< acquire: there is no CMD
    signalled = 128,   ///< plus the signal's number: ended by it, e.g. 130 after Ctrl-C
};

constexpr Exit exit_for_signal(int signal)
{
    return static_cast<Exit>(static_cast<int>(Exit::signalled) + signal);
}

/// What stands before the subcommand (or, for convenience, behind it).
struct GlobalOptions {
    std::string store = "memory:";
    bool json = false;
    Duration command_timeout = std::chrono::seconds{2};
    TlsOptions tls{};
    std::vector<std::string> behind_dashes{};  ///< acquire: CMD and its arguments
};

/// The arguments are wrong; the sentence says how, and what to write instead.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// One argument of a subcommand: `--name VALUE`, `--name` alone, or a word that stands at its place.
struct Argument {
    enum class Need : std::uint8_t { optional, required };

    std::string name;     ///< "--rate", or "NAME" for a word
    std::string type;     ///< what stands for the value in the help; empty for a flag and for a word
    std::string meaning;  ///< in the help
    std::variant<std::string*, bool*, std::vector<std::string>*> target;  ///< where what was given is put
    Need need = Need::optional;
};

/// A subcommand.
struct Command {
    std::string name;
    std::string group;    ///< its heading in `ration --help`
    std::string summary;  ///< one line
    std::string details;  ///< below the options: what to know, examples, exit codes
    std::vector<Argument> arguments;
    std::function<Exit()> run;   ///< once the whole command line has been read; owns where the arguments are
    bool takes_command = false;  ///< `-- CMD…` may follow
    std::string usage{};         ///< instead of the generated line
};

// ---- the subcommands; `global` is filled when they run ----

Command set_command(GlobalOptions const& global);
Command try_command(GlobalOptions const& global);
Command acquire_command(GlobalOptions const& global);
Command release_command(GlobalOptions const& global);
Command info_command(GlobalOptions const& global);
Command list_command(GlobalOptions const& global);
Command watch_command(GlobalOptions const& global);
Command delete_command(GlobalOptions const& global);
Command demo_command(GlobalOptions const& global);
Command simulate_command(GlobalOptions const& global);
Command bench_command(GlobalOptions const& global);

/// All of them, in the order in which the help shows them.
std::vector<Command> all_commands(GlobalOptions const& global);

}  // namespace ration::cli
