// What answers for a server that is down, and that it stands back when the server does not need it.

#include "redis/outcomes.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <gtest/gtest.h>

#include <future>

namespace ration::redis_test {
namespace {

constexpr auto command_timeout = 500ms;
Rate const rate = Rate::per(10, 1h);

/// A limiter and a keyed limiter with one policy, of a server that can be killed and comes back as it was.
class Policy : public testing::Test {
protected:
    explicit Policy(OnStoreFailure policy, Permits local_share = 1)
        : limiter_{client_.rate_limiter("one", {.on_store_failure = policy, .local_share = local_share})},
          keyed_{client_.keyed_rate_limiter(
              "user", {.rate = rate, .on_store_failure = policy, .local_share = local_share})}
    {
        limiter_.set_rate(rate);
        EXPECT_EQ(limiter_.try_acquire().basis, Basis::store);
        EXPECT_EQ(keyed_.try_acquire("ann").basis, Basis::store);
        // What reads the rate for the local limiter went ahead of this over the same connection.
        EXPECT_EQ(limiter_.config().rate, rate);
    }

    /// Sees to it that the server itself answers both again, soon after its return.
    void expect_the_store_is_back()
    {
        auto const back = SteadyClock::now();
        auto const answers = [](auto ask) {
            return becomes_true([&] {
                auto const outcome = outcome_of(ask);
                return !outcome.code && outcome.decision.basis == Basis::store;
            });
        };
        EXPECT_TRUE(answers([&] { return limiter_.try_acquire(); }));
        EXPECT_TRUE(answers([&] { return keyed_.try_acquire("ann"); }));
        EXPECT_LT(SteadyClock::now() - back, 1s + slack / 2);
        EXPECT_EQ(limiter_.available_permits(), 8) << "what was decided elsewhere is not counted here";
        EXPECT_EQ(keyed_.available_permits("ann"), 8);
    }

    RedisServer server_{{.append_only = true}};
    Client client_{server_.unix_url(), {.command_timeout = command_timeout}};
    RateLimiter limiter_;
    KeyedRateLimiter keyed_;
};

// ---- error ----

class PolicyError : public Policy {
protected:
    PolicyError() : Policy{OnStoreFailure::error} {}
};

TEST_F(PolicyError, FailsInTime)
{
    server_.kill_hard();
    // The first one may still go out before the loss of the connection is seen.
    auto const first = outcome_of([&] { return limiter_.try_acquire(); });
    EXPECT_TRUE(first.code == Errc::store_unavailable || first.code == Errc::outcome_unknown)
        << first.sentence;
    EXPECT_LT(first.took, command_timeout + slack);
    for (auto const& failed :
         {outcome_of([&] { return limiter_.try_acquire(); }), outcome_of([&] { return limiter_.acquire(); }),
          outcome_of([&] { return limiter_.try_acquire_for(1h); }),
          outcome_of([&] { return keyed_.try_acquire("ann"); })}) {
        EXPECT_EQ(failed.code, Errc::store_unavailable) << failed.code.message();
        EXPECT_LT(failed.took, command_timeout + slack);
    }
    server_.start();
    expect_the_store_is_back();
}

// ---- allow ----

class PolicyAllow : public Policy {
protected:
    PolicyAllow() : Policy{OnStoreFailure::allow} {}
};

TEST_F(PolicyAllow, GrantsUnseen)
{
    server_.kill_hard();
    for (int i = 0; i < 30; ++i) {
        auto const first = outcome_of([&] { return limiter_.try_acquire(); });
        EXPECT_TRUE(first.decision.granted);
        EXPECT_EQ(first.decision.basis, Basis::fail_open);
        EXPECT_LT(first.took, command_timeout + slack);
        EXPECT_EQ(limiter_.acquire(3).basis, Basis::fail_open);
        EXPECT_EQ(limiter_.try_acquire_for(1s).basis, Basis::fail_open);
        EXPECT_EQ(keyed_.try_acquire("ann").basis, Basis::fail_open);
    }
    server_.start();
    expect_the_store_is_back();
}

TEST_F(PolicyAllow, DoesNotWaitForAServerThatIsKnownToBeDown)
{
    server_.kill_hard();
    EXPECT_TRUE(limiter_.try_acquire());
    auto const begin = SteadyClock::now();
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(limiter_.try_acquire());
    EXPECT_LT(SteadyClock::now() - begin, 10 * command_timeout);
}

// ---- deny ----

class PolicyDeny : public Policy {
protected:
    PolicyDeny() : Policy{OnStoreFailure::deny} {}
};

TEST_F(PolicyDeny, DeniesUnseenAndSaysWhenToComeAgain)
{
    server_.kill_hard();
    for (auto const& denied : {outcome_of([&] { return limiter_.try_acquire(); }),
                               outcome_of([&] { return limiter_.try_acquire(); }),
                               outcome_of([&] { return keyed_.try_acquire("ann"); })}) {
        EXPECT_FALSE(denied.code) << denied.sentence;
        EXPECT_FALSE(denied.decision.granted);
        EXPECT_EQ(denied.decision.basis, Basis::fail_closed);
        EXPECT_GT(denied.decision.retry_after, Duration{});
        EXPECT_LT(denied.took, command_timeout + slack);
    }
    EXPECT_EQ(client_.stats().denials.fail_closed, 3U);
    EXPECT_EQ(client_.stats().denials.store, 0U);
    server_.start();
    expect_the_store_is_back();
}

TEST_F(PolicyDeny, DeniesThosePatientForTooShort)
{
    server_.kill_hard();
    auto const denied = outcome_of([&] { return limiter_.try_acquire_for(800ms); });
    EXPECT_FALSE(denied.code) << denied.sentence;
    EXPECT_FALSE(denied.decision.granted);
    EXPECT_LT(denied.took, 800ms + command_timeout + slack);
}

TEST_F(PolicyDeny, SaysSoToThoseBehindSomebodyWhoWaitsForTheServer)
{
    server_.kill_hard();
    auto waiting = std::async(std::launch::async, [&] { return limiter_.acquire(5); });
    EXPECT_TRUE(becomes_true([&] { return client_.stats().waiters == 1; }));
    for (int i = 0; i < 5; ++i) EXPECT_EQ(limiter_.try_acquire().basis, Basis::fail_closed);
    EXPECT_EQ(client_.stats().denials.store, 0U);
    server_.start();
    EXPECT_TRUE(waiting.get());
}

TEST_F(PolicyDeny, LetsThosePatientEnoughWaitForTheServer)
{
    server_.kill_hard();
    auto timed = std::async(std::launch::async, [&] { return limiter_.try_acquire_for(20s, 2); });
    auto untimed = std::async(std::launch::async, [&] { return limiter_.acquire(); });
    auto of_a_key = std::async(std::launch::async, [&] { return keyed_.try_acquire_for("ann", 20s, 2); });
    EXPECT_TRUE(becomes_true([&] { return client_.stats().waiters == 3; }));
    EXPECT_EQ(timed.wait_for(2 * command_timeout), std::future_status::timeout);
    server_.start();
    auto const back = SteadyClock::now();
    for (auto* const waiter : {&timed, &untimed, &of_a_key}) {
        auto const decision = waiter->get();
        EXPECT_TRUE(decision.granted);
        EXPECT_EQ(decision.basis, Basis::store);
    }
    EXPECT_LT(SteadyClock::now() - back, 1s + slack / 2);
    EXPECT_EQ(limiter_.available_permits(), 10 - 1 - 2 - 1);
    EXPECT_EQ(keyed_.available_permits("ann"), 10 - 1 - 2);
}

// ---- local ----

class PolicyLocal : public Policy {
protected:
    PolicyLocal() : Policy{OnStoreFailure::local, 3} {}
};

TEST_F(PolicyLocal, HasItsShareOfTheRateRoundedDown)
{
    server_.kill_hard();
    for (int i = 0; i < 3; ++i) {
        auto const granted = limiter_.try_acquire();
        EXPECT_TRUE(granted.granted);
        EXPECT_EQ(granted.basis, Basis::local_fallback);
        EXPECT_EQ(granted.remaining, 2 - i);
    }
    auto const denied = limiter_.try_acquire();
    EXPECT_FALSE(denied.granted);
    EXPECT_EQ(denied.basis, Basis::local_fallback);
    EXPECT_GT(denied.retry_after, Duration{});
    EXPECT_LT(denied.retry_after, 1s) << "soon, because the server may be back then";
    EXPECT_EQ(client_.stats().denials.local_fallback, 1U);
    EXPECT_EQ(client_.stats().denials.fail_closed, 0U);
    server_.start();
    expect_the_store_is_back();
}

TEST_F(PolicyLocal, AsksTheServerForThoseWhoWaitSoonAfterItsReturn)
{
    server_.kill_hard();
    EXPECT_TRUE(limiter_.try_acquire(3)) << "all that it has for itself in this hour";
    auto untimed = std::async(std::launch::async, [&] { return limiter_.acquire(); });
    auto timed = std::async(std::launch::async, [&] { return limiter_.try_acquire_for(10min); });
    EXPECT_TRUE(becomes_true([&] { return client_.stats().waiters == 2; }));
    EXPECT_EQ(untimed.wait_for(2 * command_timeout), std::future_status::timeout);
    server_.start();
    auto const back = SteadyClock::now();
    EXPECT_EQ(untimed.get().basis, Basis::store);
    EXPECT_EQ(timed.get().basis, Basis::store);
    EXPECT_LT(SteadyClock::now() - back, 1s + slack / 2);
}

TEST_F(PolicyLocal, KeepsTheStateOfEachKey)
{
    server_.kill_hard();
    for (char const* const key : {"ann", "bob"}) {
        for (int i = 0; i < 3; ++i) {
            auto const granted = keyed_.try_acquire(key);
            EXPECT_TRUE(granted.granted);
            EXPECT_EQ(granted.basis, Basis::local_fallback);
        }
        EXPECT_FALSE(keyed_.try_acquire(key).granted);
        EXPECT_FALSE(keyed_.try_acquire(key).granted) << "remembered from one request to the next";
    }
    EXPECT_EQ(client_.stats().denials.local_fallback, 4U);
    server_.start();
    expect_the_store_is_back();
}

TEST_F(PolicyLocal, DeniesWhatIsMoreThanItsShareButNotMoreThanTheRate)
{
    server_.kill_hard();
    auto const denied = limiter_.try_acquire(4);
    EXPECT_FALSE(denied.granted);
    EXPECT_EQ(denied.basis, Basis::local_fallback);
    EXPECT_GT(denied.retry_after, Duration{});
    auto waiting = std::async(std::launch::async, [&] { return limiter_.try_acquire_for(20s, 4); });
    EXPECT_TRUE(becomes_true([&] { return client_.stats().waiters == 1; }));
    server_.start();
    auto const served = waiting.get();
    EXPECT_TRUE(served.granted);
    EXPECT_EQ(served.basis, Basis::store);
}

TEST_F(PolicyLocal, FollowsARateThatAnotherProcessHasChanged)
{
    Client other{server_.unix_url(), {.command_timeout = 10s}};
    other.rate_limiter("one").update_rate(Rate::per(20, 1h));
    EXPECT_TRUE(limiter_.try_acquire());  // hears of it
    EXPECT_EQ(limiter_.config().rate.permits(), 20);
    server_.kill_hard();
    EXPECT_TRUE(limiter_.try_acquire(6));
    EXPECT_FALSE(limiter_.try_acquire());
}

TEST(PolicyLocalShare, IsAtLeastOnePermit)
{
    RedisServer server;
    Client client{server.unix_url(), {.command_timeout = command_timeout}};
    auto limiter =
        client.rate_limiter("one", {.on_store_failure = OnStoreFailure::local, .local_share = 1000});
    limiter.set_rate(rate);
    EXPECT_TRUE(limiter.try_acquire());
    EXPECT_EQ(limiter.config().rate, rate);
    server.kill_hard();
    EXPECT_EQ(limiter.try_acquire().basis, Basis::local_fallback);
    EXPECT_FALSE(limiter.try_acquire().granted);
}

TEST(PolicyLocalShare, NeedsARateThatIsKnown)
{
    RedisServer server;
    server.kill_hard();
    Client client{server.unix_url(), {.command_timeout = command_timeout}};
    auto limiter = client.rate_limiter("one", {.on_store_failure = OnStoreFailure::local});
    EXPECT_EQ(outcome_of([&] { return limiter.try_acquire(); }).code, Errc::store_unavailable);
    // The rate of a keyed limiter is in the code.
    auto keyed = client.keyed_rate_limiter("user", {.rate = rate, .on_store_failure = OnStoreFailure::local});
    EXPECT_EQ(keyed.try_acquire("ann", 10).basis, Basis::local_fallback);
}

// ---- what is nobody's to answer but the server's ----

TEST(APolicy, DoesNotStandInForARateThatNobodySet)
{
    RedisServer const server;
    for (auto const policy : {OnStoreFailure::allow, OnStoreFailure::deny, OnStoreFailure::local}) {
        Client client{server.unix_url(), {.command_timeout = 10s}};
        auto limiter = client.rate_limiter("one", {.on_store_failure = policy});
        EXPECT_EQ(outcome_of([&] { return limiter.try_acquire(); }).code, Errc::not_initialized);
        EXPECT_EQ(outcome_of([&] { return limiter.acquire(); }).code, Errc::not_initialized);
    }
}

TEST(APolicy, DoesNotStandInForAServerThatComesBackAndRefusesUs)
{
    RedisServer server{{.tcp = true}};
    RespClient{server.socket_path()}.command({"ACL", "SETUSER", "ann", "on", ">secret", "~*", "+@all"});
    Client client{"redis://ann:secret@127.0.0.1:" + std::to_string(server.tcp_port()),
                  {.command_timeout = command_timeout}};
    auto limiter = client.rate_limiter("one", {.on_store_failure = OnStoreFailure::allow});
    limiter.set_rate(rate);
    server.kill_hard();
    EXPECT_EQ(limiter.try_acquire().basis, Basis::fail_open);
    server.start();  // without a file of users: nobody knows ann any more
    EXPECT_TRUE(becomes_true(
        [&] { return outcome_of([&] { return limiter.try_acquire(); }).code == Errc::access_denied; }));
}

TEST(APolicy, CountsDenialsByWhoDenied)
{
    RedisServer server;
    Client client{server.unix_url(), {.command_timeout = command_timeout}};
    client.rate_limiter("one").set_rate(rate);
    auto keyed = client.keyed_rate_limiter(
        "user", {.rate = Rate::per(1, 1h), .on_store_failure = OnStoreFailure::deny});
    auto local = client.keyed_rate_limiter(
        "address", {.rate = Rate::per(1, 1h), .on_store_failure = OnStoreFailure::local});
    EXPECT_TRUE(keyed.try_acquire("ann"));
    EXPECT_FALSE(keyed.try_acquire("ann"));
    server.kill_hard();
    EXPECT_FALSE(keyed.try_acquire("ann"));
    EXPECT_FALSE(keyed.try_acquire("bob"));
    EXPECT_TRUE(local.try_acquire("::1"));
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(local.try_acquire("::1"));
    auto const stats = client.stats();
    EXPECT_EQ(stats.denials.store, 1U);
    EXPECT_EQ(stats.denials.fail_closed, 2U);
    EXPECT_EQ(stats.denials.local_fallback, 3U);
    EXPECT_EQ(stats.decisions, 8U);
}

}  // namespace
}  // namespace ration::redis_test
