#include "cli/process.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ration::cli_test {

namespace {

using namespace std::chrono_literals;

constexpr auto patience = 60s;

/// In the child: becomes the command. The environment is the caller's, without what would change the output.
[[noreturn]] void become(std::vector<std::string> const& arguments, Environment const& environment)
{
    for (char const* const name : {"RATION_STORE", "NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG"})
        ::unsetenv(name);
    ::setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    for (auto const& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> argv{const_cast<char*>(RATION_COMMAND)};
    for (auto const& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(argv[0], argv.data());
    ::_exit(127);
}

int wait_for_exit(int pid)
{
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string read_all(int file)
{
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; (n = ::read(file, buffer.data(), buffer.size())) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
    ::close(file);
    return text;
}

}  // namespace

Running::Running(std::vector<std::string> const& arguments, Environment const& environment)
{
    int out[2];
    int err[2];
    // Not for programs that other threads start meanwhile: they would keep the pipes open.
    if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error{"no pipe"};
    pid_ = ::fork();
    if (pid_ == 0) {
        ::dup2(out[1], STDOUT_FILENO);
        ::dup2(err[1], STDERR_FILENO);
        become(arguments, environment);
    }
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
}

Running::~Running()
{
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    wait_for_exit(pid_);
    ::close(out_);
    ::close(err_);
}

Finished Running::finish()
{
    Finished finished;
    std::thread reader{[&] { finished.err = read_all(err_); }};
    finished.out = read_all(out_);
    reader.join();
    finished.exit = wait_for_exit(std::exchange(pid_, -1));
    return finished;
}

std::string Running::read_line()
{
    std::string line;
    for (char c = 0; ::read(out_, &c, 1) == 1 && c != '\n';) line += c;
    return line;
}

void Running::signal(int number)
{
    ::kill(pid_, number);
}

Finished run(std::vector<std::string> const& arguments, Environment const& environment)
{
    return Running{arguments, environment}.finish();
}

std::string file_text(std::filesystem::path const& path)
{
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}

TerminalProcess::TerminalProcess(std::vector<std::string> const& arguments, Environment const& environment,
                                 int columns, int rows)
{
    struct winsize size {};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = static_cast<unsigned short>(rows);
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (pid_ < 0) throw std::runtime_error{"no pseudo-terminal"};
    if (pid_ == 0) {
        ::setenv("TERM", "xterm-256color", 1);
        become(arguments, environment);
    }
}

TerminalProcess::~TerminalProcess()
{
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        wait_for_exit(pid_);
    }
    ::close(terminal_);
}

bool TerminalProcess::read_some(std::chrono::milliseconds how_long)
{
    struct pollfd file {
        terminal_, POLLIN, 0
    };
    if (::poll(&file, 1, static_cast<int>(how_long.count())) <= 0) return false;
    std::array<char, 4096> buffer{};
    auto const n = ::read(terminal_, buffer.data(), buffer.size());
    if (n <= 0) return false;  // Linux reports the end of a terminal as an error
    output_.append(buffer.data(), static_cast<std::size_t>(n));
    return true;
}

bool TerminalProcess::read_until(std::string const& text)
{
    auto const begin = output_.size();
    auto const deadline = std::chrono::steady_clock::now() + patience;
    while (output_.find(text, begin) == output_.npos) {
        if (std::chrono::steady_clock::now() > deadline || !read_some(patience)) return false;
    }
    return true;
}

void TerminalProcess::resize(int columns, int rows)
{
    struct winsize size {};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = static_cast<unsigned short>(rows);
    ::ioctl(terminal_, TIOCSWINSZ, &size);
}

void TerminalProcess::type(std::string const& keys)
{
    if (::write(terminal_, keys.data(), keys.size()) < 0) throw std::runtime_error{"cannot type"};
}

void TerminalProcess::signal(int number)
{
    ::kill(pid_, number);
}

int TerminalProcess::finish()
{
    while (read_some(patience)) {}
    return wait_for_exit(std::exchange(pid_, -1));
}

}  // namespace ration::cli_test
