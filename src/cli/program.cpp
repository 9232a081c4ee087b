#include "cli/program.hpp"

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace ration::cli {

namespace {

/// Zero, or why not.
int can_run(std::string const& path)
{
    struct stat about {};
    if (::stat(path.c_str(), &about) != 0) return errno;
    if (!S_ISREG(about.st_mode)) return EACCES;
    return ::access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

}  // namespace

Program::Program(std::vector<std::string> words) : words_{std::move(words)}, path_{words_.front()}
{
    if (path_.find('/') != path_.npos) {
        problem_ = can_run(path_);
        return;
    }
    problem_ = ENOENT;
    char const* const variable = std::getenv("PATH");
    std::string_view folders = variable ? variable : "/usr/local/bin:/usr/bin:/bin";
    for (bool more = !words_.front().empty(); more;) {
        auto const colon = folders.find(':');
        auto const folder = folders.substr(0, colon);
        auto candidate = (folder.empty() ? std::string{"."} : std::string{folder}) + "/" + words_.front();
        more = colon != folders.npos;
        if (more) folders.remove_prefix(colon + 1);
        int const problem = can_run(candidate);
        if (problem == EACCES) problem_ = problem;
        if (problem == 0) {
            problem_ = 0;
            path_ = std::move(candidate);
            return;
        }
    }
}

int Program::become() const
{
    std::vector<char*> arguments;
    for (auto const& word : words_) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(path_.c_str(), arguments.data());
    int const problem = errno;
    if (problem != ENOEXEC) return problem;
    // A script without #!, which shells run themselves.
    arguments.front() = const_cast<char*>(path_.c_str());
    arguments.insert(arguments.begin(), const_cast<char*>("sh"));
    ::execv("/bin/sh", arguments.data());
    return errno;
}

}  // namespace ration::cli
