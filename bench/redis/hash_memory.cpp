// What 100 000 objects of 200 bytes cost in memory: in a hash with each strategy, and as one string key each.

#include "hash_place.hpp"
#include "topics.hpp"

namespace ration::bench {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t objects = 100'000;
std::string const value(200, 'v');

std::string id(std::size_t i)
{
    auto const digits = std::to_string(i);
    return "agent:" + std::string(6 - digits.size(), '0') + digits;
}

std::string memory_name(std::string const& what)
{
    return "memory: " + what;
}

template <class Fill>
void measure(Scene& scene, HashPlace const& place, std::string const& what, Fill fill)
{
    place.clear();
    auto const before = place.used_memory();
    fill();
    scene.report().record(memory_name(what), (place.used_memory() - before) / static_cast<double>(objects));
    place.clear();
}

void measure_strings(Scene& scene, bool natively)
{
    auto const place = place_of(scene, natively);
    measure(scene, place, natively ? "strings, newer server" : "strings", [&] {
        std::vector<std::vector<std::string>> commands;
        for (std::size_t i = 0; i < objects; ++i) {
            commands.push_back({"SET", "agents:" + id(i), value, "PX", "3600000"});
            if (commands.size() == 1000) place.control.pipeline(std::exchange(commands, {}));
        }
    });
}

void measure_hash(Scene& scene, HashKind const& kind)
{
    auto const place = place_of(scene, kind.natively);
    Client client = place.client();
    auto hash = client.expiring_hash("agents", {.strategy = kind.strategy, .longest_sweep = 1h});
    (void)hash.size();  // connected, before memory is looked at
    measure(scene, place, kind.name(), [&] {
        for (std::size_t i = 0; i < objects; i += 500) {
            std::vector<std::pair<std::string, std::string>> entries;
            for (std::size_t j = i; j < i + 500; ++j) entries.emplace_back(id(j), value);
            hash.put_all(entries, 1h);
        }
    });
}

}  // namespace

void add_hash_memory(Measurements& all, Report& report)
{
    auto const kinds = hash_kinds();
    all.push_back({"hash memory: strings", [](Scene& scene) { measure_strings(scene, false); }});
    if (kinds.back().natively)
        all.push_back(
            {"hash memory: strings, newer server", [](Scene& scene) { measure_strings(scene, true); }});
    for (auto const& kind : kinds)
        all.push_back({"hash memory: " + kind.name(), [kind](Scene& scene) { measure_hash(scene, kind); }});

    report.heading("Memory of 100 000 objects of 200 bytes, each with a TTL, against one string key each");
    report.row({"string keys with PX", "bytes each", memory_name("strings")});
    for (auto const& kind : kinds) {
        auto const base = memory_name(kind.natively ? "strings, newer server" : "strings");
        report.row(
            {"a hash, " + kind.name(), "bytes each", memory_name(kind.name()), base, Row::Against::ratio});
    }
    if (kinds.back().natively)
        report.row({"string keys with PX, newer server", "bytes each", memory_name("strings, newer server")});
}

}  // namespace ration::bench
