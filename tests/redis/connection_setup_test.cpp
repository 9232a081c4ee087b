// How a connection comes about: where to, who as, and how secured.

#include "redis/connection_harness.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"
#include "redis/support/sockets.hpp"
#include "redis/tls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/socket.h>

namespace ration::redis {
namespace {

using redis_test::RedisServer;
using redis_test::RespClient;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<Value> const pong{text("PONG")};

/// Just long enough for an attempt to fail, where that is not told at once.
constexpr auto short_while = 500ms;

TEST(ConnectionSetup, TellsTheServerItsNameAndChoosesTheDatabase)
{
    RedisServer const server;
    RespClient admin{server.socket_path()};
    ConnectedThread client{server.unix_url() + "?db=3"};
    values_of(client.plain({"SET", "key", "x"}));
    EXPECT_THAT(admin.text("CLIENT", "LIST"), HasSubstr("name=ration"));
    admin.text("SELECT", 3);
    EXPECT_EQ(admin.text("GET", "key"), "x");
}

TEST(ConnectionSetup, SpeaksIpv6)
{
    RedisServer const server{{.tcp = true, .arguments = {"--bind", "127.0.0.1", "::1"}}};
    ConnectedThread client{"redis://[::1]:" + std::to_string(server.tcp_port())};
    EXPECT_EQ(values_of(client.plain({"PING"})), pong);
}

TEST(ConnectionSetup, DatabaseThatIsNotThereGetsNoCommand)
{
    RedisServer const server;
    RespClient admin{server.socket_path()};
    ConnectedThread client{server.unix_url() + "?db=99"};
    auto const failure = failure_of(client.plain({"SET", "key", "x"}));
    EXPECT_EQ(failure.code, Errc::invalid_argument) << failure.detail;
    EXPECT_FALSE(failure.transient);
    EXPECT_EQ(admin.integer("DBSIZE"), 0) << "it was not sent, least of all to database 0";
}

TEST(ConnectionSetup, WrongPasswordIsToldAtOnce)
{
    RedisServer const server{{.tcp = true}};
    RespClient admin{server.socket_path()};
    admin.text("ACL", "SETUSER", "app", "on", ">secret", "~*", "+@all");
    auto const port = std::to_string(server.tcp_port());

    ConnectedThread client{"redis://app:wrong@127.0.0.1:" + port};
    for (auto const* moment : {"waiting for the connection", "between two attempts"}) {
        SCOPED_TRACE(moment);
        auto const failure = failure_of(client.plain({"SET", "key", "x"}));
        EXPECT_EQ(failure.code, Errc::access_denied) << failure.detail;
        EXPECT_FALSE(failure.transient);
        EXPECT_THAT(failure.detail, HasSubstr("WRONGPASS"));
        EXPECT_THAT(failure.detail, HasSubstr("redis://app:***@127.0.0.1"));
        EXPECT_THAT(failure.detail, Not(HasSubstr("wrong@")));
    }
    EXPECT_EQ(admin.integer("DBSIZE"), 0) << "not as the default user either";

    ConnectedThread right{"redis://app:secret@127.0.0.1:" + port};
    EXPECT_EQ(values_of(right.plain({"PING"})), pong);
}

TEST(ConnectionSetup, PasswordOfTheDefaultUser)
{
    RedisServer const server{{.tcp = true}};
    RespClient admin{server.socket_path()};
    admin.text("CONFIG", "SET", "requirepass", "secret");
    auto const host = "127.0.0.1:" + std::to_string(server.tcp_port());

    ConnectedThread right{"redis://:secret@" + host};
    EXPECT_EQ(values_of(right.plain({"PING"})), pong);

    ConnectedThread none{"redis://" + host};
    auto const failure = failure_of(none.plain({"PING"}));
    EXPECT_EQ(failure.code, Errc::access_denied) << failure.detail;
    EXPECT_THAT(failure.detail, HasSubstr("NOAUTH"));

    // Who is refused keeps trying, and needs no new client when the server changes its mind.
    admin.text("CONFIG", "SET", "requirepass", "");
    auto const start = steady_clock::now();
    while (std::holds_alternative<Failure>(none.plain({"PING"})) && steady_clock::now() - start < plenty)
        std::this_thread::yield();
    EXPECT_LT(steady_clock::now() - start, 1500ms);
}

TEST(ConnectionSetup, UserWithoutPermissionForAScript)
{
    RedisServer const server{{.tcp = true}};
    RespClient admin{server.socket_path()};
    admin.text("ACL", "SETUSER", "app", "on", ">secret", "~*", "+ping");
    ConnectedThread client{"redis://app:secret@127.0.0.1:" + std::to_string(server.tcp_port())};
    auto const failure = failure_of(client.run({&count_up, {"n"}}));
    EXPECT_EQ(failure.code, Errc::access_denied) << failure.detail;
    EXPECT_THAT(failure.detail, HasSubstr("docs/operations.md"));
    EXPECT_EQ(values_of(client.plain({"PING"})), pong) << "the connection lives on";
}

/// Answers whatever it gets in one way, and hangs up.
class Stranger {
public:
    explicit Stranger(std::string answer) : answer_{std::move(answer)} { ::listen(port_.socket.get(), 8); }

    ~Stranger()
    {
        ::shutdown(port_.socket.get(), SHUT_RDWR);
        thread_.join();
    }

    std::string url() const { return "redis://127.0.0.1:" + std::to_string(port_.number); }

private:
    void serve()
    {
        for (int client = 0; (client = ::accept(port_.socket.get(), nullptr, nullptr)) >= 0;) {
            redis_test::FileHandle const closing{client};
            char bytes[512];
            if (::recv(client, bytes, sizeof bytes, 0) > 0)
                ::send(client, answer_.data(), answer_.size(), MSG_NOSIGNAL);
        }
    }

    std::string answer_;
    redis_test::Port port_ = redis_test::take_free_port();
    std::thread thread_{[this] { serve(); }};
};

TEST(ConnectionSetup, WhoDoesNotSpeakRedisIsNamed)
{
    struct Row {
        char const* who;
        char const* answer;
    };
    for (auto const& [who, answer] : {
             Row{"a web server", "HTTP/1.1 400 Bad Request\r\n\r\n"},
             Row{"a mail server", "220 mail.example.com ESMTP\r\n"},
             Row{"Redis 5", "-ERR unknown command `HELLO`, with args beginning with: `3`, \r\n"},
             Row{"Redis of the future", "-NOPROTO unsupported protocol version\r\n"},
         }) {
        SCOPED_TRACE(who);
        Stranger const stranger{answer};
        ConnectedThread client{stranger.url()};
        auto const failure = failure_of(client.plain({"PING"}, short_while));
        EXPECT_EQ(failure.code, Errc::store_unavailable);
        EXPECT_THAT(failure.detail, HasSubstr("does not speak RESP3"));
        EXPECT_THAT(failure.detail, HasSubstr("is it Redis 6 or newer?"));
    }
}

TEST(ConnectionSetup, NameThatNobodyKnows)
{
    ConnectedThread client{"redis://nobody.invalid:6380"};
    auto const failure = failure_of(client.plain({"PING"}, short_while));
    EXPECT_EQ(failure.code, Errc::store_unavailable);
    EXPECT_THAT(failure.detail, HasSubstr("nobody.invalid"));
}

TEST(ConnectionSetup, MissingSocketFile)
{
    ConnectedThread client{"unix:/nowhere/at/all"};
    auto const failure = failure_of(client.plain({"PING"}, short_while));
    EXPECT_EQ(failure.code, Errc::store_unavailable);
    EXPECT_THAT(failure.detail, HasSubstr("No such file or directory"));
}

TEST(ConnectionTls, AcceptsTheServerTheUrlNames)
{
    RedisServer const server{{.tls = true}};
    auto const port = std::to_string(server.tls_port());
    for (auto const* host : {"127.0.0.1", "localhost"}) {
        SCOPED_TRACE(host);
        ConnectedThread client{std::string{"rediss://"} + host + ":" + port, {.ca_file = server.ca_file()}};
        EXPECT_EQ(values_of(client.plain({"PING"})), pong);
    }
}

TEST(ConnectionTls, SaysWhyItTrustsNoOther)
{
    RedisServer const server{{.tls = true, .arguments = {"--bind", "127.0.0.1", "127.0.0.2"}}};
    auto const port = ":" + std::to_string(server.tls_port());
    struct Row {
        char const* what;
        char const* host;
        std::string ca_file;
        char const* reason;
    };
    for (auto const& [what, host, ca_file, reason] : {
             Row{"another CA", "127.0.0.1", server.other_ca_file(),
                 "self-signed certificate in certificate chain"},
             Row{"the system's CAs", "127.0.0.1", "", "self-signed certificate in certificate chain"},
             Row{"another address", "127.0.0.2", server.ca_file(), "IP address mismatch"},
             Row{"another name", "127.1", server.ca_file(), "hostname mismatch"},
         }) {
        SCOPED_TRACE(what);
        ConnectedThread client{std::string{"rediss://"} + host + port, {.ca_file = ca_file}};
        auto const failure = failure_of(client.plain({"PING"}, short_while));
        EXPECT_EQ(failure.code, Errc::store_unavailable);
        EXPECT_THAT(failure.detail, HasSubstr(reason));

        ConnectedThread careless{std::string{"rediss://"} + host + port, {.insecure = true}};
        EXPECT_EQ(values_of(careless.plain({"PING"})), pong);
    }
}

TEST(ConnectionTls, ShowsItsCertificate)
{
    RedisServer const server{{.tls = true, .require_client_certificate = true}};
    ConnectedThread shows{server.tls_url(),
                          {.ca_file = server.ca_file(),
                           .certificate_file = server.client_certificate_file(),
                           .private_key_file = server.client_key_file()}};
    EXPECT_EQ(values_of(shows.plain({"PING"})), pong);

    ConnectedThread hides{server.tls_url(), {.ca_file = server.ca_file()}};
    auto const failure = failure_of(hides.plain({"PING"}, short_while));
    EXPECT_EQ(failure.code, Errc::store_unavailable);
    EXPECT_THAT(failure.detail, HasSubstr("certificate required"));
}

TEST(ConnectionTls, ServerWithoutTls)
{
    RedisServer const server{{.tcp = true}};
    ConnectedThread client{"rediss://127.0.0.1:" + std::to_string(server.tcp_port()), {.insecure = true}};
    auto const failure =
        failure_of(client.plain({"PING"}, 3s));  // it waits for the rest of our first message
    EXPECT_EQ(failure.code, Errc::store_unavailable);
    EXPECT_THAT(failure.detail, HasSubstr("that it speaks TLS there"));
}

TEST(CheckTls, RefusesFilesThatCannotBeUsed)
{
    auto const problem = [](std::string const& url, TlsOptions const& options) -> std::string {
        try {
            check_tls(core::parse_store_url(url), options);
        } catch (Error const& error) {
            EXPECT_EQ(error.code(), Errc::invalid_argument);
            return error.what();
        }
        return "none";
    };
    EXPECT_EQ(problem("rediss://localhost", {}), "none");
    EXPECT_THAT(problem("unix:/run/redis.sock", {.insecure = true}), HasSubstr("write rediss://"));
    EXPECT_EQ(problem("memory:", {.ca_file = "/nowhere"}), "none") << "not used, so not looked at";
    EXPECT_THAT(problem("rediss://localhost", {.ca_file = "/nowhere"}),
                HasSubstr("TlsOptions::ca_file: \"/nowhere\""));
    EXPECT_THAT(problem("rediss://localhost", {.certificate_file = "/nowhere"}),
                HasSubstr("both or neither"));
    EXPECT_THAT(
        problem("rediss://localhost", {.certificate_file = "/nowhere", .private_key_file = "/nowhere"}),
        HasSubstr("TlsOptions::certificate_file"));
    EXPECT_THAT(problem("redis://localhost", {.ca_file = "/nowhere"}), HasSubstr("write rediss://"));
}

}  // namespace
}  // namespace ration::redis
