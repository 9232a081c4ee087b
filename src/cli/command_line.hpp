#pragma once

namespace ration::cli {

/// Reads the command line, runs one subcommand, and turns what went wrong into one sentence and an exit code.
int run_command_line(int argc, char** argv);

}  // namespace ration::cli
