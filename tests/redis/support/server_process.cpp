#include "redis/support/server_process.hpp"

#include <algorithm>
#include <csignal>
#include <stdexcept>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ration::redis_test {

namespace {

std::string_view name_of(std::string_view variable)
{
    return variable.substr(0, variable.find('='));
}

std::vector<std::string> merged_environment(std::vector<std::string> changes)
{
    for (char const* const* inherited = ::environ; *inherited != nullptr; ++inherited) {
        auto const changed = [&](std::string const& change) {
            return name_of(change) == name_of(*inherited);
        };
        if (std::none_of(changes.begin(), changes.end(), changed)) changes.emplace_back(*inherited);
    }
    return changes;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (auto& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// In the child. Only system calls: another thread of the parent may have held any lock when we forked.
[[noreturn]] void become(char* const* arguments, char* const* environment, char const* log, pid_t parent)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // it died before it could take us along
    int const output = ::open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    // A connection that a test closes must not stay open in the server, which would inherit most of them.
    ::close_range(STDERR_FILENO + 1, ~0U, 0);
    ::execvpe(arguments[0], arguments, environment);
    constexpr std::string_view complaint = "the program cannot be run; is it installed?\n";
    [[maybe_unused]] auto const written = ::write(STDERR_FILENO, complaint.data(), complaint.size());
    ::_exit(127);
}

}  // namespace

ServerProcess::ServerProcess(Command const& command)
{
    auto arguments = command.arguments;
    auto environment = merged_environment(command.environment);
    auto const argument_pointers = pointers_to(arguments);
    auto const environment_pointers = pointers_to(environment);
    auto const parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error{"cannot fork"};
    if (pid_ == 0) become(argument_pointers.data(), environment_pointers.data(), command.log.c_str(), parent);
}

ServerProcess::~ServerProcess()
{
    kill_hard();
}

bool ServerProcess::is_running()
{
    return !wait(std::chrono::milliseconds{0});
}

void ServerProcess::signal(int number)
{
    if (!ended_) ::kill(pid_, number);
}

bool ServerProcess::wait(std::chrono::milliseconds patience)
{
    auto const deadline = std::chrono::steady_clock::now() + patience;
    while (!ended_) {
        ended_ = ::waitpid(pid_, nullptr, WNOHANG) == pid_;
        if (ended_ || std::chrono::steady_clock::now() >= deadline) break;
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
    return ended_;
}

void ServerProcess::kill_hard()
{
    if (ended_) return;
    ::kill(pid_, SIGKILL);
    ended_ = ::waitpid(pid_, nullptr, 0) == pid_;
}

}  // namespace ration::redis_test
