// How late a field that has expired is removed with each strategy, and how late an item of a delay queue is delivered.

#include "hash_place.hpp"
#include "lateness.hpp"
#include "topics.hpp"

namespace ration::bench {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t count = 100;
constexpr auto spacing = 10ms;
constexpr auto head_start = 1s;

constexpr char const* timer_name = "late: a bare Asio timer";
constexpr char const* queue_name = "late: an item of a delay queue";

std::string removal_name(HashKind const& kind)
{
    return "late: removal, " + kind.name();
}

WallClock::time_point moment_of(WallClock::time_point begin, std::size_t i)
{
    return begin + head_start + static_cast<int>(i) * spacing;
}

/// Fields expire one every 10 ms; the server is asked all the time how many it still has.
void measure_removal(Scene& scene, HashKind const& kind)
{
    auto const place = place_of(scene, kind.natively);
    place.clear();
    Client client = place.client();
    auto hash = client.expiring_hash("agents", {.strategy = kind.strategy});
    auto const begin = WallClock::now();
    for (std::size_t i = 0; i < count; ++i) {
        auto const due = moment_of(begin, i);
        hash.put("agent:" + std::to_string(i), "v", due - WallClock::now());
    }
    std::vector<double> late;
    auto const end = WallClock::now() + 30s;
    while (late.size() < count && WallClock::now() < end) {
        auto const left = static_cast<std::size_t>(place.control.integer("HLEN", "agents"));
        auto const now = WallClock::now();
        while (late.size() < count - left) late.push_back(lateness(moment_of(begin, late.size()), now));
        std::this_thread::sleep_for(200us);
    }
    record_lateness(scene, removal_name(kind), late);
}

void measure_timer(Scene& scene)
{
    BareTimer timer;
    std::vector<double> late;
    auto const begin = WallClock::now();
    for (std::size_t i = 1; i <= count; ++i)
        late.push_back(timer.sleep_until(begin + static_cast<int>(i) * spacing));
    record_lateness(scene, timer_name, late);
}

/// The consumer is idle: it waits for each item.
void measure_queue(Scene& scene)
{
    scene.clear();
    Client producer = scene.client();
    Client consumer = scene.client();
    auto offers = producer.delay_queue("retries");
    auto takes = consumer.delay_queue("retries");
    (void)takes.try_take_for(50ms);  // connected, listening
    auto const begin = WallClock::now();
    for (std::size_t i = 0; i < count; ++i) offers.offer_at(std::to_string(i), moment_of(begin, i));
    std::vector<double> late;
    for (std::size_t i = 0; i < count; ++i) {
        auto const item = takes.take();
        late.push_back(lateness(moment_of(begin, std::stoul(item.value))));
    }
    record_lateness(scene, queue_name, late);
}

}  // namespace

void add_hash_lateness(Measurements& all, Report& report)
{
    auto const kinds = hash_kinds();
    all.push_back({"hash lateness: timer", measure_timer});
    all.push_back({"hash lateness: queue", measure_queue});
    for (auto const& kind : kinds)
        all.push_back(
            {"hash lateness: " + kind.name(), [kind](Scene& scene) { measure_removal(scene, kind); }});

    report.heading("How late: expired fields are removed, items of a delay queue delivered");
    for (std::string const which : {", p50", ", p99"}) {
        report.row({timer_name + which, "ms", timer_name + which});
        report.row({queue_name + which, "ms", queue_name + which, timer_name + which,
                    Row::Against::difference, which == ", p99" ? std::optional{at_most(3)} : std::nullopt});
        for (auto const& kind : kinds)
            report.row({removal_name(kind) + which, "ms", removal_name(kind) + which});
    }
}

}  // namespace ration::bench
