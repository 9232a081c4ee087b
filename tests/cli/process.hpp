#pragma once

// Runs the real `ration` command, as a shell or a person at a terminal would.

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ration::cli_test {

using Environment = std::vector<std::pair<std::string, std::string>>;

struct Finished {
    int exit = -1;  ///< 128 + n if signal n ended it
    std::string out;
    std::string err;
};

/// The command with pipes for both outputs.
class Running {
public:
    explicit Running(std::vector<std::string> const& arguments, Environment const& environment = {});
    ~Running();
    Running(Running const&) = delete;
    Running& operator=(Running const&) = delete;

    int pid() const { return pid_; }
    void signal(int number);
    std::string read_line();  ///< of standard output, without its end
    Finished finish();        ///< waits for its end

private:
    int pid_ = -1;
    int out_ = -1;
    int err_ = -1;
};

/// Runs it to its end.
Finished run(std::vector<std::string> const& arguments, Environment const& environment = {});

/// All of a file; empty if there is none.
std::string file_text(std::filesystem::path const& path);

/// The command on a terminal of its own.
class TerminalProcess {
public:
    // What it writes to draw on the alternate screen, without a cursor, and to leave that again.
    static constexpr char const* enter = "\x1b[?1049h\x1b[?25l";
    static constexpr char const* leave = "\x1b[?25h\x1b[?1049l";

    TerminalProcess(std::vector<std::string> const& arguments, Environment const& environment, int columns,
                    int rows);
    ~TerminalProcess();
    TerminalProcess(TerminalProcess const&) = delete;
    TerminalProcess& operator=(TerminalProcess const&) = delete;

    /// Reads until `text` was written; false if that does not happen within a minute or the process ends first.
    bool read_until(std::string const& text);

    void resize(int columns, int rows);
    void type(std::string const& keys);  ///< "\x03" is Ctrl-C
    void signal(int number);

    /// Reads to the end. Returns the exit code.
    int finish();

    /// All that was written to the terminal so far.
    std::string const& output() const { return output_; }

private:
    bool read_some(std::chrono::milliseconds patience);

    int terminal_ = -1;
    int pid_ = -1;
    std::string output_;
};

}  // namespace ration::cli_test
