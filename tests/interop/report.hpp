#pragma once

#include <functional>
#include <mutex>
#include <string>

namespace ration::interop {

/// Runs what returns a few words or throws, says how it went in one line, and whether it went well. From any thread.
class Report {
public:
    bool run(std::string const& title, std::string const& what, std::function<std::string()> const& action);

private:
    std::mutex printing_;
};

}  // namespace ration::interop
