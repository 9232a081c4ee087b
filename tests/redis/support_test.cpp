// The servers that the Redis tests start keep their promises.

#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <future>
#include <stdexcept>
#include <string>

namespace ration::redis_test {

namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;

/// 2026-03-01 12:00:00.123456 UTC, a moment like any other.
constexpr Time noon{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1} + 12h + 123456us};

/// The time of day as the server tells it.
Time time_at(RespClient& client)
{
    auto const time = client.list("TIME");
    return Time{std::chrono::seconds{std::stoll(time.at(0))} + Duration{std::stoll(time.at(1))}};
}

std::string output_of(std::string const& command)
{
    std::string output;
    auto* const pipe = ::popen((command + " 2>&1").c_str(), "r");
    std::array<char, 256> buffer{};
    while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) output += buffer.data();
    ::pclose(pipe);
    return output;
}

TEST(RedisServer, starts_and_names_itself)
{
    RedisServer const server;
    EXPECT_THAT(server.version(), MatchesRegex("(redis|valkey) [0-9]+\\.[0-9]+\\.[0-9]+"));
    EXPECT_LT(server.socket_path().size(), 100U);
    EXPECT_EQ(server.tcp_port(), 0);
}

TEST(RedisServer, listens_on_a_port_when_asked)
{
    RedisServer const server{{.tcp = true}};
    RespClient client{"127.0.0.1", server.tcp_port()};
    EXPECT_EQ(client.text("PING"), "PONG");
}

TEST(RedisServer, says_why_it_did_not_start)
{
    try {
        RedisServer const server{{.arguments = {"--no-such-option", "1"}}};
        FAIL() << "it started";
    } catch (std::runtime_error const& error) {
        EXPECT_THAT(error.what(), HasSubstr("no-such-option"));
    }
    EXPECT_THROW(RedisServer{{.program = "no-such-server"}}, std::runtime_error);
}

TEST(RedisServer, leaves_nothing_behind)
{
    std::filesystem::path directory;
    {
        RedisServer const server;
        directory = std::filesystem::path{server.socket_path()}.parent_path();
        EXPECT_TRUE(std::filesystem::exists(directory));
    }
    EXPECT_FALSE(std::filesystem::exists(directory));
}

TEST(RedisServer, keeps_its_data_through_a_power_cut_if_append_only)
{
    RedisServer server{{.tcp = true, .append_only = true}};
    auto const port = server.tcp_port();
    RespClient{server.socket_path()}.text("SET", "key", "value");
    server.kill_hard();
    EXPECT_THROW(RespClient{server.socket_path()}, std::runtime_error);
    server.start();
    EXPECT_EQ(RespClient("127.0.0.1", port).text("GET", "key"), "value");
}

TEST(RedisServer, forgets_otherwise)
{
    RedisServer server;
    RespClient{server.socket_path()}.text("SET", "key", "value");
    server.stop();
    server.start();
    EXPECT_EQ(RespClient{server.socket_path()}.integer("EXISTS", "key"), 0);
}

TEST(RedisServer, answers_nothing_while_paused)
{
    RedisServer server;
    RespClient client{server.socket_path()};
    server.pause();
    auto pong = std::async(std::launch::async, [&] { return client.text("PING"); });
    EXPECT_EQ(pong.wait_for(50ms), std::future_status::timeout);
    server.resume();
    EXPECT_EQ(pong.get(), "PONG");
}

TEST(RedisServer, speaks_tls_to_those_who_trust_it)
{
    RedisServer const server{{.tls = true}};
    auto const ping_as = [&](std::string const& options) {
        return output_of("redis-cli --tls -h 127.0.0.1 -p " + std::to_string(server.tls_port()) + options
                         + " PING");
    };
    EXPECT_EQ(ping_as(" --cacert " + server.ca_file()), "PONG\n");
    EXPECT_THAT(ping_as(" --cacert " + server.other_ca_file()), HasSubstr("certificate verify failed"));
}

TEST(RedisServer, requires_a_client_certificate_when_asked)
{
    RedisServer const server{{.tls = true, .require_client_certificate = true}};
    auto const client =
        "redis-cli --tls -p " + std::to_string(server.tls_port()) + " --cacert " + server.ca_file();
    EXPECT_THAT(output_of(client + " PING"), testing::Not(HasSubstr("PONG")));
    EXPECT_EQ(output_of(client + " --cert " + server.client_certificate_file() + " --key "
                        + server.client_key_file() + " PING"),
              "PONG\n");
}

TEST(ServerClock, is_exact_when_frozen)
{
    RedisServer server{{.own_clock = true}};
    RespClient client{server.socket_path()};
    server.clock().freeze(noon);
    EXPECT_EQ(time_at(client), noon);
    server.clock().advance(1us);
    EXPECT_EQ(time_at(client), noon + 1us);
    EXPECT_EQ(server.clock().now(), noon + 1us);
}

TEST(ServerClock, decides_when_keys_expire)
{
    RedisServer server{{.own_clock = true}};
    RespClient client{server.socket_path()};
    server.clock().freeze(noon);
    client.text("SET", "key", "value", "PX", 1000);

    struct Row {
        Duration after;
        std::int64_t left;
    };
    Row const rows[] = {{0ms, 1000}, {1ms, 999}, {999ms, 1}, {1000ms, 0}, {1001ms, -2}};
    for (auto const& row : rows) {
        server.clock().freeze(noon + row.after);
        EXPECT_EQ(client.integer("PTTL", "key"), row.left) << row.after.count() << " us later";
    }
}

TEST(ServerClock, steps_by_an_hour)
{
    RedisServer server{{.own_clock = true}};
    RespClient client{server.socket_path()};
    for (auto const step : {Duration{1h}, Duration{-2h}, Duration{1h}}) {
        server.clock().step(step);
        auto const before = server.clock().now();
        auto const seen = time_at(client);
        EXPECT_LE(before, seen);
        EXPECT_LE(seen, server.clock().now());
    }
}

TEST(ServerClock, runs_again_after_a_freeze_and_through_a_restart)
{
    RedisServer server{{.own_clock = true}};
    server.clock().freeze(noon);
    server.kill_hard();
    server.start();
    RespClient client{server.socket_path()};
    EXPECT_EQ(time_at(client), noon);
    server.clock().run();
    EXPECT_GT(time_at(client), noon + 1h);
}

TEST(ServerClock, refuses_what_makes_no_sense)
{
    TemporaryDirectory const directory;
    ServerClock clock{directory.path() / "clock"};
    EXPECT_THROW(clock.advance(1s), std::logic_error);
    EXPECT_THROW(clock.freeze(Time{}), std::invalid_argument);
    clock.freeze(noon);
    EXPECT_THROW(clock.step(1s), std::logic_error);
}

TEST(RespClient, understands_every_kind_of_reply)
{
    RedisServer const server;
    RespClient client{server.socket_path()};
    auto const binary = "\0\r\n$5\r\n\xff"s;
    EXPECT_EQ(client.text("SET", "key", binary), "OK");
    EXPECT_EQ(client.text("GET", "key"), binary);
    EXPECT_EQ(client.integer("INCRBY", "counter", 41), 41);
    EXPECT_EQ(client.integer("RPUSH", "list", "a", "b"), 2);
    EXPECT_THAT(client.list("LRANGE", "list", 0, -1), ElementsAre("a", "b"));
    EXPECT_EQ(client.command({"GET", "none"}).kind, Reply::Kind::nil);
    EXPECT_EQ(client.command({"INCR", "list"}).kind, Reply::Kind::error);
    EXPECT_THROW(client.text("INCR", "list"), std::runtime_error);

    auto const replies = client.pipeline({{"INCR", "counter"}, {"NONSENSE"}, {"INCR", "counter"}});
    ASSERT_EQ(replies.size(), 3U);
    EXPECT_EQ(replies[0].integer, 42);
    EXPECT_EQ(replies[1].kind, Reply::Kind::error);
    EXPECT_EQ(replies[2].integer, 43);
}

}  // namespace

}  // namespace ration::redis_test
