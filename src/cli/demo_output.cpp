#include "cli/demo_output.hpp"

#include "cli/demo_view.hpp"
#include "cli/demo_words.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace ration::cli {

namespace {

constexpr auto frame = std::chrono::milliseconds{50};  // how often the picture is drawn

void say_check(DemoState const& state, CheckResult const& check, bool interrupted)
{
    if (interrupted) say("interrupted after " + seconds_text(state.elapsed));
    say(check_sentence(check, state.grants.size()));
}

/// A line per event, for pipes and files.
class PlainOutput final : public DemoOutput {
public:
    void begin(DemoState const& state) override { say(opening_line(state)); }
    void event(DemoState const& state, DemoEvent const& event) override { say(event_line(state, event)); }
    void tick(DemoState const&) override { std::fflush(stdout); }
    void end(DemoState const& state, CheckResult const& check, bool interrupted) override
    {
        say_check(state, check, interrupted);
    }
};

/// An object per event, for programs.
class JsonOutput final : public DemoOutput {
public:
    void begin(DemoState const& state) override { say(opening_json(state)); }
    void event(DemoState const&, DemoEvent const& event) override { say(event_json(event)); }
    void tick(DemoState const&) override { std::fflush(stdout); }
    void end(DemoState const& state, CheckResult const& check, bool interrupted) override
    {
        say(check_json(check, state.grants.size(), interrupted));
    }
};

/// A picture that is drawn again and again; the last one stays.
class LiveOutput final : public DemoOutput {
public:
    void tick(DemoState const& state) override
    {
        auto const now = std::chrono::steady_clock::now();
        if (now < next_frame_) return;
        next_frame_ = now + frame;
        screen_->show(draw_demo(state, output_screen()));
    }

    void end(DemoState const& state, CheckResult const& check, bool interrupted) override
    {
        screen_.reset();
        auto screen = output_screen();
        screen.rows = std::max(screen.rows, 60);  // it may scroll now
        for (auto const& line : draw_demo(state, screen)) say(line);
        say("");
        say_check(state, check, interrupted);
    }

private:
    std::unique_ptr<LiveScreen> screen_ = std::make_unique<LiveScreen>();
    std::chrono::steady_clock::time_point next_frame_{};
};

}  // namespace

std::unique_ptr<DemoOutput> make_demo_output(bool json)
{
    if (json) return std::make_unique<JsonOutput>();
    if (output_is_terminal()) return std::make_unique<LiveOutput>();
    return std::make_unique<PlainOutput>();
}

}  // namespace ration::cli
