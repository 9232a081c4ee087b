// What a call costs the server, by its own account: the processor time of EVALSHA in INFO commandstats.

#include "acquire_call.hpp"
#include "baseline.hpp"
#include "topics.hpp"

#include <ration/ration.hpp>

#include <functional>

namespace ration::bench {

namespace {

using namespace std::chrono_literals;

constexpr Permits plenty = 4'294'967'295;

std::string in_server(std::string const& what)
{
    return "in the server: " + what;
}

constexpr char const* noop_name = "nothing";
constexpr char const* their_grant = "Redisson's grant";
constexpr char const* their_denial = "Redisson's denial";
constexpr char const* our_grant = "a grant";
constexpr char const* our_denial = "a denial";

std::string batch_name(std::uint32_t requests)
{
    return "a batch of " + std::to_string(requests) + ", granted";
}

/// Sixteen at a time, so that the server is as warm as it is under load.
void run(Scene& scene, std::string const& what, std::function<std::string()> const& next_call)
{
    constexpr std::size_t pipeline = 16;
    RawConnection connection{scene.port()};
    connection.round_trip(next_call());
    scene.control().text("CONFIG", "RESETSTAT");
    auto const end = std::chrono::steady_clock::now() + scene.span() / 2;
    while (std::chrono::steady_clock::now() < end) {
        std::string bytes;
        for (std::size_t i = 0; i < pipeline; ++i) bytes += next_call();
        connection.round_trip(bytes, pipeline);
    }
    scene.report().record(in_server(what), scene.script_stats().each());
}

void measure_noop_cost(Scene& scene)
{
    scene.clear();
    auto const call = wire({"EVALSHA", scene.load(baseline::noop_script), "0"});
    run(scene, noop_name, [&] { return call; });
}

void measure_theirs(Scene& scene, std::string const& what, std::string const& rate)
{
    scene.clear();
    baseline::set_redisson_rate(scene, rate);
    auto const sha1 = scene.load(baseline::redisson_script);
    auto const keys = baseline::redisson_keys();
    run(scene, what, [&] {
        using namespace std::chrono;
        auto const now = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
        std::vector<std::string> words{"EVALSHA", sha1, "5"};
        words.insert(words.end(), keys.begin(), keys.end());
        auto const id = redis::new_member_prefix(RedissonFormat::current).substr(1);
        words.insert(words.end(), {"1", std::to_string(now), id});
        return wire(words);
    });
}

void measure_ours(Scene& scene, std::string const& what, std::uint32_t requests, Permits rate)
{
    scene.clear();
    Client client = scene.client();
    RateLimiter limiter = client.rate_limiter("ours");
    limiter.set_rate(Rate::per(rate, 1h));
    (void)limiter.try_acquire();  // loads the script; and takes all, if there is but one
    AcquireCall const call{"ours", client.id(), requests, rate};
    run(scene, what, [&] { return call.next(); });
}

}  // namespace

void add_server_cost(Measurements& all, Report& report)
{
    constexpr auto ratio = Row::Against::ratio;
    auto const add = [&](std::string const& what, std::function<void(Scene&)> measure) {
        all.push_back({in_server(what), std::move(measure)});
    };
    add(noop_name, measure_noop_cost);
    add(their_grant, [](Scene& scene) { measure_theirs(scene, their_grant, std::to_string(plenty)); });
    add(their_denial, [](Scene& scene) { measure_theirs(scene, their_denial, "1"); });
    add(our_grant, [](Scene& scene) { measure_ours(scene, our_grant, 1, plenty); });
    add(our_denial, [](Scene& scene) { measure_ours(scene, our_denial, 1, 1); });
    for (std::uint32_t const requests : {8U, 64U, 1024U}) {
        add(batch_name(requests),
            [requests](Scene& scene) { measure_ours(scene, batch_name(requests), requests, plenty); });
    }

    report.heading("Server time of a call (commandstats), against Redisson's");
    report.row({"a script that does nothing", "us", in_server(noop_name)});
    report.row({their_grant, "us", in_server(their_grant)});
    report.row({their_denial, "us", in_server(their_denial)});
    report.row({our_grant, "us", in_server(our_grant), in_server(their_grant), ratio, at_most(1.3)});
    report.row({our_denial, "us", in_server(our_denial), in_server(their_denial), ratio});
    for (std::uint32_t const requests : {8U, 64U, 1024U})
        report.row(
            {batch_name(requests), "us", in_server(batch_name(requests)), in_server(their_grant), ratio});
}

}  // namespace ration::bench
