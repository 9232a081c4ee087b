// The scripts of hashes and delay queues, against the same models as the embedded store's. Time is the server's, and is moved
// by hand, back too.

#include "property/hash_walk.hpp"
#include "property/queue_walk.hpp"
#include "redis/connection_harness.hpp"
#include "redis/redis_hash.hpp"
#include "redis/redis_queue.hpp"
#include "redis/support/redis_server.hpp"

#include <gtest/gtest.h>

namespace ration::redis {
namespace {

constexpr int walks = 4;
constexpr int steps = 800;

class HashScripts : public ::testing::TestWithParam<HashStrategy> {};
INSTANTIATE_TEST_SUITE_P(Strategy, HashScripts,
                         ::testing::Values(HashStrategy::sorted_set, HashStrategy::delay_queue),
                         [](auto const& made) { return std::string{to_string(made.param)}; });

TEST_P(HashScripts, DoWhatTheModelSays)
{
    SCOPED_TRACE(testing::seed_text());
    redis_test::RedisServer server{{.own_clock = true}};
    ConnectedThread thread{server.unix_url()};
    for (std::uint64_t walk = 0; walk < walks && !HasFailure(); ++walk) {
        auto const name = "hash" + std::to_string(walk);
        auto const hash = RedisHash::make(thread.connection, plenty, name, {.strategy = GetParam()});
        testing::HashWalk{{*hash, [&](Time time) { server.clock().freeze(time); }}, testing::seed() + walk}
            .run(steps);
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
