#pragma once

#include "cli/command.hpp"
#include "cli/demo_state.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ration::cli {

/// Processes with worker threads that share one limiter on a server. Each worker asks for a permit, works for a moment, and
/// asks again; what happens comes here through a pipe per process.
///
/// Made by fork: requires that this process has no other thread yet.
class DemoProcesses {
public:
    DemoProcesses(DemoPlan const& plan, GlobalOptions const& global, std::string const& limiter);
    ~DemoProcesses();
    DemoProcesses(DemoProcesses const&) = delete;
    DemoProcesses& operator=(DemoProcesses const&) = delete;

    /// What happened since the last call, in the order of its moments; waits up to `patience` for something. Throws Error
    /// if a process cannot go on.
    std::vector<DemoEvent> events(std::chrono::milliseconds patience);

    Duration elapsed() const;

    /// Ends all of them, at once.
    void stop();

private:
    struct Child {
        pid_t pid = -1;
        int pipe = -1;
        std::string unread{};  ///< of a record that has not come whole
    };
    void take_records(Child& child, std::vector<DemoEvent>& events);

    std::chrono::steady_clock::time_point const begin_;
    std::vector<Child> children_;
};

}  // namespace ration::cli
