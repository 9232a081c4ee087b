// Servers that refuse: what the caller is told, whom a policy answers for, and that all is well afterwards.

#include "redis/outcomes.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"
#include "redis/support/sockets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ration::redis_test {
namespace {

using testing::HasSubstr;

Rate const rate = Rate::per(10, 1h);

/// A refusal comes at once; a slow machine must not look like a server that says nothing.
ClientOptions const unhurried{.command_timeout = 10s};

/// A limiter with 4 of 10 permits in use, twice: for one who wants to know of trouble, and for one who does not.
class Refusal : public testing::Test {
protected:
    explicit Refusal(RedisServerOptions options = {}) : server_{std::move(options)}
    {
        strict_.set_rate(rate);
        EXPECT_TRUE(strict_.try_acquire(3));
        EXPECT_TRUE(lax_.try_acquire(1));
    }

    /// While the server refuses: a transient failure, which names what it is, and which a policy may answer for.
    void expect_unavailable(std::string const& word)
    {
        auto const refused = outcome_of([&] { return strict_.try_acquire(); });
        EXPECT_EQ(refused.code, Errc::store_unavailable) << refused.code.message();
        EXPECT_THAT(refused.sentence, HasSubstr("limiter \"one\": "));
        EXPECT_THAT(refused.sentence, HasSubstr(word));
        EXPECT_LT(refused.took, unhurried.command_timeout);
        auto const allowed = lax_.try_acquire();
        EXPECT_TRUE(allowed.granted);
        EXPECT_EQ(allowed.basis, Basis::fail_open);
    }

    /// Afterwards: nothing was taken meanwhile, and the server itself answers everybody.
    void expect_recovery()
    {
        EXPECT_TRUE(becomes_true([&] { return !outcome_of([&] { return strict_.peek(); }).code; }));
        EXPECT_EQ(strict_.available_permits(), 6);
        EXPECT_TRUE(strict_.try_acquire(1));
        EXPECT_TRUE(becomes_true([&] { return lax_.try_acquire(6).basis == Basis::store; })) << "and denies";
        EXPECT_EQ(strict_.available_permits(), 5);
    }

    RedisServer server_;
    RespClient admin_{server_.socket_path()};
    Client strict_client_{server_.unix_url(), unhurried};
    Client lax_client_{server_.unix_url(), unhurried};
    RateLimiter strict_ = strict_client_.rate_limiter("one");
    RateLimiter lax_ = lax_client_.rate_limiter("one", {.on_store_failure = OnStoreFailure::allow});
};

TEST_F(Refusal, ByAReplica)
{
    auto const nobody = take_free_port();
    admin_.text("REPLICAOF", "127.0.0.1", nobody.number);
    expect_unavailable("READONLY");
    admin_.text("REPLICAOF", "NO", "ONE");
    expect_recovery();
}

TEST_F(Refusal, ByAServerWhoseMemoryIsFull)
{
    admin_.text("CONFIG", "SET", "maxmemory", "1");
    expect_unavailable("OOM");
    admin_.text("CONFIG", "SET", "maxmemory", "0");
    expect_recovery();
}

TEST_F(Refusal, ByAServerThatIsBusyWithAScript)
{
    admin_.text("CONFIG", "SET", "lua-time-limit", "1");
    std::thread culprit{[path = server_.socket_path()] {
        RespClient{path}.command({"EVAL", "while true do end", "0"});
    }};
    EXPECT_TRUE(becomes_true([&] { return admin_.command({"PING"}).text.starts_with("BUSY"); }));
    expect_unavailable("BUSY");
    EXPECT_EQ(admin_.command({"SCRIPT", "KILL"}).text, "OK");
    culprit.join();
    expect_recovery();
}

class RefusalWithALog : public Refusal {
protected:
    RefusalWithALog() : Refusal{{.append_only = true, .arguments = {"--enable-debug-command", "yes"}}} {}
};

TEST_F(RefusalWithALog, ByAServerThatIsLoading)
{
    // Slow enough to be seen: 0.1 ms for each of these. It looks up from its work after each 1024.
    std::vector<std::vector<std::string>> const commands(6'000, {"SET", "x", "y"});
    admin_.pipeline(commands);
    admin_.text("CONFIG", "SET", "key-load-delay", "100");
    std::thread loader{[path = server_.socket_path()] { RespClient{path}.command({"DEBUG", "LOADAOF"}); }};
    EXPECT_TRUE(becomes_true([&] { return admin_.command({"GET", "x"}).text.starts_with("LOADING"); }));
    expect_unavailable("LOADING");
    loader.join();
    expect_recovery();
}

// ---- refusals that last ----

/// Whatever the policy, the caller is told.
void expect_access_denied(std::string const& url, std::string const& word)
{
    for (auto const policy :
         {OnStoreFailure::error, OnStoreFailure::allow, OnStoreFailure::deny, OnStoreFailure::local}) {
        Client client{url, unhurried};
        auto limiter = client.rate_limiter("one", {.on_store_failure = policy});
        auto keyed = client.keyed_rate_limiter("user", {.rate = rate, .on_store_failure = policy});
        for (auto const& refused : {outcome_of([&] { return limiter.try_acquire(); }),
                                    outcome_of([&] { return limiter.acquire(); }),
                                    outcome_of([&] { return keyed.try_acquire("ann"); })}) {
            EXPECT_EQ(refused.code, Errc::access_denied) << refused.code.message();
            EXPECT_THAT(refused.sentence, HasSubstr(word));
            EXPECT_THAT(refused.sentence, testing::Not(HasSubstr("guess")));
            EXPECT_LT(refused.took, unhurried.command_timeout);
        }
    }
}

TEST(Refused, WithoutAPassword)
{
    RedisServer const server{{.tcp = true, .arguments = {"--requirepass", "secret"}}};
    expect_access_denied(server.tcp_url(), "NOAUTH");
}

TEST(Refused, WithTheWrongPassword)
{
    RedisServer const server{{.tcp = true, .arguments = {"--requirepass", "secret"}}};
    expect_access_denied("redis://:guess@127.0.0.1:" + std::to_string(server.tcp_port()), "WRONGPASS");
}

TEST(Refused, WithoutThePermission)
{
    RedisServer const server{{.tcp = true}};
    Client{server.unix_url(), unhurried}.rate_limiter("one").set_rate(rate);
    RespClient admin{server.socket_path()};
    auto const url = "redis://guest:guess@127.0.0.1:" + std::to_string(server.tcp_port());

    // Not even scripts; then scripts, but not what they do.
    admin.text("ACL", "SETUSER", "guest", "on", ">guess", "~*", "+hello", "+ping");
    expect_access_denied(url, "NOPERM");
    admin.text("ACL", "SETUSER", "guest", "+@scripting", "+time", "+hmget", "+get");
    expect_access_denied(url, "ACL rule");
}

}  // namespace
}  // namespace ration::redis_test
