#include "interop/report.hpp"

#include <chrono>
#include <iomanip>
#include <iostream>

namespace ration::interop {

bool Report::run(std::string const& title, std::string const& what,
                 std::function<std::string()> const& action)
{
    auto const begin = std::chrono::steady_clock::now();
    std::string told;
    bool good = true;
    try {
        told = action();
    } catch (std::exception const& problem) {
        told = problem.what();
        good = false;
    }
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
    std::lock_guard const lock{printing_};
    std::cout << std::left << std::setw(18) << title << std::setw(11) << what
              << (good ? "ok      " : "FAILED  ") << std::right << std::fixed << std::setprecision(1)
              << std::setw(5) << took.count() << " s  " << told << std::endl;
    return good;
}

}  // namespace ration::interop
