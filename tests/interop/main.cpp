// One limit, Redisson and ration: proven with the real jars. tests/interop/run fetches them, and runs this.

#include "interop/matrix.hpp"
#include "interop/options.hpp"
#include "interop/ration_side.hpp"

#include <csignal>
#include <exception>
#include <iostream>

int main(int argc, char** argv)
{
    using namespace ration::interop;
    std::signal(SIGPIPE, SIG_IGN);  // a process that has ended is noticed by its silence
    std::vector<std::string> const arguments{argv + 1, argv + argc};
    try {
        if (arguments.size() == 2 && arguments[0] == "--drive") return drive_ration(arguments[1]);
        return run_matrix(parse_options(arguments)) ? 0 : 1;
    } catch (std::exception const& error) {
        std::cerr << "interop: " << error.what() << '\n';
        return 2;
    }
}
