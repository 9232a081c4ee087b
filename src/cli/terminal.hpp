#pragma once

#include "cli/screen.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace ration::cli {

/// Standard output is a terminal on which a picture can be drawn.
bool output_is_terminal();

/// What standard output is now; a terminal may be resized at any time. Colours are for a terminal, and never with NO_COLOR
/// (https://no-color.org); Unicode if the locale says so.
Screen output_screen();

/// While it lives: pictures instead of lines, on the terminal's alternate screen and without a cursor.
/// What was on the screen before comes back when it ends, also if an exception ends it.
class LiveScreen {
public:
    LiveScreen();
    ~LiveScreen();
    LiveScreen(LiveScreen const&) = delete;
    LiveScreen& operator=(LiveScreen const&) = delete;

    void show(std::vector<std::string> const& lines);
};

/// While it lives, keys are read one by one and not shown, and a change of the terminal's size is noticed.
class Keyboard {
public:
    static constexpr int nothing = 0;
    static constexpr int resized = -1;

    Keyboard();
    ~Keyboard();
    Keyboard(Keyboard const&) = delete;
    Keyboard& operator=(Keyboard const&) = delete;

    /// Waits for a key: returns it, or `resized`, or `nothing` if the time is over or a signal came.
    int wait(std::chrono::milliseconds patience);

private:
    struct Saved;
    std::unique_ptr<Saved> saved_;
};

}  // namespace ration::cli
