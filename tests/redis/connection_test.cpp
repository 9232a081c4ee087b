// Commands and their answers, while the server or the network misbehaves.

#include "redis/connection_harness.hpp"
#include "redis/support/cut_proxy.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace ration::redis {
namespace {

using redis_test::CutProxy;
using redis_test::RedisServer;
using redis_test::RespClient;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Script all_kinds{"all_kinds", "9afc04355bf0a649000806e38eef99d80f98e091",
                           "return {1, 'two', false, {-3, {'four'}}, #KEYS, ARGV[1]}"};

TEST(Connection, ReadsEveryKindOfValue)
{
    RedisServer const server;
    ConnectedThread client{server.unix_url()};
    std::string const binary{"\0\r\n\xff", 4};
    EXPECT_THAT(
        values_of(client.run({&all_kinds, {"a", "b"}, {binary}})),
        ElementsAre(integer(1), text("two"), Value{}, integer(-3), text("four"), integer(2), text(binary)));
    EXPECT_THAT(values_of(client.plain({"PING"})), ElementsAre(text("PONG")));
    EXPECT_THAT(values_of(client.plain({"EXISTS", "nothing"})), ElementsAre(integer(0)));
    EXPECT_THAT(values_of(client.plain({"GET", "nothing"})), ElementsAre(Value{}));
}

TEST(Connection, SendsAScriptInFullOnlyWhenTheServerDoesNotKnowIt)
{
    RedisServer const server;
    RespClient admin{server.socket_path()};
    ConnectedThread client{server.unix_url()};
    EXPECT_THAT(values_of(client.run({&count_up, {"n"}})), ElementsAre(integer(1)));
    EXPECT_THAT(values_of(client.run({&count_up, {"n"}})), ElementsAre(integer(2)));
    admin.text("SCRIPT", "FLUSH");
    EXPECT_THAT(values_of(client.run({&count_up, {"n"}})), ElementsAre(integer(3)));
    EXPECT_THAT(admin.text("INFO", "commandstats"), HasSubstr("cmdstat_eval:calls=2"));
}

TEST(Connection, ExecutesEachCommandOnceWhileScriptsAreFlushed)
{
    RedisServer const server;
    RespClient admin{server.socket_path()};
    ConnectedThread client{server.unix_url()};
    std::vector<std::future<Reply>> replies;
    for (int round = 0; round < 50; ++round) {
        for (int i = 0; i < 20; ++i) replies.push_back(client.start({&count_up, {"n"}}));
        admin.text("SCRIPT", "FLUSH");
    }
    for (auto& reply : replies) values_of(reply.get());
    EXPECT_EQ(admin.text("GET", "n"), "1000");
}

TEST(Connection, AnErrorIsTheAnswerToOneCommandOnly)
{
    RedisServer const server;
    RespClient admin{server.socket_path()};
    admin.integer("RPUSH", "list", "x");
    ConnectedThread client{server.unix_url()};
    auto before = client.start({&count_up, {"n"}});
    auto wrong = client.start({&count_up, {"list"}});
    auto after = client.start({&count_up, {"n"}});
    EXPECT_THAT(values_of(before.get()), ElementsAre(integer(1)));
    auto const failure = failure_of(wrong.get());
    EXPECT_EQ(failure.code, Errc::incompatible_data);
    EXPECT_FALSE(failure.transient);
    EXPECT_THAT(failure.detail, HasSubstr("WRONGTYPE"));
    EXPECT_THAT(values_of(after.get()), ElementsAre(integer(2)));
}

TEST(Connection, AnswerThatDoesNotComeInTimeIsLost)
{
    RedisServer server;
    ConnectedThread client{server.unix_url()};
    values_of(client.run({&count_up, {"n"}}));
    server.pause();
    auto const start = steady_clock::now();
    auto const failure = failure_of(client.run({&count_up, {"n"}}, 100ms));
    EXPECT_LT(steady_clock::now() - start, 1s);
    EXPECT_EQ(failure.code, Errc::outcome_unknown) << failure.detail;
    EXPECT_TRUE(failure.transient);
    EXPECT_EQ(client.connection->lost_answers(), 1U);

    // After a silence that long nothing more is entrusted to that connection.
    auto const next = failure_of(client.run({&count_up, {"n"}}, 100ms));
    EXPECT_EQ(next.code, Errc::store_unavailable) << next.detail;
    EXPECT_EQ(client.connection->lost_answers(), 1U);

    server.resume();
    EXPECT_THAT(values_of(client.run({&count_up, {"n"}})), ElementsAre(integer(3)))
        << "1 + the lost one + this";
    EXPECT_EQ(client.connection->reconnects(), 1U);
}

TEST(Connection, SilenceCostsNobodyAnAnswerThatComesInTime)
{
    RedisServer server;
    ConnectedThread client{server.unix_url()};
    values_of(client.run({&count_up, {"n"}}));
    server.pause();
    auto patient = client.start({&count_up, {"n"}});
    auto const hasty = failure_of(client.run({&count_up, {"n"}}, 50ms));
    EXPECT_EQ(hasty.code, Errc::outcome_unknown);
    server.resume();
    EXPECT_THAT(values_of(patient.get()), ElementsAre(integer(2)));
}

TEST(Connection, KnowsWhatStillWaitsBehindAFullSocket)
{
    RedisServer server;
    RespClient admin{server.socket_path()};
    boost::asio::io_context io{1};
    auto const connection = connect(io, server.unix_url(), true);
    Answers answers;
    connection->plain({"PING"}, steady_clock::now() + plenty, answers.next());
    while (answers.all.empty()) io.run_one();
    server.pause();

    std::string more_than_fits;
    more_than_fits.resize(50'000'000);
    Answers half_written;
    Answers unwritten;
    connection->plain({"SET", "big", more_than_fits}, steady_clock::now() + 50ms, half_written.next());
    io.poll();
    connection->run({&count_up, {"n"}}, steady_clock::now() + 50ms, unwritten.next());
    while (half_written.all.empty() || unwritten.all.empty()) io.run_one();
    EXPECT_EQ(failure_of(half_written.all.front()).code, Errc::outcome_unknown);
    EXPECT_EQ(failure_of(unwritten.all.front()).code, Errc::store_unavailable);
    EXPECT_EQ(connection->lost_answers(), 1U);
    server.resume();
    connection->close();
    io.run();
    EXPECT_EQ(admin.integer("EXISTS", "n"), 0);
}

TEST(Connection, WithoutAServerNothingIsSentUntilTheDeadline)
{
    RedisServer server{{.tcp = true}};
    server.stop();
    ConnectedThread client{server.tcp_url()};
    auto const start = steady_clock::now();
    auto const failure = failure_of(client.run({&count_up, {"n"}}, 100ms));
    EXPECT_GE(steady_clock::now() - start, 100ms);
    EXPECT_EQ(failure.code, Errc::store_unavailable);
    EXPECT_TRUE(failure.transient);
    EXPECT_THAT(failure.detail, HasSubstr(server.tcp_url() + "/0 cannot be reached (Connection refused"));
    EXPECT_EQ(client.connection->lost_answers(), 0U);
}

TEST(Connection, WaitsForAServerThatStartsInTime)
{
    RedisServer server;
    server.stop();
    ConnectedThread client{server.unix_url()};
    auto waiting = client.start({&count_up, {"n"}});
    failure_of(client.run({&count_up, {"n"}}, 100ms));
    server.start();
    EXPECT_THAT(values_of(waiting.get()), ElementsAre(integer(1)));
    EXPECT_EQ(client.connection->reconnects(), 0U) << "it is the first connection";
}

TEST(Connection, AnswerCutOffOnItsWayIsLostAndItsCommandNotRepeated)
{
    RedisServer const server;
    CutProxy proxy{server.socket_path()};
    RespClient admin{server.socket_path()};
    ConnectedThread client{proxy.url()};
    values_of(client.run({&count_up, {"n"}}));

    proxy.cut_before_reply("EVALSHA");
    auto const failure = failure_of(client.run({&count_up, {"n"}}));
    EXPECT_EQ(failure.code, Errc::outcome_unknown) << failure.detail;
    EXPECT_EQ(client.connection->lost_answers(), 1U);
    EXPECT_EQ(admin.text("GET", "n"), "2") << "executed once";

    EXPECT_THAT(values_of(client.run({&count_up, {"n"}})), ElementsAre(integer(3)));
    EXPECT_EQ(client.connection->reconnects(), 1U);
}

TEST(Connection, EveryCommandOfACutConnectionIsAnsweredOnce)
{
    RedisServer const server;
    CutProxy proxy{server.socket_path()};
    RespClient admin{server.socket_path()};
    ConnectedThread client{proxy.url()};
    values_of(client.run({&count_up, {"n"}}));
    std::int64_t succeeded = 1;
    std::int64_t unknown = 0;
    for (int round = 0; round < 20; ++round) {
        std::array<std::future<Reply>, 50> replies;
        for (auto& reply : replies) reply = client.start({&count_up, {"n"}});
        proxy.cut_all();
        for (auto& reply : replies) {
            auto const answer = reply.get();
            if (std::holds_alternative<Failure>(answer)) {
                EXPECT_EQ(failure_of(answer).code, Errc::outcome_unknown);
                ++unknown;
            } else {
                ++succeeded;
            }
        }
    }
    auto const executed = std::stoll(admin.text("GET", "n"));
    EXPECT_GE(executed, succeeded);
    EXPECT_LE(executed, succeeded + unknown);
    EXPECT_EQ(client.connection->lost_answers(), static_cast<std::uint64_t>(unknown));
}

TEST(Connection, IsBackWithinASecondOfTheServersReturn)
{
    RedisServer const server;
    CutProxy proxy{server.socket_path()};
    ConnectedThread client{proxy.url()};
    values_of(client.run({&count_up, {"n"}}));
    proxy.refuse(true);
    proxy.cut_all();
    // The first may still be sent, to nobody. The others wait until pauses between attempts are as long as
    // they get.
    while (failure_of(client.plain({"PING"}, 1500ms)).code != Errc::store_unavailable) {}

    proxy.refuse(false);
    auto const start = steady_clock::now();
    EXPECT_THAT(values_of(client.run({&count_up, {"n"}})), ElementsAre(integer(2)));
    EXPECT_LT(steady_clock::now() - start, 1s);
    EXPECT_EQ(client.connection->reconnects(), 1U);
}

TEST(Connection, FindsOutAboutADeadPeerWithoutACommand)
{
    RedisServer const server;
    CutProxy proxy{server.socket_path()};
    ConnectedThread client{proxy.url()};
    values_of(client.run({&count_up, {"n"}}));
    proxy.hold(true);
    auto const start = steady_clock::now();
    while (proxy.connections() < 2 && steady_clock::now() - start < plenty) std::this_thread::yield();
    EXPECT_LT(steady_clock::now() - start, 4s) << "two health checks of 1 s";
    proxy.hold(false);
    EXPECT_THAT(values_of(client.run({&count_up, {"n"}})), ElementsAre(integer(2)));
}

TEST(Connection, ServesManyThreads)
{
    RedisServer const server;
    ConnectedThread client{server.unix_url()};
    std::array<std::thread, 4> threads;
    for (auto& thread : threads) {
        thread = std::thread{[&client] {
            for (int i = 0; i < 500; ++i) values_of(client.run({&count_up, {"n"}}));
        }};
    }
    for (auto& thread : threads) thread.join();
    EXPECT_THAT(values_of(client.run({&count_up, {"n"}})), ElementsAre(integer(2001)));
}

}  // namespace
}  // namespace ration::redis
