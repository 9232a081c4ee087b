#include "program.hpp"

#include "redis/support/file_handle.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace ration::bench {

namespace {

struct Pipe {
    Pipe()
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error{"cannot make a pipe"};
        out = redis_test::FileHandle{ends[0]};
        in = redis_test::FileHandle{ends[1]};
    }

    redis_test::FileHandle out;
    redis_test::FileHandle in;
};

}  // namespace

std::string run_program(std::vector<std::string> arguments)
{
    Pipe from_program;
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, from_program.in.get(), STDOUT_FILENO);
    pid_t pid = -1;
    int const problem = ::posix_spawnp(&pid, pointers[0], &actions, nullptr, pointers.data(), ::environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0) throw std::runtime_error{arguments[0] + " cannot be run; is redis-tools installed?"};

    {
        redis_test::FileHandle const closed{std::move(from_program.in)};
    }
    std::string output;
    std::array<char, 4096> chunk;
    for (ssize_t count; (count = ::read(from_program.out.get(), chunk.data(), chunk.size())) > 0;)
        output.append(chunk.data(), static_cast<std::size_t>(count));
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (status != 0) throw std::runtime_error{arguments[0] + " failed: " + output};
    return output;
}

}  // namespace ration::bench
