// Keys that somebody else took away, filled with something else, or left no room for.

#include "redis/load.hpp"
#include "redis/outcomes.hpp"
#include "redis/stored_bucket.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace ration::redis_test {
namespace {

using testing::HasSubstr;

std::string const value_key = "{one}:value";
std::string const log_key = "{one}:permits";

/// A slow machine must not look like a server that says nothing.
ClientOptions const unhurried{.command_timeout = 10s};

class Data : public testing::Test {
protected:
    RedisServer server_{{.own_clock = true}};
    RespClient admin_{server_.socket_path()};
    Client client_{server_.unix_url(), unhurried};
    RateLimiter limiter_ = client_.rate_limiter("one");
};

// ---- evicted ----

TEST_F(Data, AnEvictedLogCountsAsGrantedNow)
{
    server_.clock().freeze(server_.clock().now());
    limiter_.set_rate(Rate::per(10, 10s));
    EXPECT_TRUE(limiter_.try_acquire(4));
    server_.clock().advance(9s);
    admin_.integer("DEL", log_key);
    EXPECT_EQ(limiter_.available_permits(), 6);
    EXPECT_TRUE(limiter_.try_acquire(6));
    EXPECT_FALSE(limiter_.try_acquire());
    server_.clock().advance(9'999ms);
    EXPECT_FALSE(limiter_.try_acquire()) << "when the four were granted is not known: at the latest now";
    server_.clock().advance(1ms);
    EXPECT_TRUE(limiter_.try_acquire(10));
}

TEST_F(Data, AnEvictedValueIsWorkedOutFromTheLog)
{
    server_.clock().freeze(server_.clock().now());
    limiter_.set_rate(Rate::per(10, 10s));
    EXPECT_TRUE(limiter_.try_acquire(4));
    server_.clock().advance(9s);
    admin_.integer("DEL", value_key);
    EXPECT_EQ(limiter_.available_permits(), 6);
    EXPECT_FALSE(limiter_.try_acquire(7));
    EXPECT_TRUE(limiter_.try_acquire(6));
    EXPECT_EQ(admin_.text("GET", value_key), "0");
    server_.clock().advance(1s);
    EXPECT_EQ(limiter_.available_permits(), 4) << "each still has its own time";
}

TEST_F(Data, EvictedUnderLoadLetsNothingTooMuchThrough)
{
    auto const rate = Rate::per(100, 50ms);
    limiter_.set_rate(rate);
    Load load{limiter_, {}};
    for (int round = 0; round < 20; ++round) {
        for (auto const& key : {value_key, log_key}) {
            // One at a time: without both, nothing tells that anything was granted.
            EXPECT_TRUE(becomes_true([&] { return admin_.integer("EXISTS", value_key, log_key) == 2; }));
            admin_.integer("DEL", key);
        }
    }
    auto const tally = load.finish();
    EXPECT_EQ(tally.surprise, "");
    EXPECT_LE(most_in_an_interval(tally.claims, rate), rate.permits());
    EXPECT_GT(tally.granted, rate.permits()) << "they went on";
    EXPECT_TRUE(limiter_.try_acquire_for(5s, rate.permits())) << "all comes free again";
    EXPECT_EQ(admin_.text("GET", value_key), "0");
}

// ---- of another kind ----

TEST_F(Data, OfAnotherProgramIsLeftAloneWhateverThePolicy)
{
    for (std::string const& key : {std::string{"one"}, value_key, log_key}) {
        SCOPED_TRACE(key);
        admin_.text("FLUSHALL");
        if (key != "one") limiter_.set_rate(Rate::per(10, 1h));
        admin_.integer("DEL", key);
        admin_.integer("RPUSH", key, "mine");
        auto const before = admin_.text("DUMP", key);
        for (auto const policy :
             {OnStoreFailure::error, OnStoreFailure::allow, OnStoreFailure::deny, OnStoreFailure::local}) {
            Client client{server_.unix_url(), unhurried};
            auto limiter = client.rate_limiter("one", {.on_store_failure = policy});
            for (auto const& refused : {outcome_of([&] { return limiter.try_acquire(); }),
                                        outcome_of([&] { return limiter.acquire(); })}) {
                EXPECT_EQ(refused.code, Errc::incompatible_data) << refused.code.message();
                EXPECT_THAT(refused.sentence, HasSubstr("limiter \"one\": "));
            }
        }
        EXPECT_EQ(admin_.text("DUMP", key), before);
    }
}

TEST_F(Data, OfAnotherProgramUnderAKeyIsLeftAloneAndHurtsNoOtherKey)
{
    auto keyed = client_.keyed_rate_limiter(
        "user", {.rate = Rate::per(10, 1h), .on_store_failure = OnStoreFailure::allow});
    admin_.integer("RPUSH", "user:ann", "mine");
    auto const refused = outcome_of([&] { return keyed.try_acquire("ann"); });
    EXPECT_EQ(refused.code, Errc::incompatible_data) << refused.code.message();
    EXPECT_THAT(refused.sentence, HasSubstr("key \"ann\" of keyed limiter \"user\": "));
    EXPECT_EQ(admin_.text("LINDEX", "user:ann", 0), "mine");
    EXPECT_EQ(keyed.try_acquire("bob").basis, Basis::store);
}

// ---- no room ----

/// Each key of the limiter, byte for byte.
std::vector<std::string> contents(RespClient& admin)
{
    std::vector<std::string> all;
    for (auto const& key : admin.list("KEYS", "*")) {
        all.push_back(key + ' ' + admin.text("DUMP", key) + ' '
                      + std::to_string(admin.integer("PEXPIRETIME", key)));
    }
    std::sort(all.begin(), all.end());
    return all;
}

struct FullRow {
    char const* what;
    LimiterOptions options;
    Duration pause;  ///< between the first grants and the others
    bool evict_log = false;
    bool evict_value = false;
    RateOptions rate_options = {.keep_alive = 1h};
};

TEST_F(Data, ARefusalForWantOfMemoryChangesNothing)
{
    FullRow const rows[] = {
        {"a sliding log", {}, 1s},
        {"with entries to drop", {}, 10s},
        {"with nothing but entries to drop", {}, 30s},
        {"that joins entries", {.log_resolution = 5s}, 1s},
        {"whose log is gone", {}, 1s, true, false},
        {"whose value is gone", {}, 1s, false, true},
        {"a fixed window", {.algorithm = Algorithm::fixed_window}, 1s, false, false, {}},
        {"a token bucket", {.algorithm = Algorithm::token_bucket}, 1s},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.what);
        admin_.text("FLUSHALL");
        server_.clock().freeze(server_.clock().now() + 1h);
        Client client{server_.unix_url(), unhurried};
        auto limiter = client.rate_limiter("one", row.options);
        limiter.set_rate(Rate::per(10, 20s), row.rate_options);
        EXPECT_TRUE(limiter.try_acquire(2));
        server_.clock().advance(12s);
        EXPECT_TRUE(limiter.try_acquire(3));
        server_.clock().advance(row.pause);
        if (row.evict_log) admin_.integer("DEL", log_key);
        if (row.evict_value) admin_.integer("DEL", value_key);

        auto const before = contents(admin_);
        admin_.text("CONFIG", "SET", "maxmemory", "1");
        EXPECT_EQ(outcome_of([&] { return limiter.try_acquire(); }).code, Errc::store_unavailable);
        EXPECT_EQ(contents(admin_), before);
        admin_.text("CONFIG", "SET", "maxmemory", "0");
        EXPECT_TRUE(limiter.try_acquire());
    }
}

TEST_F(Data, ARateThatFindsNoRoomChangesNothing)
{
    limiter_.set_rate(Rate::per(10, 1h));
    EXPECT_TRUE(limiter_.try_acquire(4));
    auto const before = contents(admin_);
    admin_.text("CONFIG", "SET", "maxmemory", "1");
    auto const code_of = [&](auto call) {
        return outcome_of([&] {
                   call();
                   return Decision{};
               })
            .code;
    };
    EXPECT_EQ(code_of([&] { limiter_.set_rate(Rate::per(20, 1h)); }), Errc::store_unavailable);
    EXPECT_EQ(code_of([&] { limiter_.update_rate(Rate::per(20, 1h)); }), Errc::store_unavailable);
    EXPECT_EQ(code_of([&] { limiter_.ensure_rate(Rate::per_second(5).with_burst(3)); }),
              Errc::store_unavailable);
    EXPECT_EQ(contents(admin_), before);
}

// ---- a rate that has changed in code ----

TEST(KeyedBucket, PartsThatAnotherRateWroteGiveNothingAway)
{
    RedisServer const server;
    RespClient admin{server.socket_path()};
    Client client{server.unix_url(), {.command_timeout = 5s}};
    auto users = client.keyed_rate_limiter("api", {.rate = Rate::per_minute(60)});
    // Before the last deploy it was 7 per minute: a permit had 60 000 000 parts, and almost one had come back.
    auto const now =
        std::chrono::floor<Duration>(std::chrono::system_clock::now()).time_since_epoch().count();
    admin.text("SET", "api:ann", stored_bucket(now, 60, 59'999'999), "PX", 60'000);
    EXPECT_LE(users.available_permits("ann"), 1);
}

}  // namespace
}  // namespace ration::redis_test
