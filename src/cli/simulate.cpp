// `ration simulate`: what each algorithm lets through of the same traffic.

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/simulation_report.hpp"
#include "cli/simulation_view.hpp"
#include "cli/terminal.hpp"
#include "core/quote.hpp"

#include <ration/error.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto details =
    "Decides the same requests by all four algorithms and draws what each lets through: what\n"
    "was granted in the interval before each moment against the rate, and below what was\n"
    "granted and denied. Time is virtual: a day takes less than a second. No request waits.\n"
    "\n"
    "SHAPE is steady, bursty (crowds at random moments), on-off (twice the demand, then none)\n"
    "or daily (few at night, most in the afternoon); or a file with a moment per line, in\n"
    "seconds or as 2026-01-31T12:34:56Z ('-' is standard input).\n"
    "\n"
    "Examples:\n"
    "  ration simulate 10/s\n"
    "  ration simulate 100/m --traffic bursty --duration 20m --out report.html\n"
    "  ration simulate '60/m;burst=10' --traffic on-off --demand 2/s\n"
    "  ration simulate 10000/h --traffic daily --out day.svg\n"
    "  awk '{print $4}' access.log | ration simulate 50/s --traffic -\n"
    "\n"
    "Exit codes: 0 done, 2 wrong usage, 3 the file cannot be written.";

constexpr Duration longest = Rate::max_interval;
constexpr double default_load = 1.5;  // times the rate

struct SimulateArguments {
    std::string rate;
    std::string traffic = "steady";
    std::string demand;
    std::string duration;
    std::string permits = "1";
    std::string seed = "1";
    std::string out;
};

double per_second(Rate const& rate)
{
    return static_cast<double>(rate.permits()) / std::chrono::duration<double>{rate.interval()}.count();
}

Duration default_length(Shape shape, Duration interval)
{
    auto const some = std::min<Duration>(20 * interval, longest);
    return shape == Shape::daily ? std::max<Duration>(24h, some) : some;
}

Traffic traffic_of_file(std::string const& path)
{
    if (path == "-") return read_traffic(std::cin, "standard input");
    std::ifstream file{path};
    if (!file) {
        throw UsageError{"--traffic " + core::quoted(path)
                         + ": this is neither steady, bursty, on-off or daily nor a file that can be read ("
                         + std::strerror(errno) + ")"};
    }
    return read_traffic(file, path);
}

Traffic traffic_of(SimulateArguments const& arguments, Rate const& rate, Permits n)
{
    auto const length =
        arguments.duration.empty() ? Duration{} : parse_span("--duration", arguments.duration, longest);
    auto const demand = arguments.demand.empty() ? default_load * per_second(rate) / static_cast<double>(n)
                                                 : per_second(Rate::parse(arguments.demand));
    auto const seed = static_cast<std::uint64_t>(parse_count("--seed", arguments.seed, 0, INT64_MAX));
    auto const shape = shape_named(arguments.traffic);
    if (!shape) {
        if (!arguments.demand.empty() || !arguments.duration.empty())
            throw UsageError{"--demand and --duration are for a shape; a file has its own"};
        return traffic_of_file(arguments.traffic);
    }
    return make_traffic(
        {.shape = *shape,
         .per_second = demand,
         .length = length > Duration{} ? length : default_length(*shape, rate.interval()),
         .interval = rate.interval(),
         .crowd = std::max(2.0, 0.8 * static_cast<double>(rate.capacity()) / static_cast<double>(n)),
         .seed = seed});
}

/// As it may be typed again.
std::string command_text(SimulateArguments const& arguments)
{
    std::string text = "ration simulate '" + arguments.rate + "' --traffic " + arguments.traffic;
    if (!arguments.demand.empty()) text += " --demand " + arguments.demand;
    if (!arguments.duration.empty()) text += " --duration " + arguments.duration;
    if (arguments.permits != "1") text += " --permits " + arguments.permits;
    if (arguments.seed != "1") text += " --seed " + arguments.seed;
    return text + " --out " + arguments.out;
}

void write_report(Simulation const& simulation, SimulateArguments const& arguments)
{
    bool const svg = arguments.out.ends_with(".svg");
    write_file(arguments.out,
               svg ? simulation_svg(simulation) : simulation_html(simulation, command_text(arguments)));
}

JsonLine run_json(Simulation const& simulation, Run const& run)
{
    JsonLine line;
    line.add("algorithm", to_string(run.algorithm))
        .add("rate", to_string(run.rate))
        .add_ms("interval_ms", run.rate.interval())
        .add("asked", simulation.asked())
        .add("granted", run.granted)
        .add("denied", run.denied)
        .add("most", run.most)
        .add("limit", run.rate.permits())
        .add_ms("longest_denial_ms", run.longest_denial);
    return line;
}

Exit run_simulate(SimulateArguments const& arguments, GlobalOptions const& global)
{
    auto const rate = Rate::parse(arguments.rate);
    auto const n = parse_permits(arguments.permits);
    if (n > std::min(rate.permits(), rate.capacity())) {
        throw UsageError{"--permits " + core::quoted(arguments.permits) + ": the rate " + to_string(rate)
                         + " never has so many"};
    }
    if (!arguments.out.empty() && !arguments.out.ends_with(".svg") && !arguments.out.ends_with(".html"))
        throw UsageError{"--out " + core::quoted(arguments.out) + ": give a name that ends in .html or .svg"};
    auto const traffic = traffic_of(arguments, rate, n);
    auto const screen = output_screen();
    auto const simulation = simulate(rate, n, traffic, bins_for_columns(screen.columns));
    if (!arguments.out.empty()) write_report(simulate(rate, n, traffic, report_bins), arguments);

    if (global.json) {
        for (auto const& run : simulation.runs) say(run_json(simulation, run).text());
        for (auto const& note : simulation.notes) say_note(true, note);
        return Exit::done;
    }
    for (auto const& line : draw_simulation(simulation, screen)) say(line);
    if (!arguments.out.empty()) say("written to " + printable(arguments.out));
    return Exit::done;
}

}  // namespace

Command simulate_command(GlobalOptions const& global)
{
    auto const given = std::make_shared<SimulateArguments>();
    return {.name = "simulate",
            .group = "Trying and measuring",
            .summary = "Draw what each algorithm lets through",
            .details = details,
            .arguments =
                {
                    {"RATE", "", "The rate, e.g. 10/s", &given->rate, Argument::Need::required},
                    {"--traffic", "SHAPE", "steady, bursty, on-off, daily, or a file of moments",
                     &given->traffic},
                    {"--demand", "RATE",
                     "How much is asked for, on average; if not given,\nhalf as much again as "
                     "the rate",
                     &given->demand},
                    {"--duration", "D", "For how long; if not given, 20 intervals, of daily\na day",
                     &given->duration},
                    {"--permits", "N", "How many permits each request asks for", &given->permits},
                    {"--seed", "N", "Other random moments", &given->seed},
                    {"--out", "FILE", "Also draw it into FILE, .html or .svg", &given->out},
                },
            .run = [given, &global] { return run_simulate(*given, global); },
            .usage = "simulate RATE [--traffic SHAPE|FILE] [--demand RATE] [--duration D]\n"
                     "         [--permits N] [--seed N] [--out FILE]"};
}

}  // namespace ration::cli
