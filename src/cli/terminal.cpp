#include "cli/terminal.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace ration::cli {

namespace {

std::string_view environment(char const* name)
{
    char const* const value = std::getenv(name);
    return value ? value : "";
}

bool locale_is_utf8()
{
    for (char const* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        auto const locale = environment(name);
        if (!locale.empty()) return locale.find("UTF-8") != locale.npos || locale.find("utf8") != locale.npos;
    }
    return false;
}

/// Whole, or not at all if the terminal is gone.
void write_all(std::string_view text)
{
    while (!text.empty()) {
        auto const written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

bool output_is_terminal()
{
    return ::isatty(STDOUT_FILENO) == 1 && environment("TERM") != "dumb";
}

Screen output_screen()
{
    Screen screen{.colour = output_is_terminal() && environment("NO_COLOR").empty(),
                  .unicode = locale_is_utf8()};
    struct winsize size {};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        screen.columns = size.ws_col;
        screen.rows = size.ws_row;
    }
    return screen;
}

LiveScreen::LiveScreen()
{
    write_all("\x1b[?1049h\x1b[?25l");
}

LiveScreen::~LiveScreen()
{
    write_all("\x1b[?25h\x1b[?1049l");
}

void LiveScreen::show(std::vector<std::string> const& lines)
{
    // Overwrites instead of clearing first, so that nothing flickers.
    std::string text = "\x1b[H";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) text += "\r\n";
        text += lines[i] + "\x1b[K";
    }
    write_all(text + "\x1b[J");
}

namespace {

std::sig_atomic_t volatile size_changed = 0;

extern "C" void remember_resize(int)
{
    size_changed = 1;
}

}  // namespace

struct Keyboard::Saved {
    bool is_terminal = false;
    struct termios settings {};
    struct sigaction on_resize {};
};

Keyboard::Keyboard() : saved_{std::make_unique<Saved>()}
{
    struct sigaction action {};
    action.sa_handler = remember_resize;
    ::sigaction(SIGWINCH, &action, &saved_->on_resize);
    saved_->is_terminal = ::tcgetattr(STDIN_FILENO, &saved_->settings) == 0;
    if (!saved_->is_terminal) return;
    auto settings = saved_->settings;
    settings.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // Ctrl-C stays a signal
    settings.c_cc[VMIN] = 0;
    settings.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &settings);
}

Keyboard::~Keyboard()
{
    if (saved_->is_terminal) ::tcsetattr(STDIN_FILENO, TCSANOW, &saved_->settings);
    ::sigaction(SIGWINCH, &saved_->on_resize, nullptr);
}

int Keyboard::wait(std::chrono::milliseconds patience)
{
    struct pollfd file {
        saved_->is_terminal ? STDIN_FILENO : -1, POLLIN, 0
    };
    bool const something = ::poll(&file, 1, static_cast<int>(patience.count())) > 0;
    if (size_changed != 0) {
        size_changed = 0;
        return resized;
    }
    unsigned char key = 0;
    return something && ::read(STDIN_FILENO, &key, 1) == 1 ? key : nothing;
}

}  // namespace ration::cli
