#pragma once

#include "redis/support/file_handle.hpp"

#include <array>
#include <csignal>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ration::redis_test {

/// This very program once more, with other arguments: main() has to know what to do with them. Never outlives us.
class ChildProcess {
public:
    explicit ChildProcess(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin(), "/proc/self/exe");
        std::vector<char*> pointers;
        pointers.reserve(arguments.size() + 1);
        for (auto& argument : arguments) pointers.push_back(argument.data());
        pointers.push_back(nullptr);
        std::array<int, 2> pipe{};
        if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::runtime_error{"no pipe"};
        output_ = FileHandle{pipe[0]};
        FileHandle const input{pipe[1]};
        pid_ = ::fork();
        if (pid_ < 0) throw std::runtime_error{"cannot fork"};
        if (pid_ == 0) {  // only system calls: another thread may have held any lock
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            ::dup2(input.get(), STDOUT_FILENO);
            ::execv(pointers[0], pointers.data());
            ::_exit(127);
        }
    }

    ~ChildProcess()
    {
        if (pid_ > 0) kill_hard();
    }
    ChildProcess(ChildProcess const&) = delete;
    ChildProcess& operator=(ChildProcess const&) = delete;

    /// The next line it writes; empty at its end.
    std::string read_line()
    {
        std::string line;
        for (char c = 0; ::read(output_.get(), &c, 1) == 1 && c != '\n';) line += c;
        return line;
    }

    void kill_hard()
    {
        ::kill(pid_, SIGKILL);
        wait();
    }

    /// Waits for its end. Returns its exit code, or -1 if a signal ended it.
    int wait()
    {
        int status = 0;
        ::waitpid(std::exchange(pid_, -1), &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    FileHandle output_;
    pid_t pid_ = -1;
};

}  // namespace ration::redis_test
