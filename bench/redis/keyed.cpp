// Many keys, each its own token bucket, asked in random order.

#include "keyed_rate.hpp"

#include "baseline.hpp"
#include "crowd.hpp"
#include "topics.hpp"

#include <ration/ration.hpp>

#include <random>

namespace ration::bench {

namespace {

constexpr char const* name = "100 000 keys, 256 in flight";
constexpr char const* per_call_name = "keys per call";
constexpr char const* cost_name = "client's processor";
constexpr std::size_t in_flight = 256;

void measure_keyed(Scene& scene)
{
    fill_keyed(scene);
    Client client = scene.client();
    auto limiter = client.keyed_rate_limiter(keyed_name, {.rate = keyed_rate()});
    static std::vector<std::string> const keys = [] {
        std::vector<std::string> all;
        for (int i = 0; i < keyed_count; ++i) all.push_back(keyed_key(i));
        return all;
    }();
    std::minstd_rand random{1};
    auto ask = [&](auto handler) { limiter.async_try_acquire(keys[random() % keys.size()], 1, handler); };
    Crowd<decltype(ask)> crowd{client, in_flight, ask};
    auto const pace = crowd.watch(scene.span());
    scene.report().record(name, pace.decisions_per_second);
    scene.report().record(cost_name, pace.client_nanoseconds);
    scene.report().record(per_call_name, static_cast<double>(crowd.granted()) / scene.script_stats().calls);
}

}  // namespace

void add_keyed(Measurements& all, Report& report)
{
    all.push_back({name, measure_keyed});
    report.heading("Many keys, against the same script with one key per call");
    report.row({name, "decisions/s", name, baseline::keyed, Row::Against::ratio, at_least(1.4)});
    report.row({per_call_name, "", per_call_name});
    report.row({cost_name, "ns/decision", cost_name});
}

}  // namespace ration::bench
