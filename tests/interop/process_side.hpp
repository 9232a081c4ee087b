#pragma once

#include "interop/side.hpp"
#include "redis/support/file_handle.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace ration::interop {

/// A side in a process of its own, which speaks the protocol of java/ration/Driver.java. Ends with us, or when the thread that
/// made it ends.
class ProcessSide final : public Side {
public:
    struct Command {
        std::string name;                      ///< for messages
        std::vector<std::string> arguments;    ///< the first is the program, looked up in $PATH
        std::vector<std::string> environment;  ///< NAME=value, in addition to ours
        std::filesystem::path log;             ///< gets its standard error
    };

    /// Returns when it is ready. Throws Mismatch if that does not happen.
    explicit ProcessSide(Command command);
    ~ProcessSide() override;

    std::string name() const override { return command_.name; }
    std::future<std::string> start(std::string const& line) override;

private:
    void launch();
    std::string read_line();
    void read_answers();

    Command command_;
    redis_test::FileHandle input_;
    redis_test::FileHandle output_;
    pid_t pid_ = -1;
    std::string received_;
    std::mutex mutex_;
    std::uint64_t last_number_ = 0;
    std::map<std::uint64_t, std::promise<std::string>> pending_;
    std::thread reader_;
};

}  // namespace ration::interop
