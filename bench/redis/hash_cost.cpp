// What put and get of a hash with expiring fields cost, against plain HSET and HGET by the same client.

#include "hash_place.hpp"
#include "topics.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace ration::bench {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t fields = 10'000;
constexpr std::size_t in_flight = 64;
constexpr auto turn = 10ms;  // so short that a neighbour lets some pass
std::string const value(200, 'v');

std::string field(std::size_t i)
{
    return "agent:" + std::to_string(i % fields);
}

std::string beside(std::string const& kind)
{
    return "plain beside " + kind;
}
std::string one_name(std::string const& kind, char const* what)
{
    return kind + ": " + what + ", one caller";
}
std::string statistics_name(std::string const& kind, char const* what)
{
    return kind + ": " + what + ", by commandstats";
}
std::string processor_name(std::string const& kind, char const* what)
{
    return kind + ": " + what + ", processor time";
}

struct Medians {
    double ours;
    double plain;
};

/// How long each takes, in microseconds, by turns, so that neighbours meet both.
template <class Ours, class Plain>
Medians medians_of(Scene const& scene, Ours ours, Plain plain)
{
    std::vector<double> our_times;
    std::vector<double> plain_times;
    auto const warm = Clock::now() + scene.span() / 5;
    auto const end = warm + scene.span();
    auto const timed = [&](std::vector<double>& all, auto call, std::size_t i) {
        auto const begin = Clock::now();
        call(i);
        if (begin > warm)
            all.push_back(std::chrono::duration<double, std::micro>{Clock::now() - begin}.count());
    };
    // A neighbour may have had all of the time.
    for (std::size_t i = 0; Clock::now() < end || plain_times.size() < 100; ++i) {
        timed(our_times, ours, i);
        timed(plain_times, plain, i);
    }
    return {median(std::move(our_times)), median(std::move(plain_times))};
}

/// Keeps 64 calls of `start(i, then)` in flight for a while. Returns how many were made.
template <class Start>
double keep_in_flight(Start start)
{
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> out{in_flight};
    auto const end = Clock::now() + turn;
    std::function<void()> go_on = [&] {
        if (Clock::now() < end) {
            start(next.fetch_add(1), go_on);
        } else if (out.fetch_sub(1) == 1) {
            out.notify_one();
        }
    };
    for (std::size_t i = 0; i < in_flight; ++i) go_on();
    for (auto left = out.load(); left > 0; left = out.load()) out.wait(left);
    return static_cast<double>(next.load());
}

/// What one call costs the server, in microseconds.
struct ServerCost {
    double by_statistics = std::numeric_limits<double>::max();  ///< by its own, of commands
    double by_processor =
        std::numeric_limits<double>::max();  ///< also has what comes before and after a command

    /// The lowest of several turns: whoever takes the processor away in the middle of a command is in its statistics.
    template <class Start>
    void take_turn(HashPlace const& place, std::vector<char const*> const& counted, Start start)
    {
        place.control.text("CONFIG", "RESETSTAT");
        auto const before = place.processor_time();
        auto const calls = keep_in_flight(start);
        by_processor = std::min(by_processor, (place.processor_time() - before) / calls);
        double microseconds = 0;
        for (char const* const command : counted) microseconds += place.stats(command).microseconds;
        by_statistics = std::min(by_statistics, microseconds / calls);
    }
};

/// With 64 in flight, by turns.
template <class Ours, class Plain>
void measure_in_flight(Scene& scene, HashPlace const& place, std::string const& kind, char const* what,
                       Ours ours, char const* plain_command, Plain plain)
{
    ServerCost our_cost;
    ServerCost plain_cost;
    auto const end = Clock::now() + scene.span();
    for (int turns = 0; turns < 20 || Clock::now() < end; ++turns) {
        // What a script or a transaction calls is in its own time.
        our_cost.take_turn(place, {"evalsha", "multi", "exec"}, ours);
        plain_cost.take_turn(place, {plain_command}, plain);
    }
    auto const record = [&](std::string const& whose, ServerCost const& cost) {
        scene.report().record(statistics_name(whose, what), cost.by_statistics);
        scene.report().record(processor_name(whose, what), cost.by_processor);
    };
    record(kind, our_cost);
    record(beside(kind), plain_cost);
}

void measure_kind(Scene& scene, HashKind const& kind)
{
    auto const place = place_of(scene, kind.natively);
    place.clear();
    Client client = place.client();
    auto hash = client.expiring_hash("agents", {.strategy = kind.strategy, .longest_sweep = 1h});
    for (std::size_t i = 0; i < fields; ++i) hash.put(field(i), value, 1h);
    PlainClient plain{place};
    for (std::size_t i = 0; i < fields; ++i) plain.run({"HSET", "plain", field(i), value});

    auto const record = [&](char const* what, Medians const& medians) {
        scene.report().record(one_name(kind.name(), what), medians.ours);
        scene.report().record(one_name(beside(kind.name()), what), medians.plain);
    };
    record("put", medians_of(
                      scene, [&](std::size_t i) { hash.put(field(i), value, 1h); },
                      [&](std::size_t i) {
                          plain.run({"HSET", "plain", field(i), value});
                      }));
    record("get", medians_of(
                      scene, [&](std::size_t i) { (void)hash.get(field(i)); },
                      [&](std::size_t i) {
                          plain.run({"HGET", "plain", field(i)});
                      }));

    measure_in_flight(
        scene, place, kind.name(), "put",
        [&](std::size_t i, auto const& then) {
            hash.async_put(field(i), value, 1h, [then](boost::system::error_code) { then(); });
        },
        "hset",
        [&](std::size_t i, auto const& then) {
            plain.start({"HSET", "plain", field(i), value}, then);
        });
    measure_in_flight(
        scene, place, kind.name(), "get",
        [&](std::size_t i, auto const& then) {
            hash.async_get(field(i),
                           [then](boost::system::error_code, std::optional<std::string> const&) { then(); });
        },
        "hget",
        [&](std::size_t i, auto const& then) {
            plain.start({"HGET", "plain", field(i)}, then);
        });
}

}  // namespace

void add_hash_cost(Measurements& all, Report& report)
{
    auto const kinds = hash_kinds();
    for (auto const& kind : kinds)
        all.push_back({"hash cost: " + kind.name(), [kind](Scene& scene) { measure_kind(scene, kind); }});

    struct What {
        char const* name;
        double target;
    };
    report.heading(
        "A hash with expiring fields: one caller, p50, against plain HSET and HGET by the same client");
    for (auto const& [what, target] : {What{"put", 1.5}, What{"get", 1.25}}) {
        for (auto const& kind : kinds) {
            auto const base = one_name(beside(kind.name()), what);
            report.row({base, "us", base});
            report.row({one_name(kind.name(), what), "us", one_name(kind.name(), what), base,
                        Row::Against::ratio, at_most(target)});
        }
    }
    // The server's statistics have a command without the reading of its words; but those of a script are read once more inside it.
    report.heading("The same with 64 in flight: what each costs the server");
    for (auto* const name : {processor_name, statistics_name}) {
        for (char const* const what : {"put", "get"}) {
            for (auto const& kind : kinds) {
                auto const base = name(beside(kind.name()), what);
                report.row({base, "us", base});
                Row row{name(kind.name(), what), "us", name(kind.name(), what), base, Row::Against::ratio};
                if (name == processor_name) row.target = at_most(5);
                report.row(row);
            }
        }
    }
}

}  // namespace ration::bench
