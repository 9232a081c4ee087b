// The scripts of hashes and delay queues, against the same models as the embedded store's. Time is the server's, and is moved
// by hand, back too.

#include "property/hash_walk.hpp"
#include "property/queue_walk.hpp"
#include "redis/connection_harness.hpp"
#include "redis/redis_hash.hpp"
#include "redis/redis_queue.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

namespace ration::redis {
namespace {

constexpr int walks = 4;
constexpr int steps = 800;

/// `native` where the server is said to have it.
std::vector<HashStrategy> strategies()
{
    std::vector<HashStrategy> all{HashStrategy::sorted_set, HashStrategy::delay_queue};
    if (std::getenv("RATION_TEST_NATIVE") != nullptr) all.push_back(HashStrategy::native);
    return all;
}

/// Sets the server's clock, and waits until it goes by it: Valkey 9 reads the clock once a millisecond, and counts by itself in
/// between. (So there the microseconds are not ours.)
class Hands {
public:
    explicit Hands(redis_test::RedisServer& server) : server_{server}, control_{server.socket_path()} {}

    void set(Time time)
    {
        server_.clock().freeze(time);
        while (std::chrono::floor<std::chrono::milliseconds>(told_time()) != time) {}
    }

private:
    Time told_time()
    {
        auto const told = control_.list("TIME");
        return Time{std::chrono::seconds{std::stoll(told.at(0))}}
               + std::chrono::microseconds{std::stoll(told.at(1))};
    }

    redis_test::RedisServer& server_;
    redis_test::RespClient control_;
};

class HashScripts : public ::testing::TestWithParam<HashStrategy> {};
INSTANTIATE_TEST_SUITE_P(Strategy, HashScripts, ::testing::ValuesIn(strategies()),
                         [](auto const& made) { return std::string{to_string(made.param)}; });

TEST_P(HashScripts, DoWhatTheModelSays)
{
    SCOPED_TRACE(testing::seed_text());
    redis_test::RedisServer server{{.own_clock = true}};
    Hands hands{server};
    ConnectedThread thread{server.unix_url()};
    for (std::uint64_t walk = 0; walk < walks && !HasFailure(); ++walk) {
        auto const name = "hash" + std::to_string(walk);
        auto const hash = RedisHash::make(thread.connection, plenty, name, {.strategy = GetParam()});
        testing::HashWorld world{*hash, [&](Time time) { hands.set(time); }};
        if (GetParam() == HashStrategy::native) {
            // The server drops what has expired when it likes, and for good. In the millisecond itself, the field is there for
            // HGET, and for HPTTL on Valkey; not for HPTTL on Redis.
            world.sweeps = world.clock_steps_back = world.meets_moments = false;
        }
        testing::HashWalk{world, testing::seed() + walk}.run(steps);
    }
}

class QueueScripts : public ::testing::TestWithParam<Acknowledge> {};
INSTANTIATE_TEST_SUITE_P(Acknowledge, QueueScripts,
                         ::testing::Values(Acknowledge::automatic, Acknowledge::manual),
                         [](auto const& made) { return std::string{to_string(made.param)}; });

TEST_P(QueueScripts, DoWhatTheModelSays)
{
    SCOPED_TRACE(testing::seed_text());
    redis_test::RedisServer server{{.own_clock = true}};
    ConnectedThread thread{server.unix_url()};
    for (std::uint64_t walk = 0; walk < walks && !HasFailure(); ++walk) {
        auto const name = "queue" + std::to_string(walk);
        QueueOptions const options{.lease = 25ms, .acknowledge = GetParam()};
        auto const queue = std::make_shared<RedisQueue>(thread.connection, plenty, name, options);
        auto const lease = GetParam() == Acknowledge::manual ? std::optional{options.lease} : std::nullopt;
        testing::QueueWalk{{*queue, lease, [&](Time time) { server.clock().freeze(time); }},
                           testing::seed() + walk}
            .run(steps);
    }
}

}  // namespace
}  // namespace ration::redis
