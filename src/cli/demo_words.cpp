#include "cli/demo_words.hpp"

#include "cli/json_line.hpp"
#include "cli/text.hpp"

namespace ration::cli {

namespace {

constexpr std::size_t time_width = 8;

std::string padded(std::string text, std::size_t width, char with)
{
    if (text.size() < width) text.insert(0, width - text.size(), with);
    return text;
}

}  // namespace

std::string opening_line(DemoState const& state)
{
    auto text = count_text(state.plan.workers, "worker");
    if (state.plan.processes > 0)
        text += " in " + std::to_string(state.plan.processes)
                + (state.plan.processes == 1 ? " process" : " processes");
    return text + (state.plan.workers == 1 ? " uses" : " share") + " a limiter of "
           + to_string(state.config.rate) + " (" + std::string{to_string(state.config.algorithm)} + ") on "
           + state.plan.where;
}

std::string worker_text(DemoState const& state, int worker)
{
    auto const width = std::max<std::size_t>(2, std::to_string(state.plan.workers).size());
    return padded(std::to_string(worker), width, '0');
}

std::string event_line(DemoState const& state, DemoEvent const& event)
{
    auto line =
        padded(seconds_text(event.at), time_width, ' ') + " worker " + worker_text(state, event.worker);
    if (event.kind == DemoEvent::Kind::waiting) {
        return line + " waits, next permit in " + seconds_text(event.decision.retry_after);
    }
    line += " granted";
    if (event.waited > Duration{}) line += " after " + seconds_text(event.waited);
    return line + ", " + std::to_string(event.decision.remaining) + " left";
}

std::string opening_json(DemoState const& state)
{
    return JsonLine{}
        .add("event", "start")
        .add("limiter", "demo")
        .add("workers", state.plan.workers)
        .add("processes", std::max(state.plan.processes, 1))
        .add("rate", to_string(state.config.rate))
        .add_ms("interval_ms", state.config.rate.interval())
        .add("algorithm", to_string(state.config.algorithm))
        .text();
}

std::string event_json(DemoEvent const& event)
{
    bool const granted = event.kind == DemoEvent::Kind::granted;
    JsonLine line;
    line.add("event", granted ? "granted" : "waiting").add_ms("at_ms", event.at).add("worker", event.worker);
    if (granted) line.add_ms("waited_ms", event.waited);
    return line.add("limiter", "demo")
        .add("granted", event.decision.granted)
        .add("remaining", event.decision.remaining)
        .add_ms("retry_after_ms", event.decision.retry_after)
        .add_ms("reset_after_ms", event.decision.reset_after)
        .add("basis", to_string(event.decision.basis))
        .text();
}

std::string check_json(CheckResult const& result, std::size_t grants, bool interrupted)
{
    return JsonLine{}
        .add("event", "checked")
        .add("limiter", "demo")
        .add("grants", static_cast<std::int64_t>(grants))
        .add("most", result.most)
        .add("limit", result.limit)
        .add("holds", result.holds)
        .add("interrupted", interrupted)
        .add("message", check_sentence(result, grants))
        .text();
}

}  // namespace ration::cli
