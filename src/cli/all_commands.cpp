#include "cli/command.hpp"

namespace ration::cli {

std::vector<Command> all_commands(GlobalOptions const& global)
{
    return {set_command(global),     delete_command(global),   try_command(global),  acquire_command(global),
            release_command(global), info_command(global),     list_command(global), watch_command(global),
            demo_command(global),    simulate_command(global), bench_command(global)};
}

}  // namespace ration::cli
