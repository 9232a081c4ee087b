// The defects of Redisson 4.7.0, each under the number that docs/redisson.md gives it: the state that
// Java leaves is written here byte by byte, and ration corrects it, refuses it or, where it cannot do either, is not
// confused by it. Then other ways in which that state can be damaged.

#include "redis/twin_java.hpp"
#include "redis/twin_scripts.hpp"

namespace ration::redis_test {
namespace {

using ::testing::ElementsAre;

using Defects = JavaScene;

TEST_F(Defects, Defect1_AvailablePermitsCreatesOrStripsNothing)
{
    java_config(10, 2s);
    EXPECT_EQ(limiter().available_permits(), 10);
    EXPECT_THAT(keys(), ElementsAre("lim")) << "no orphan";

    java_value(7);
    java_grant(3, start_ms);
    for (auto const* key : {"lim", "{lim}:value", "{lim}:permits"}) redis_.integer("PEXPIRE", key, 10'000);
    advance(2s);
    EXPECT_EQ(limiter().available_permits(), 10) << "a grant has expired";
    EXPECT_EQ(ttl("{lim}:value"), 8000);
    EXPECT_EQ(ttl("{lim}:permits"), 8000);
}

TEST_F(Defects, Defect2_AvailablePermitsIsNeverAboveTheRate)
{
    java_config(10, 2s);
    java_value(10);  // Java's release(3) gives back, and leaves the grant in the log
    java_grant(3, start_ms);
    EXPECT_EQ(limiter().available_permits(), 7) << "the log says what is in use";
    advance(2s);
    EXPECT_EQ(limiter().available_permits(), 10);
    ASSERT_TRUE(limiter().try_acquire(10));
    EXPECT_FALSE(limiter().try_acquire());
}

TEST_F(Defects, Defect3_ValueWithoutPermitsNeverFails)
{
    java_config(10, 2s);
    java_value(2);
    auto const denied = limiter().try_acquire(8);
    EXPECT_FALSE(denied);
    EXPECT_EQ(denied.remaining, 2);
    EXPECT_EQ(denied.retry_after, 2s) << "what is missing counts as granted now";
    EXPECT_EQ(total(), 10);
    EXPECT_EQ(members().at(0).permits(), 8);
    advance(2s - 1ms);
    EXPECT_FALSE(limiter().try_acquire(8));
    advance(1ms);
    EXPECT_TRUE(limiter().try_acquire(8));
}

// Another client has raised the rate, and this one's value is still of the old one.
TEST_F(Defects, Defect3_ValueOfALowerRateOfOneClientNeverFails)
{
    java_config(10, 2s, 1);
    redis_.text("SET", "{lim}:value:" + client_.id(), 5);
    EXPECT_FALSE(limiter().try_acquire(8));
    advance(2s);
    EXPECT_TRUE(limiter().try_acquire(8));
}

TEST_F(Defects, Defect4_PermitsWithoutValueDoNotStartAtTheRate)
{
    java_config(10, 2s);
    java_grant(6, start_ms - 1000);
    java_grant(1, start_ms - 3000);  // expired
    EXPECT_EQ(limiter().available_permits(), 4);
    EXPECT_FALSE(limiter().try_acquire(5));
    ASSERT_TRUE(limiter().try_acquire(4));
    EXPECT_EQ(value(), "0");
    EXPECT_EQ(total(), 10);
}

TEST_F(Defects, Defect5_ARateIsSetForAllClients)
{
    constexpr RateOptions per_client{.type = RateType::per_client};
    auto other_client = new_client();
    auto others = other_client.rate_limiter("lim");
    limiter().set_rate(Rate::per(10, 2s), per_client);
    ASSERT_TRUE(others.try_acquire(8));
    limiter().update_rate(Rate::per(5, 2s), per_client);
    EXPECT_EQ(others.available_permits(), 0) << "its grants are kept, and the rate is obeyed";
    EXPECT_EQ(redis_.text("GET", "{lim}:value:" + other_client.id()), "-3");
    limiter().set_rate(Rate::per(5, 2s), per_client);
    EXPECT_EQ(others.available_permits(), 5) << "its grants are forgotten";
}

TEST_F(Defects, Defect6_KeepAliveCanBeRemoved)
{
    limiter().set_rate(Rate::per(10, 2s), {.keep_alive = 5s});
    ASSERT_TRUE(limiter().try_acquire());
    limiter().update_rate(Rate::per(10, 2s));
    for (auto const* key : {"lim", "{lim}:value", "{lim}:permits"}) EXPECT_EQ(ttl(key), -1) << key;
    limiter().set_rate(Rate::per(10, 2s), {.keep_alive = 5s});
    limiter().set_rate(Rate::per(10, 2s));
    EXPECT_EQ(ttl("lim"), -1);
    EXPECT_EQ(fields().at("keepAliveTime"), "0");
}

TEST_F(Defects, Defect7_NoneAndFewerPermitsAreRefused)
{
    limiter().set_rate(Rate::per(10, 2s));
    for (Permits const n : {0, -1, -10}) {
        EXPECT_EQ(error_of([&] { (void)limiter().try_acquire(n); }), Errc::invalid_argument) << n;
    }
    EXPECT_THAT(keys(), ElementsAre("lim"));
}

TEST_F(Defects, Defect7_AMemberOfNoPermitsIsPurgedAndNobodyWaitsForIt)
{
    java_config(10, 2s);
    java_value(0);
    java_grant(0, start_ms - 5000);  // Java keeps it for ever, and reckons waits from it
    java_grant(10, start_ms - 500);
    auto const denied = limiter().try_acquire();
    EXPECT_FALSE(denied);
    EXPECT_EQ(denied.retry_after, 1500ms);
    EXPECT_EQ(members().size(), 1U);
}

TEST_F(Defects, Defect7_AMemberOfFewerPermitsGivesNothingAway)
{
    java_config(10, 2s);
    java_value(15);
    java_grant(-5, start_ms);
    EXPECT_FALSE(limiter().try_acquire());
    advance(2s);
    ASSERT_TRUE(limiter().try_acquire(10));
    EXPECT_EQ(total(), 10);
}

TEST_F(Defects, Defect8_NoRateAndNoIntervalAreRefused)
{
    EXPECT_EQ(error_of([] { (void)Rate::per(0, 2s); }), Errc::invalid_argument);
    EXPECT_EQ(error_of([] { (void)Rate::per(10, 0s); }), Errc::invalid_argument);
    java_config(10, 0s);
    EXPECT_EQ(error_of([&] { (void)limiter().try_acquire(); }), Errc::incompatible_data);
    java_config(0, 2s);
    EXPECT_EQ(error_of([&] { (void)limiter().try_acquire(); }), Errc::incompatible_data);
    EXPECT_THAT(keys(), ElementsAre("lim")) << "nothing was written";
}

TEST_F(Defects, Defect9_ACallIsNeverSentTwice)
{
    Client impatient{server_->unix_url(), {.command_timeout = 200ms}};
    auto lim = impatient.rate_limiter("lim");
    lim.set_rate(Rate::per(10, 2s));
    ASSERT_TRUE(lim.try_acquire(2));
    server_->pause();
    EXPECT_EQ(error_of([&] { (void)lim.try_acquire(3); }), Errc::outcome_unknown);
    server_->resume();
    ASSERT_EQ(limiter().available_permits(), 5) << "it was executed, once";
    EXPECT_EQ(members().size(), 2U);
    EXPECT_EQ(total(), 10);
}

TEST_F(Defects, Defect9_WhatJavaChargedTwiceIsFoundAgain)
{
    java_config(10, 2s);
    java_value(4);  // acquire(3) twice, with the same random bytes
    java_grant(3, start_ms);
    EXPECT_EQ(limiter().available_permits(), 7);
    advance(2s);
    EXPECT_EQ(limiter().available_permits(), 10);
}

TEST_F(Defects, Defect10_KeepingGrantsKeepsDebt)
{
    limiter().set_rate(Rate::per(10, 2s));
    for (int i = 0; i < 8; ++i) {
        ASSERT_TRUE(limiter().try_acquire());
        advance(10ms);
    }
    ASSERT_TRUE(limiter().update_rate(Rate::per(5, 2s)));
    EXPECT_EQ(value(), "-3");
    advance(2s - 80ms);  // the first of eight expires: seven are more than five
    for (int expired = 1; expired <= 3; ++expired) {
        EXPECT_FALSE(limiter().try_acquire()) << expired;
        EXPECT_EQ(limiter().available_permits(), 0);
        advance(10ms);
    }
    EXPECT_TRUE(limiter().try_acquire()) << "the fourth has expired";
    EXPECT_FALSE(limiter().try_acquire());
    EXPECT_EQ(total(), 5);
}

// It cannot be told from a grant that is due. Documented; what ration does with it is exact at least.
TEST_F(Defects, Defect11_GrantsOfAFastClockAreLeftAlone)
{
    java_config(10, 1s);
    java_value(0);
    java_grant(10, start_ms + 60'000);
    auto const denied = limiter().try_acquire();
    EXPECT_FALSE(denied);
    EXPECT_EQ(denied.retry_after, 61s);
    EXPECT_EQ(members().at(0).score, std::to_string(start_ms + 60'000));
    advance(61s - 1ms);
    EXPECT_FALSE(limiter().try_acquire());
    advance(1ms);
    EXPECT_TRUE(limiter().try_acquire(10));
}

// ---- keys evicted one at a time ----

TEST_F(Defects, ValueEvicted)
{
    limiter().set_rate(Rate::per(10, 2s));
    ASSERT_TRUE(limiter().try_acquire(6));
    redis_.integer("DEL", "{lim}:value");
    EXPECT_FALSE(limiter().try_acquire(5));
    ASSERT_TRUE(limiter().try_acquire(4));
    EXPECT_EQ(total(), 10);
}

TEST_F(Defects, PermitsEvicted)
{
    limiter().set_rate(Rate::per(10, 2s));
    ASSERT_TRUE(limiter().try_acquire(6));
    redis_.integer("DEL", "{lim}:permits");
    EXPECT_FALSE(limiter().try_acquire(5));
    ASSERT_TRUE(limiter().try_acquire(4));
    EXPECT_EQ(total(), 10);
    advance(2s);
    EXPECT_TRUE(limiter().try_acquire(10));
}

TEST_F(Defects, PermitsEvictedAndSomeGivenBack)
{
    limiter().set_rate(Rate::per(10, 2s));
    ASSERT_TRUE(limiter().try_acquire(6));
    redis_.integer("DEL", "{lim}:permits");
    limiter().release(2);
    EXPECT_EQ(limiter().available_permits(), 6);
    EXPECT_FALSE(limiter().try_acquire(7));
}

TEST_F(Defects, ValueAboveTheRate)
{
    java_config(10, 2s);
    java_value(50);
    EXPECT_EQ(limiter().available_permits(), 10);
    java_grant(3, start_ms);
    EXPECT_EQ(limiter().available_permits(), 7);
    EXPECT_FALSE(limiter().try_acquire(8));
    ASSERT_TRUE(limiter().try_acquire(7));
    EXPECT_EQ(total(), 10);
}

// #5900: the config has expired, what it counted has not.
TEST_F(Defects, StateOfAnExpiredConfig)
{
    java_value(0);
    redis_.integer("ZADD", "{lim}:permits", start_ms, "of another format");
    EXPECT_EQ(error_of([&] { (void)limiter().try_acquire(); }), Errc::not_initialized);
    ASSERT_TRUE(limiter().try_set_rate(Rate::per(10, 2s)));
    EXPECT_THAT(keys(), ElementsAre("lim"));
    EXPECT_TRUE(limiter().try_acquire(10));
}

// ---- a log that nobody has used for long ----

/// acquire.lua, with what each call has read and dropped.
class LongLog : public Defects {
protected:
    static constexpr std::int64_t budget = 500;
    static constexpr std::int64_t chunk = 250;  // members that one ZRANGE of a script reads at most

    void SetUp() override
    {
        Defects::SetUp();
        load_scripts(redis_);
    }

    struct Taken {
        core::Outcome outcome;
        std::vector<std::int64_t> left;   ///< members, after each call
        std::vector<std::int64_t> reads;  ///< ZRANGE commands, in each call
    };

    std::int64_t zrange_calls()
    {
        static constexpr std::string_view name = "cmdstat_zrange:calls=";
        auto const stats = redis_.text("INFO", "commandstats");
        auto const at = stats.find(name);
        return at == std::string::npos ? 0 : std::stoll(stats.substr(at + name.size()));
    }

    Taken take(Permits n, std::string const& seen_rate = "")
    {
        core::Batch const batch{{{n, false, 1}}};
        Taken taken;
        for (;;) {
            auto const prefix = java_member(Generation::Bc0I_16, 1, next_id_++).substr(0, 17);
            auto const read_before = zrange_calls();
            auto const values = redis::unpacked(
                flat(redis_.command(script_words(redis::scripts::acquire, redis::limiter_keys("lim", "id"),
                                                 {redis::packed(batch), prefix, seen_rate}))));
            taken.left.push_back(redis_.integer("ZCARD", "{lim}:permits"));
            taken.reads.push_back(zrange_calls() - read_before);
            if (redis::status_of(values) == redis::Status::again) continue;
            EXPECT_EQ(redis::status_of(values), redis::Status::ok);
            taken.outcome = redis::decode_answer(batch, values).value().outcomes.at(0);
            return taken;
        }
    }

    void expect_bounded_steps(std::int64_t before, Taken const& taken)
    {
        for (auto const left : taken.left) {
            EXPECT_LE(before - left, budget) << "dropped by one call";
            before = left;
        }
        for (auto const reads : taken.reads) {
            // What it drops, and a few more to know when the next permit is free.
            EXPECT_LE(reads, budget / chunk + 1) << "read by one call";
        }
    }
};

TEST_F(LongLog, AllOfItExpiredGoesAtOnce)
{
    for (int const count : {50'000, 1'000'000}) {
        redis_.command({"FLUSHDB"});
        java_config(count, 10s);
        java_value(0);
        java_grants(count, 1, start_ms - 2'000'000);
        auto const taken = take(count);
        EXPECT_TRUE(taken.outcome.decision.granted);
        EXPECT_THAT(taken.left, ElementsAre(1)) << "in one call";
        EXPECT_THAT(taken.reads, ElementsAre(0)) << "which reads none of them";
        EXPECT_EQ(total(), count);
    }
}

TEST_F(LongLog, LiveGrantsBehindExpiredOnesAreCountedExactly)
{
    constexpr int live = 2000;
    for (int const expired : {50'000, 1'000'000}) {
        SCOPED_TRACE(expired);
        redis_.command({"FLUSHDB"});
        // Of 2010 permits, 2000 are in use; the value does not know yet that the others have expired.
        java_config(live + 10, 10s);
        java_value(10 - expired);
        java_grants(expired, 1, start_ms - 2'000'000);
        java_grants(live, 1, start_ms - live);
        auto const denied = take(11);
        EXPECT_FALSE(denied.outcome.decision.granted);
        EXPECT_EQ(denied.outcome.decision.remaining, 10);
        EXPECT_EQ(denied.outcome.decision.retry_after, 10s - live * 1ms);
        expect_bounded_steps(expired + live, denied);
        EXPECT_TRUE(take(10).outcome.decision.granted);
        EXPECT_FALSE(take(1).outcome.decision.granted);
        EXPECT_EQ(total(), live + 10);
    }
}

// A lost value can only be found by counting all that is live: the one case in which a call reads more than its budget.
TEST_F(LongLog, WithoutAValueItIsCountedExactly)
{
    java_config(2010, 10s);
    java_grants(50'000, 1, start_ms - 2'000'000);
    java_grants(2000, 1, start_ms - 2000);
    auto const denied = take(11);
    EXPECT_FALSE(denied.outcome.decision.granted);
    EXPECT_EQ(denied.outcome.decision.remaining, 10);
    EXPECT_EQ(members().size(), 2000U);
    EXPECT_EQ(total(), 2010);
}

TEST_F(LongLog, AGrantNeedNotWaitForThePurge)
{
    java_config(100'000, 10s);
    java_value(48'000);
    java_grants(50'000, 1, start_ms - 2'000'000);
    java_grants(2000, 1, start_ms - 2000);
    auto const taken = take(40'000);
    EXPECT_TRUE(taken.outcome.decision.granted);
    EXPECT_EQ(taken.left.size(), 1U);
    expect_bounded_steps(52'000, taken);
    EXPECT_EQ(total(), 100'000);
}

TEST_F(LongLog, TheClientAsksUntilItIsDone)
{
    java_config(2010, 10s);
    java_value(10 - 50'000);
    java_grants(50'000, 1, start_ms - 2'000'000);
    java_grants(2000, 1, start_ms - 2000);
    EXPECT_EQ(limiter().available_permits(), 10);
    EXPECT_FALSE(limiter().try_acquire(11));
    limiter().release(1990);
    EXPECT_EQ(limiter().available_permits(), 2000);
    ASSERT_TRUE(limiter().update_rate(Rate::per(5, 10s)));
    EXPECT_EQ(limiter().available_permits(), 0);
    EXPECT_EQ(total(), 5);
}

}  // namespace
}  // namespace ration::redis_test
