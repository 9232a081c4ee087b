#pragma once

#include <string>
#include <vector>

namespace ration::cli {

/// A program that this process is to become.
class Program {
public:
    /// Looks it up as a shell would: by its path if that has a slash, else in $PATH. Requires: not empty.
    explicit Program(std::vector<std::string> words);

    /// Zero, or why it cannot be run: ENOENT if there is none, EACCES if it is none.
    int problem() const { return problem_; }

    /// Does not return, except with an errno if it fails all the same.
    int become() const;

private:
    std::vector<std::string> words_;
    std::string path_;
    int problem_ = 0;
};

}  // namespace ration::cli
