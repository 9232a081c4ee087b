// A store that is down, slow, not Redis at all, or full: one sentence, exit code 3, no hang.

#include "cli/on_server.hpp"
#include "redis/support/sockets.hpp"

#include <thread>

#include <sys/socket.h>
#include <unistd.h>

namespace ration::cli_test {
namespace {

using ::testing::HasSubstr;

/// Accepts connections, and says `greeting` to each, or nothing at all.
class StrangeServer {
public:
    explicit StrangeServer(std::string greeting) : greeting_{std::move(greeting)}
    {
        ::listen(port_.socket.get(), 64);
        thread_ = std::thread{[this] { serve(); }};
    }
    ~StrangeServer()
    {
        ::shutdown(port_.socket.get(), SHUT_RDWR);
        thread_.join();
        for (int const connection : connections_) ::close(connection);
    }
    StrangeServer(StrangeServer const&) = delete;
    StrangeServer& operator=(StrangeServer const&) = delete;

    std::string url() const { return "redis://127.0.0.1:" + std::to_string(port_.number); }

private:
    void serve()
    {
        for (int connection = 0; (connection = ::accept(port_.socket.get(), nullptr, nullptr)) >= 0;) {
            connections_.push_back(connection);
            if (!greeting_.empty()) ::send(connection, greeting_.data(), greeting_.size(), MSG_NOSIGNAL);
        }
    }

    std::string const greeting_;
    redis_test::Port port_ = redis_test::take_free_port();
    std::vector<int> connections_;
    std::thread thread_;
};

std::vector<std::vector<std::string>> const commands{{"set", "x", "1/s"},
                                                     {"try", "x"},
                                                     {"try", "x", "--timeout", "1ms"},
                                                     {"acquire", "x"},
                                                     {"release", "x", "1"},
                                                     {"info", "x"},
                                                     {"list"},
                                                     {"delete", "x"}};

/// Every command on that store ends with exit code 3 and a sentence that names it.
void expect_trouble(std::string const& url, std::string const& error)
{
    for (auto arguments : commands) {
        SCOPED_TRACE(::testing::PrintToString(arguments));
        arguments.insert(arguments.end(), {"--json", "--command-timeout", "150ms"});
        auto const begin = std::chrono::steady_clock::now();
        auto const result = run(arguments, {{"RATION_STORE", url}});
        EXPECT_EQ(result.exit, 3);
        EXPECT_EQ(result.out, "");
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{30});
        auto const object = object_of(result.err);
        EXPECT_EQ(text_at(object, "error"), error) << result.err;
        EXPECT_THAT(text_at(object, "message"), HasSubstr("127.0.0.1"));
    }
}

TEST(Trouble, nobody_listens)
{
    expect_trouble("redis://127.0.0.1:" + std::to_string(redis_test::take_free_port().number),
                   "store_unavailable");
}

TEST(Trouble, accepts_and_never_answers)
{
    StrangeServer const server{""};
    expect_trouble(server.url(), "store_unavailable");
}

TEST(Trouble, a_web_server)
{
    StrangeServer const server{"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"};
    expect_trouble(server.url(), "store_unavailable");
}

TEST(Trouble, a_full_server)
{
    redis_test::RedisServer server;
    redis_test::RespClient client{server.socket_path()};
    run({"set", "x", "5/h"}, {{"RATION_STORE", server.unix_url()}});
    client.command({"CONFIG", "SET", "maxmemory", "1"});
    for (std::vector<std::string> arguments :
         {std::vector<std::string>{"set", "y", "1/s"}, {"try", "x"}, {"acquire", "x"}}) {
        SCOPED_TRACE(::testing::PrintToString(arguments));
        arguments.emplace_back("--json");
        auto const result = run(arguments, {{"RATION_STORE", server.unix_url()}});
        EXPECT_EQ(result.exit, 3);
        EXPECT_EQ(text_at(object_of(result.err), "error"), "store_unavailable");
        EXPECT_THAT(result.err, HasSubstr("its memory is full"));
    }
    EXPECT_EQ(run({"info", "x"}, {{"RATION_STORE", server.unix_url()}}).exit, 0) << "looking still works";
}

TEST(Trouble, a_server_that_stops_answering)
{
    redis_test::RedisServer server;
    run({"set", "x", "5/h"}, {{"RATION_STORE", server.unix_url()}});
    server.pause();
    for (auto arguments : commands) {
        arguments.insert(arguments.end(), {"--command-timeout", "100ms"});
        EXPECT_EQ(run(arguments, {{"RATION_STORE", server.unix_url()}}).exit, 3) << arguments.front();
    }
    server.resume();
}

}  // namespace
}  // namespace ration::cli_test
