// What a call costs the server, by its own account: the processor time of EVALSHA in INFO commandstats.

#include "acquire_call.hpp"
#include "baseline.hpp"
#include "topics.hpp"

#include <ration/ration.hpp>

#include <functional>
#include <vector>

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

constexpr std::uint32_t batches[] = {8, 64, 1024};

std::string batch_name(std::uint32_t requests)
{
    return "a batch of " + std::to_string(requests) + ", granted";
}

struct Call {
    std::string what;
    std::function<std::string()> next;  ///< its bytes
};

/// Some of each by turns, so that a noisy moment meets them all. Sixteen at a time, so that the server is as warm as it is under load.
void run_by_turns(Scene& scene, std::vector<Call> const& calls)
{
    constexpr std::size_t pipeline = 16;
    constexpr int pipelines_in_turn = 4;
    RawConnection connection{scene.port()};
    std::vector<std::vector<double>> costs(calls.size());
    for (auto const& call : calls) connection.round_trip(call.next());
    auto const end =
        std::chrono::steady_clock::now() + scene.span() / 2 * static_cast<std::ptrdiff_t>(calls.size());
    while (std::chrono::steady_clock::now() < end) {
        for (std::size_t i = 0; i < calls.size(); ++i) {
            auto const before = scene.script_stats();
            for (int turn = 0; turn < pipelines_in_turn; ++turn) {
                std::string bytes;
                for (std::size_t k = 0; k < pipeline; ++k) bytes += calls[i].next();
                connection.round_trip(bytes, pipeline);
            }
            auto const after = scene.script_stats();
            costs[i].push_back((after.microseconds - before.microseconds) / (after.calls - before.calls));
        }
    }
    for (std::size_t i = 0; i < calls.size(); ++i)
        scene.report().record(in_server(calls[i].what), median(std::move(costs[i])));
}

Call theirs(Scene& scene, char const* what, Permits rate)
{
    baseline::set_redisson_rate(scene, std::to_string(rate));
    return {what, [sha1 = scene.load(baseline::redisson_script), keys = baseline::redisson_keys()] {
                using namespace std::chrono;
                auto const now = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
                std::vector<std::string> words{"EVALSHA", sha1, "5"};
                words.insert(words.end(), keys.begin(), keys.end());
                auto const id = redis::new_member_prefix(RedissonFormat::current).substr(1);
                words.insert(words.end(), {"1", std::to_string(now), id});
                return wire(words);
            }};
}

Call ours(Scene const& scene, std::string const& what, std::uint32_t requests, Permits rate)
{
    Client client = scene.client();
    RateLimiter limiter = client.rate_limiter(what);
    limiter.set_rate(Rate::per(rate, 1h));
    (void)limiter.try_acquire();  // loads the script; and takes all, if there is but one
    return {what, [call = AcquireCall{what, client.id(), requests, rate}] { return call.next(); }};
}

void measure_grants(Scene& scene)
{
    scene.clear();
    auto const noop = wire({"EVALSHA", scene.load(baseline::noop_script), "0"});
    std::vector<Call> calls{{noop_name, [noop] { return noop; }},
                            theirs(scene, their_grant, plenty),
                            ours(scene, our_grant, 1, plenty)};
    for (auto const requests : batches) calls.push_back(ours(scene, batch_name(requests), requests, plenty));
    run_by_turns(scene, calls);
}

void measure_denials(Scene& scene)
{
    scene.clear();
    run_by_turns(scene, {theirs(scene, their_denial, 1), ours(scene, our_denial, 1, 1)});
}

}  // namespace

void add_server_cost(Measurements& all, Report& report)
{
    constexpr auto ratio = Row::Against::ratio;
    all.push_back({in_server("grants"), measure_grants});
    all.push_back({in_server("denials"), measure_denials});

    report.heading("Server time of a call (commandstats), against Redisson's");
    report.row({"a script that does nothing", "us", in_server(noop_name)});
    report.row({their_grant, "us", in_server(their_grant)});
    report.row({their_denial, "us", in_server(their_denial)});
    report.row({our_grant, "us", in_server(our_grant), in_server(their_grant), ratio, at_most(1.3)});
    report.row({our_denial, "us", in_server(our_denial), in_server(their_denial), ratio});
    for (auto const requests : batches)
        report.row(
            {batch_name(requests), "us", in_server(batch_name(requests)), in_server(their_grant), ratio});
}

}  // namespace ration::bench
