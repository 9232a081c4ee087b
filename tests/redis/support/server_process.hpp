#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ration::redis_test {

/// A child process that never outlives us: the kernel kills it when the thread that started it ends.
class ServerProcess {
public:
    struct Command {
        std::vector<std::string> arguments;    ///< the first is the program, looked up in $PATH
        std::vector<std::string> environment;  ///< NAME=value, instead of or in addition to ours
        std::filesystem::path log;             ///< gets both outputs, in place of what it held
    };

    explicit ServerProcess(Command const& command);
    ~ServerProcess();
    ServerProcess(ServerProcess const&) = delete;
    ServerProcess& operator=(ServerProcess const&) = delete;

    pid_t pid() const { return pid_; }
    bool is_running();

    void signal(int number);

    /// Waits for its end. False if that does not come in time.
    bool wait(std::chrono::milliseconds patience);

    void kill_hard();

private:
    pid_t pid_ = -1;
    bool ended_ = false;
};

}  // namespace ration::redis_test
