// How fields of a hash are read: by plain commands in a transaction, and by the script only where they do not do.

#include "property/walk.hpp"
#include "redis/connection_harness.hpp"
#include "redis/redis_hash.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <gtest/gtest.h>

namespace ration::redis {
namespace {

using redis_test::RedisServer;
using redis_test::RespClient;
using testing::answer_of;

class HashReads : public ::testing::Test {
protected:
    /// A hash with "a" and "b" for an hour, and "short" for a second.
    std::shared_ptr<RedisHash> hash_of(Connection& connection)
    {
        auto hash = RedisHash::make(connection.shared_from_this(), plenty, "agents",
                                    {.strategy = HashStrategy::sorted_set});
        answer_of<std::vector<bool>>([&](auto reply) {
            hash->put({{"a", "1", 1h}, {"b", "2", 1h}, {"short", "3", 1s}}, std::move(reply));
        });
        admin.text("CONFIG", "RESETSTAT");
        return hash;
    }

    static FoundFields read(RedisHash& hash, std::vector<std::string> fields)
    {
        return answer_of<FoundFields>([&](auto reply) { hash.get(std::move(fields), std::move(reply)); });
    }

    bool was_called(std::string const& command)
    {
        return admin.text("INFO", "commandstats").find("cmdstat_" + command + ":") != std::string::npos;
    }

    RedisServer server{{.tcp = true, .own_clock = true}};
    RespClient admin{server.socket_path()};
};

TEST_F(HashReads, NeedNoScriptWhileNothingHasExpired)
{
    ConnectedThread thread{server.unix_url()};
    auto const hash = hash_of(*thread.connection);
    EXPECT_EQ(read(*hash, {"a", "nobody", "b"}), (FoundFields{"1", std::nullopt, "2"}));
    EXPECT_TRUE(was_called("exec"));
    EXPECT_FALSE(was_called("evalsha"));
}

TEST_F(HashReads, AskForAllMomentsUntilWhatHasExpiredIsRemoved)
{
    ConnectedThread thread{server.unix_url()};
    auto const hash = hash_of(*thread.connection);
    EXPECT_EQ(read(*hash, {"a", "short"}), (FoundFields{"1", "3"}));
    EXPECT_FALSE(was_called("zmscore"));
    server.clock().step(2s);
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(read(*hash, {"a", "short", "nobody"}), (FoundFields{"1", std::nullopt, std::nullopt}));
    EXPECT_TRUE(was_called("zmscore"));
    EXPECT_FALSE(was_called("evalsha"));

    answer_of<core::Swept>([&](auto reply) { hash->sweep({10, false}, std::move(reply)); });
    (void)read(*hash, {"a"});  // sees that nothing is left
    admin.text("CONFIG", "RESETSTAT");
    EXPECT_EQ(read(*hash, {"a", "short"}), (FoundFields{"1", std::nullopt}));
    EXPECT_FALSE(was_called("zmscore"));
}

TEST_F(HashReads, OfAUserWithoutMultiGoByTheScript)
{
    admin.text("ACL", "SETUSER", "app", "on", ">secret", "~*", "+@all", "-multi", "-exec");
    ConnectedThread thread{"redis://app:secret@127.0.0.1:" + std::to_string(server.tcp_port())};
    auto const hash = hash_of(*thread.connection);
    EXPECT_EQ(read(*hash, {"a"}), FoundFields{"1"});
    admin.text("CONFIG", "RESETSTAT");
    EXPECT_EQ(read(*hash, {"a"}), FoundFields{"1"});
    EXPECT_FALSE(was_called("exec"));
    EXPECT_TRUE(was_called("evalsha"));
}

TEST_F(HashReads, OfWhatIsNoHashSaySo)
{
    ConnectedThread thread{server.unix_url()};
    auto const hash = hash_of(*thread.connection);
    admin.text("SET", "agents", "a stranger's");
    std::promise<core::Result<FoundFields>> promise;
    hash->get({"a"}, [&](core::Result<FoundFields> result) { promise.set_value(std::move(result)); });
    auto const result = promise.get_future().get();
    EXPECT_EQ(result.error, Errc::incompatible_data);
    EXPECT_NE(result.detail.find("another program uses this key"), std::string::npos) << result.detail;
}

}  // namespace
}  // namespace ration::redis
