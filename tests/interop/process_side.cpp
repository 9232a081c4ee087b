#include "interop/process_side.hpp"

#include "interop/expect.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ration::interop {

using redis_test::FileHandle;

namespace {

std::pair<FileHandle, FileHandle> make_pipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error{"no pipe"};
    return {FileHandle{ends[0]}, FileHandle{ends[1]}};
}

/// What an answer of the process says, in the words of Side::start. A message of Redisson begins with the error; the script
/// that may follow speaks of other errors too.
std::string in_our_words(std::string const& answer)
{
    if (answer.starts_with("ok ")) return answer.substr(3);
    static constexpr std::pair<char const*, char const*> known[] = {
        {"NoSuchMethodException", "missing"},
        {"ClassNotFoundException", "missing"},
        {"exceed defined rate", "error permits_exceed_rate"},
        {"RateLimiter is not initialized", "error not_initialized"},
        {"IllegalArgumentException", "error invalid_argument"},
        {"attempt to perform arithmetic on", "error in the script"},
        {"data string too short", "error data string too short"},
    };
    auto first = answer.npos;
    auto words = answer;
    for (auto const& [text, meaning] : known) {
        if (auto const at = answer.find(text); at < first) {
            first = at;
            words = meaning;
        }
    }
    return words;
}

std::string end_of(std::filesystem::path const& log)
{
    std::ifstream file{log};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    constexpr std::size_t enough = 2000;
    return text.size() > enough ? text.substr(text.size() - enough) : text;
}

}  // namespace

ProcessSide::ProcessSide(Command command) : command_{std::move(command)}
{
    launch();
    if (read_line() != "ready") {
        throw Mismatch{command_.name + " did not start; the end of its log:\n" + end_of(command_.log)};
    }
    reader_ = std::thread{[this] { read_answers(); }};
}

ProcessSide::~ProcessSide()
{
    input_ = FileHandle{};  // its end
    if (reader_.joinable()) reader_.join();
    ::kill(pid_, SIGKILL);  // nothing if it has ended, as it should
    ::waitpid(pid_, nullptr, 0);
}

void ProcessSide::launch()
{
    std::vector<std::string> words{"env"};
    words.insert(words.end(), command_.environment.begin(), command_.environment.end());
    words.insert(words.end(), command_.arguments.begin(), command_.arguments.end());
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    auto const log = command_.log.string();

    auto [our_output, its_output] = make_pipe();
    auto [its_input, our_input] = make_pipe();
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error{"cannot fork"};
    if (pid_ == 0) {  // only system calls: another thread may have held any lock
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::dup2(its_input.get(), STDIN_FILENO);
        ::dup2(its_output.get(), STDOUT_FILENO);
        ::dup2(::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
        ::close_range(STDERR_FILENO + 1, ~0U, 0);
        ::execvp(pointers[0], pointers.data());
        ::_exit(127);
    }
    output_ = std::move(our_output);
    input_ = std::move(our_input);
}

/// Empty at its end.
std::string ProcessSide::read_line()
{
    for (;;) {
        if (auto const end = received_.find('\n'); end != received_.npos) {
            auto line = received_.substr(0, end);
            received_.erase(0, end + 1);
            return line;
        }
        std::array<char, 4096> buffer{};
        auto const count = ::read(output_.get(), buffer.data(), buffer.size());
        if (count <= 0) return {};
        received_.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

void ProcessSide::read_answers()
{
    for (auto line = read_line(); !line.empty(); line = read_line()) {
        auto const space = line.find(' ');
        std::lock_guard const lock{mutex_};
        auto const asked = pending_.find(std::strtoull(line.c_str(), nullptr, 10));
        if (space == line.npos || asked == pending_.end()) continue;
        asked->second.set_value(in_our_words(line.substr(space + 1)));
        pending_.erase(asked);
    }
    std::lock_guard const lock{mutex_};
    for (auto& [number, promise] : pending_) promise.set_value("error the process has ended");
    pending_.clear();
}

std::future<std::string> ProcessSide::start(std::string const& line)
{
    std::lock_guard const lock{mutex_};
    auto const number = ++last_number_;
    auto answer = pending_[number].get_future();
    auto const text = std::to_string(number) + " " + line + "\n";
    if (::write(input_.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        throw Mismatch{command_.name + " has ended; the end of its log:\n" + end_of(command_.log)};
    }
    return answer;
}

}  // namespace ration::interop
