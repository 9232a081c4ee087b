// Keys that are asked about at the same time share calls.

#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <ration/ration.hpp>

#include <gtest/gtest.h>

#include <latch>
#include <string>

namespace ration::redis_test {
namespace {

using namespace std::chrono_literals;

std::uint64_t scripts_called(RespClient& admin)
{
    static constexpr std::string_view name = "cmdstat_evalsha:calls=";
    auto const stats = admin.text("INFO", "commandstats");
    auto const at = stats.find(name);
    return at == std::string::npos ? 0 : std::stoull(stats.substr(at + name.size()));
}

TEST(KeyedCalls, AreCountedAsTheServerCountsThem)
{
    constexpr int keys = 300;
    RedisServer const server;
    RespClient admin{server.socket_path()};
    Client client{server.unix_url(), {.command_timeout = 30s}};
    auto users = client.keyed_rate_limiter("user", {.rate = Rate::per(10, 1h)});
    (void)users.try_acquire("the first, which loads the script");
    auto const before = client.stats();
    admin.text("CONFIG", "RESETSTAT");

    std::latch answered{keys};
    for (int i = 0; i < keys; ++i) {
        users.async_try_acquire(std::to_string(i), 1,
                                [&](boost::system::error_code error, Decision const& decision) {
                                    EXPECT_TRUE(!error && decision.granted) << error.message();
                                    answered.count_down();
                                });
    }
    answered.wait();

    auto const after = client.stats();
    EXPECT_EQ(after.calls - before.calls, scripts_called(admin));
    EXPECT_LT(after.calls - before.calls, keys) << "they share calls";
    EXPECT_GE(after.batches - before.batches, 1U);
    EXPECT_LE(after.batches - before.batches, after.calls - before.calls);
    EXPECT_EQ(after.decisions - before.decisions, keys);
}

}  // namespace
}  // namespace ration::redis_test
