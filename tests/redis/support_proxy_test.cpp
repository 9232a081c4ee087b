// The proxy that breaks connections breaks them as it says.

#include "redis/support/cut_proxy.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"
#include "redis/support/resp_frame.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ration::redis_test {

namespace {

using namespace std::chrono_literals;

TEST(RespFrame, knows_where_a_value_ends)
{
    struct Row {
        char const* what;
        std::string_view frame;
    };
    Row const rows[] = {
        {"a request", "*2\r\n$4\r\nINCR\r\n$1\r\nk\r\n"},
        {"a text with a line end in it", "$4\r\na\r\nb\r\n"},
        {"nil", "$-1\r\n"},
        {"nil of RESP3", "_\r\n"},
        {"an empty array", "*0\r\n"},
        {"an array in an array", "*2\r\n*1\r\n:1\r\n-ERR no\r\n"},
        {"a map", "%1\r\n+a\r\n*1\r\n,1.5\r\n"},
        {"a value with attributes", "|1\r\n+ttl\r\n:1\r\n$1\r\nx\r\n"},
        {"a push", ">2\r\n+message\r\n+hello\r\n"},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.what);
        EXPECT_EQ(frame_size(std::string{row.frame} + "+next\r\n"), row.frame.size());
        for (std::size_t part = 0; part < row.frame.size(); ++part)
            EXPECT_EQ(frame_size(row.frame.substr(0, part)), 0U);
    }
    EXPECT_EQ(command_of(rows[0].frame), "INCR");
    EXPECT_TRUE(is_push(rows[8].frame));
}

class CutProxyTest : public testing::Test {
protected:
    RespClient through_proxy() const { return RespClient{"127.0.0.1", proxy_.port()}; }

    RedisServer server_;
    RespClient direct_{server_.socket_path()};
    CutProxy proxy_{server_.socket_path()};
};

TEST_F(CutProxyTest, forwards_and_counts)
{
    auto client = through_proxy();
    EXPECT_EQ(client.pipeline({{"INCR", "n"}, {"INCR", "n"}}).back().integer, 2);
    std::string const large(1'000'000, 'x');
    EXPECT_EQ(client.text("ECHO", large), large);
    EXPECT_EQ(proxy_.connections(), 1);
    EXPECT_EQ(proxy_.requests(), 3);
}

TEST_F(CutProxyTest, forwards_to_a_port)
{
    RedisServer const server{{.tcp = true}};
    CutProxy const proxy{server.tcp_port()};
    EXPECT_EQ(RespClient("127.0.0.1", proxy.port()).text("PING"), "PONG");
}

TEST_F(CutProxyTest, cuts_after_the_server_executed)
{
    auto client = through_proxy();
    proxy_.cut_before_reply();
    EXPECT_THROW(client.integer("INCR", "n"), std::runtime_error);
    EXPECT_EQ(direct_.text("GET", "n"), "1");
    EXPECT_EQ(through_proxy().integer("INCR", "n"), 2) << "only one request is cut";
}

TEST_F(CutProxyTest, cuts_the_command_it_was_told)
{
    auto client = through_proxy();
    proxy_.cut_before_reply("INCR");
    EXPECT_EQ(client.text("PING"), "PONG");
    EXPECT_THROW(client.pipeline({{"SET", "n", "5"}, {"INCR", "n"}, {"INCR", "n"}}), std::runtime_error);
    EXPECT_EQ(direct_.text("GET", "n"), "6") << "what comes after the cut never arrives";
}

TEST_F(CutProxyTest, cuts_all)
{
    auto first = through_proxy();
    auto second = through_proxy();
    EXPECT_EQ(first.text("PING"), "PONG");
    EXPECT_EQ(second.text("PING"), "PONG");
    proxy_.cut_all();
    EXPECT_THROW(first.text("PING"), std::runtime_error);
    EXPECT_THROW(second.text("PING"), std::runtime_error);
    EXPECT_EQ(through_proxy().text("PING"), "PONG");
}

TEST_F(CutProxyTest, refuses_new_connections)
{
    auto client = through_proxy();
    EXPECT_EQ(client.text("PING"), "PONG");
    proxy_.refuse(true);
    EXPECT_THROW(through_proxy(), std::runtime_error);
    EXPECT_EQ(client.text("PING"), "PONG");
    proxy_.refuse(false);
    EXPECT_EQ(through_proxy().text("PING"), "PONG");
}

TEST_F(CutProxyTest, holds_what_was_sent)
{
    auto client = through_proxy();
    EXPECT_EQ(client.integer("INCR", "n"), 1);
    proxy_.hold(true);
    auto reply = std::async(std::launch::async, [&] { return client.integer("INCR", "n"); });
    EXPECT_EQ(reply.wait_for(50ms), std::future_status::timeout);
    EXPECT_EQ(direct_.text("GET", "n"), "1");
    proxy_.hold(false);
    EXPECT_EQ(reply.get(), 2);
    EXPECT_EQ(proxy_.connections(), 1);
}

TEST_F(CutProxyTest, cuts_its_clients_while_the_server_is_down)
{
    auto client = through_proxy();
    EXPECT_EQ(client.text("PING"), "PONG");
    server_.kill_hard();
    EXPECT_THROW(client.text("PING"), std::runtime_error);
    EXPECT_THROW(through_proxy().text("PING"), std::runtime_error);
    server_.start();
    EXPECT_EQ(through_proxy().text("PING"), "PONG");
}

}  // namespace

}  // namespace ration::redis_test
