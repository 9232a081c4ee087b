// Connections and answers that get lost, scripts that are forgotten: under load, with the books kept.

#include "redis/history.hpp"
#include "redis/load.hpp"
#include "redis/outcomes.hpp"
#include "redis/support/cut_proxy.hpp"
#include "redis/support/redis_server.hpp"

#include <gtest/gtest.h>

#include <future>

namespace ration::redis_test {
namespace {

Rate const busy_rate = Rate::per(100, 50ms);
Rate const slow_rate = Rate::per(10, 1h);

/// Two clients under load, and somebody who does harm to their server.
class UnderLoad : public testing::Test {
protected:
    UnderLoad() { first_.rate_limiter("shared").set_rate(busy_rate); }

    /// Does harm again and again for a while, then looks at what everybody was told.
    template <class Harm>
    void suffer(Harm harm)
    {
        WatchedHistory watched{server_.socket_path(), "shared", busy_rate};
        Load one{first_.rate_limiter("shared"), {.threads = 4, .seed = 1}};
        Load other{second_.rate_limiter("shared"), {.threads = 4, .seed = 2}};
        for (int i = 0; i < 40; ++i) {
            std::this_thread::sleep_for(25ms);
            harm();
        }
        tally_ += one.finish();
        tally_ += other.finish();

        EXPECT_TRUE(becomes_true([&] {
            return outcome_of([&] { return first_.rate_limiter("shared").try_acquire(busy_rate.permits()); })
                .decision.granted;
        })) << "all comes free again";
        auto const& history = watched.finished();
        EXPECT_EQ(history.problem(), "");
        EXPECT_EQ(history.given_back(), 0);
        seen_ = history.granted() - busy_rate.permits();
        EXPECT_EQ(tally_.surprise, "");
        EXPECT_LE(most_in_an_interval(tally_.claims, busy_rate), busy_rate.permits());
        EXPECT_GT(tally_.granted, 2 * busy_rate.permits()) << "they went on";
    }

    std::uint64_t lost_answers() const { return first_.stats().lost_answers + second_.stats().lost_answers; }

    RedisServer server_;
    RespClient villain_{server_.socket_path()};
    Client first_{server_.unix_url(), {.command_timeout = 5s}};
    Client second_{server_.unix_url(), {.command_timeout = 5s}};
    Tally tally_;
    Permits seen_ = 0;  ///< granted by the server to anybody
};

TEST_F(UnderLoad, ForgottenScriptsAreSentAgainAndNobodyNotices)
{
    suffer([&] { villain_.text("SCRIPT", "FLUSH"); });
    EXPECT_EQ(tally_.unknown + tally_.unavailable, 0);
    EXPECT_EQ(lost_answers(), 0U);
    EXPECT_EQ(seen_, tally_.granted);
}

TEST_F(UnderLoad, KilledConnectionsLoseAnswersButNotTheCount)
{
    // The watcher is another user, so it stays.
    suffer([&] { villain_.integer("CLIENT", "KILL", "TYPE", "normal", "USER", "default"); });
    EXPECT_GT(first_.stats().reconnects, 0U);
    EXPECT_GT(second_.stats().reconnects, 0U);
    EXPECT_GE(seen_, tally_.granted);
    if (lost_answers() == 0) {
        EXPECT_EQ(seen_, tally_.granted);
        EXPECT_EQ(tally_.unknown, 0);
    }
}

TEST(APausedServer, MakesTheImpatientFailInTimeAndNobodyHang)
{
    constexpr auto command_timeout = 200ms;
    RedisServer const server;
    Client client{server.unix_url(), {.command_timeout = command_timeout}};
    auto limiter = client.rate_limiter("one");
    limiter.set_rate(slow_rate);
    EXPECT_TRUE(limiter.try_acquire());

    RespClient{server.socket_path()}.text("CLIENT", "PAUSE", 600);
    auto patient = std::async(std::launch::async,
                              [&] { return outcome_of([&] { return limiter.try_acquire_for(5s); }); });
    auto const impatient = outcome_of([&] { return limiter.try_acquire(); });
    EXPECT_TRUE(impatient.code == Errc::outcome_unknown || impatient.code == Errc::store_unavailable)
        << impatient.code.message();
    EXPECT_LT(impatient.took, command_timeout + slack);

    auto const served = patient.get();
    EXPECT_LT(served.took, 600ms + command_timeout + slack);
    EXPECT_TRUE(served.decision.granted || served.code == Errc::store_unavailable) << served.code.message();

    EXPECT_TRUE(becomes_true([&] { return !outcome_of([&] { return limiter.try_acquire(); }).code; }));
    EXPECT_GE(client.stats().lost_answers, 1U);
}

/// A client behind a bad network.
class LostAnswer : public testing::Test {
protected:
    LostAnswer()
    {
        limiter_.set_rate(slow_rate);
        EXPECT_TRUE(limiter_.try_acquire());  // from here on the server knows the script
    }

    RedisServer server_;
    CutProxy proxy_{server_.socket_path()};
    Client client_{proxy_.url(), {.command_timeout = 5s}};
    RateLimiter limiter_ = client_.rate_limiter("one");
};

TEST_F(LostAnswer, OfAnImpatientRequestIsUnknownAndCountsAsUsed)
{
    proxy_.cut_before_reply("EVALSHA");
    auto const lost = outcome_of([&] { return limiter_.try_acquire(2); });
    EXPECT_EQ(lost.code, Errc::outcome_unknown);
    EXPECT_NE(lost.sentence.find("limiter \"one\""), std::string::npos) << lost.sentence;
    EXPECT_EQ(limiter_.available_permits(), 10 - 1 - 2);
    EXPECT_EQ(client_.stats().lost_answers, 1U);
    EXPECT_EQ(client_.stats().reconnects, 1U);
}

TEST_F(LostAnswer, OfAPatientRequestIsAskedForAgain)
{
    proxy_.cut_before_reply("EVALSHA");
    EXPECT_TRUE(limiter_.acquire(2));
    EXPECT_EQ(limiter_.available_permits(), 10 - 1 - 2 - 2) << "executed twice";
    EXPECT_EQ(client_.stats().lost_answers, 1U);

    proxy_.cut_before_reply("EVALSHA");
    EXPECT_TRUE(limiter_.try_acquire_for(10s, 1));
    EXPECT_EQ(limiter_.available_permits(), 10 - 5 - 1 - 1);
    EXPECT_EQ(client_.stats().lost_answers, 2U);
}

TEST_F(LostAnswer, OfAPatientRequestMayLeaveTooLittleForItselfButNeverTooMuch)
{
    proxy_.cut_before_reply("EVALSHA");
    auto const decision = limiter_.try_acquire_for(200ms, 8);
    EXPECT_FALSE(decision.granted);
    EXPECT_GT(decision.retry_after, 59min);
    EXPECT_EQ(limiter_.available_permits(), 1);
}

TEST_F(LostAnswer, OfAReleaseOrARateIsUnknown)
{
    limiter_.release(1);
    EXPECT_TRUE(limiter_.try_acquire(4));
    proxy_.cut_before_reply("EVALSHA");
    auto const lost = outcome_of([&] {
        limiter_.release(1);
        return Decision{};
    });
    EXPECT_EQ(lost.code, Errc::outcome_unknown);
    EXPECT_EQ(limiter_.available_permits(), 7) << "executed once, not again";
    proxy_.cut_before_reply("EVALSHA");
    auto const lost_rate = outcome_of([&] {
        limiter_.try_set_rate(slow_rate);
        return Decision{};
    });
    EXPECT_EQ(lost_rate.code, Errc::outcome_unknown);
    EXPECT_EQ(limiter_.available_permits(), 7);
}

TEST_F(LostAnswer, OfAKeyIsNoOtherMatter)
{
    auto keyed = client_.keyed_rate_limiter("user", {.rate = slow_rate});
    EXPECT_TRUE(keyed.try_acquire("ann"));
    proxy_.cut_before_reply("EVALSHA");
    EXPECT_EQ(outcome_of([&] { return keyed.try_acquire("ann", 2); }).code, Errc::outcome_unknown);
    EXPECT_EQ(keyed.available_permits("ann"), 7);
    proxy_.cut_before_reply("EVALSHA");
    EXPECT_TRUE(keyed.acquire("ann", 2));
    EXPECT_EQ(keyed.available_permits("ann"), 3);
}

TEST_F(LostAnswer, OfOneWithAPolicyIsAnsweredByItAndStillCounts)
{
    Client client{proxy_.url(), {.command_timeout = 5s}};
    auto limiter = client.rate_limiter("one", {.on_store_failure = OnStoreFailure::allow});
    EXPECT_EQ(limiter.try_acquire().basis, Basis::store);
    proxy_.cut_before_reply("EVALSHA");
    EXPECT_EQ(limiter.try_acquire(2).basis, Basis::fail_open);
    EXPECT_EQ(limiter_.available_permits(), 10 - 1 - 1 - 2);
    EXPECT_EQ(client.stats().lost_answers, 1U);
}

}  // namespace
}  // namespace ration::redis_test
