// How a connection ends: closed, idle, or with the io_context it lives on.

#include "redis/connection_harness.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace ration::redis {
namespace {

using boost::asio::io_context;
using redis_test::RedisServer;
using redis_test::RespClient;
using testing::HasSubstr;

void wait_until_nobody_is_connected(RespClient& admin)
{
    auto const start = steady_clock::now();
    while (admin.text("CLIENT", "LIST").find("name=ration") != std::string::npos) {
        ASSERT_LT(steady_clock::now() - start, plenty);
    }
}

TEST(ConnectionEnd, CloseAnswersSentAndUnsentCommandsAtOnce)
{
    RedisServer server;
    ConnectedThread client{server.unix_url()};
    values_of(client.run({&count_up, {"n"}}));
    server.pause();
    std::array<std::future<Reply>, 10> replies;
    for (auto& reply : replies) reply = client.start({&count_up, {"n"}});
    auto const start = steady_clock::now();
    client.connection->close();
    client.connection->close();
    for (auto& reply : replies) EXPECT_EQ(failure_of(reply.get()).code, Errc::client_closed);
    EXPECT_EQ(failure_of(client.run({&count_up, {"n"}})).code, Errc::client_closed) << "later ones too";
    EXPECT_LT(steady_clock::now() - start, 1s);
    server.resume();
}

TEST(ConnectionEnd, CloseAnswersCommandsThatWaitForAServer)
{
    ConnectedThread client{"unix:/nowhere/at/all"};
    auto reply = client.start({&count_up, {"n"}});
    client.connection->close();
    EXPECT_EQ(failure_of(reply.get()).code, Errc::client_closed);
}

TEST(ConnectionEnd, CloseHangsUp)
{
    RedisServer const server;
    RespClient admin{server.socket_path()};
    io_context io{1};
    auto const connection = connect(io, server.unix_url(), true);
    Answers answers;
    connection->plain({"PING"}, steady_clock::now() + plenty, answers.next());
    while (answers.all.empty()) io.run_one();
    EXPECT_THAT(admin.text("CLIENT", "LIST"), HasSubstr("name=ration"));
    connection->close();
    io.run();
    wait_until_nobody_is_connected(admin);
}

TEST(ConnectionEnd, NeverAnswersInsideTheCall)
{
    io_context io{1};
    auto const connection = connect(io, "unix:/nowhere/at/all", true);
    Answers answers;
    boost::asio::post(io, [&] {
        connection->plain({"PING"}, steady_clock::now(), answers.next());
        EXPECT_TRUE(answers.all.empty());
        connection->close();
    });
    io.run();
    EXPECT_EQ(answers.all.size(), 1U);
}

TEST(ConnectionEnd, OnceClosedItAnswersAtOnceBecauseNobodyMayRunItsExecutorAnyMore)
{
    io_context io{1};
    auto const connection = connect(io, "unix:/nowhere/at/all", true);
    connection->close();
    Answers answers;
    connection->plain({"PING"}, steady_clock::now(), answers.next());
    EXPECT_EQ(answers.all.size(), 1U);
}

TEST(ConnectionEnd, UsersContextRunsOutOfWork)
{
    RedisServer const server;
    RespClient admin{server.socket_path()};
    io_context io;
    auto const connection = connect(io, server.unix_url(), false);
    Answers answers;
    for (std::size_t round = 1; round <= 2; ++round) {
        auto const start = steady_clock::now();
        connection->run({&count_up, {"n"}}, start + plenty, answers.next());
        io.run();
        io.restart();
        EXPECT_LT(steady_clock::now() - start, 5s) << "about one second, whatever the deadline";
        ASSERT_EQ(answers.all.size(), round);
        EXPECT_EQ(values_of(answers.all.back()).front().integer, static_cast<std::int64_t>(round));
        wait_until_nobody_is_connected(admin);
    }
    EXPECT_EQ(connection->reconnects(), 0U) << "to hang up for a while is not to lose the connection";
}

TEST(ConnectionEnd, UsersContextRunsOutOfWorkWithoutAServer)
{
    io_context io;
    auto const connection = connect(io, "unix:/nowhere/at/all", false);
    Answers answers;
    connection->plain({"PING"}, steady_clock::now() + 50ms, answers.next());
    io.run();
    ASSERT_EQ(answers.all.size(), 1U);
    EXPECT_EQ(failure_of(answers.all.back()).code, Errc::store_unavailable);
}

TEST(ConnectionEnd, UsersContextMayHaveManyThreads)
{
    RedisServer const server;
    io_context io;
    auto const connection = connect(io, server.unix_url(), false);
    std::atomic<int> answered{0};
    for (int i = 0; i < 100; ++i) {
        connection->run({&count_up, {"n"}}, steady_clock::now() + plenty, [&](Reply const& reply) {
            values_of(reply);
            ++answered;
            connection->plain({"PING"}, steady_clock::now() + plenty, [&](Reply const&) { ++answered; });
        });
    }
    std::array<std::thread, 4> threads;
    for (auto& thread : threads) thread = std::thread{[&io] { io.run(); }};
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(answered, 200);
}

/// How far a command has come when its io_context is destroyed.
enum class Stage { posted, connecting, connected, sent, closed };

class ConnectionOnAStoppedContext : public testing::TestWithParam<std::tuple<Stage, bool>> {};

TEST_P(ConnectionOnAStoppedContext, LeavesNothingBehind)
{
    auto const [stage, executor_is_ours] = GetParam();
    RedisServer server;
    std::weak_ptr<Connection> watched;
    auto const witness = std::make_shared<int>();
    {
        io_context io;
        auto connection = connect(io, server.unix_url(), executor_is_ours);
        watched = connection;
        // The caller of a command usually keeps the connection alive.
        auto const done = [connection, witness](Reply const&) {};
        Answers answers;
        if (stage >= Stage::connected) {
            connection->plain({"PING"}, steady_clock::now() + plenty, answers.next());
            while (answers.all.empty()) io.run_one();
        }
        if (stage >= Stage::sent) server.pause();
        for (int i = 0; i < 3; ++i) connection->run({&count_up, {"n"}}, steady_clock::now() + plenty, done);
        if (stage != Stage::posted && stage != Stage::connected) io.poll();
        if (stage == Stage::closed) connection->close();
    }
    EXPECT_TRUE(watched.expired());
    EXPECT_EQ(witness.use_count(), 1);
    if (stage >= Stage::sent) server.resume();
}

INSTANTIATE_TEST_SUITE_P(AtEveryStage, ConnectionOnAStoppedContext,
                         testing::Combine(testing::Values(Stage::posted, Stage::connecting, Stage::connected,
                                                          Stage::sent, Stage::closed),
                                          testing::Bool()));

}  // namespace
}  // namespace ration::redis
