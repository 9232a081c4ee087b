// RateLimiter::migrate: grants that old versions of Redisson stored, rewritten so that new ones can read them.

#include "redis/twin_java.hpp"

namespace ration::redis_test {
namespace {

using ::testing::SizeIs;

class Migrate : public JavaScene {
protected:
    /// As Redisson reads a member since 3.17.0; an error if it cannot.
    Reply read_as_java(std::string const& member)
    {
        return redis_.command(
            {"EVAL", "local random, permits = struct.unpack('Bc0I', ARGV[1]); return permits", "0", member});
    }

    std::vector<std::pair<std::string, Permits>> times_and_permits()
    {
        std::vector<std::pair<std::string, Permits>> all;
        for (auto const& member : members()) all.emplace_back(member.score, member.permits());
        return all;
    }
};

TEST_F(Migrate, RewritesWhatNewJavaCannotRead)
{
    java_config(10, 2s);
    java_value(0);
    java_grant(1, start_ms - 1900, Generation::fI);
    java_grant(2, start_ms - 1800, Generation::Lc0I);
    java_grant(3, start_ms - 1700, Generation::Bc0I_8);
    java_grant(4, start_ms - 1600, Generation::Bc0I_16);
    auto const before = times_and_permits();
    auto const readable = std::vector{members().at(2).bytes, members().at(3).bytes};

    EXPECT_EQ(limiter().migrate(), 2);
    EXPECT_EQ(times_and_permits(), before);
    EXPECT_EQ((std::vector{members().at(2).bytes, members().at(3).bytes}), readable) << "left alone";
    for (auto const& member : members()) EXPECT_EQ(read_as_java(member.bytes).integer, member.permits());
    EXPECT_EQ(value(), "0");
    EXPECT_EQ(limiter().migrate(), 0) << "once is enough";

    advance(100ms);
    EXPECT_EQ(limiter().available_permits(), 1);
    advance(100ms);
    EXPECT_EQ(limiter().available_permits(), 3);
}

TEST_F(Migrate, GrantsOfOneMillisecondStayApart)
{
    auto old = limiter("lim", {.redisson_format = RedissonFormat::v3_13_3});
    old.set_rate(Rate::per(1000, 1h));
    for (int i = 0; i < 700; ++i) ASSERT_TRUE(old.try_acquire());
    EXPECT_EQ(old.migrate(), 700);
    EXPECT_THAT(members(), SizeIs(700));
    EXPECT_EQ(total(), 1000);
}

TEST_F(Migrate, TheTimeToLiveStays)
{
    limiter("lim", {.redisson_format = RedissonFormat::v3_16_4})
        .set_rate(Rate::per(10, 2s), {.keep_alive = 5s});
    ASSERT_TRUE(limiter("lim", {.redisson_format = RedissonFormat::v3_16_4}).try_acquire());
    advance(1s);
    EXPECT_EQ(limiter("lim", {.redisson_format = RedissonFormat::v3_16_4}).migrate(), 1);
    for (auto const* key : {"lim", "{lim}:value", "{lim}:permits"}) EXPECT_EQ(ttl(key), 4000) << key;
}

TEST_F(Migrate, IncludesTheLogsOfAllOurClients)
{
    LimiterOptions const old{.redisson_format = RedissonFormat::v3_13_3};
    auto other = new_client();
    limiter("lim", old).set_rate(Rate::per(10, 1h), {.type = RateType::per_client});
    ASSERT_TRUE(limiter("lim", old).try_acquire(3));
    ASSERT_TRUE(other.rate_limiter("lim", old).try_acquire(4));
    EXPECT_EQ(new_client().rate_limiter("lim").migrate(), 2);
    for (auto const& id : {client_.id(), other.id()})
        EXPECT_EQ(members("{lim}:permits:" + id).at(0).bytes.size(), 21U);
    EXPECT_EQ(other.rate_limiter("lim", old).available_permits(), 6);
}

TEST_F(Migrate, LeavesWhatItDoesNotKnowAsItWas)
{
    java_config(10, 2s);
    java_grant(1, start_ms, Generation::fI);
    redis_.integer("ZADD", "{lim}:permits", start_ms + 1, "what is this?!");
    EXPECT_EQ(error_of([&] { limiter().migrate(); }), Errc::incompatible_data);
    EXPECT_EQ(members().at(0).bytes.size(), 8U) << "all or nothing";
}

TEST_F(Migrate, HasNothingToDoElsewhere)
{
    EXPECT_EQ(limiter("none").migrate(), 0);
    limiter("bucket").set_rate(Rate::per(10, 2s).with_burst(20));
    limiter("window", {.algorithm = Algorithm::fixed_window}).set_rate(Rate::per(10, 2s));
    for (auto const* name : {"bucket", "window"}) {
        ASSERT_TRUE(limiter(name).try_acquire());
        EXPECT_EQ(limiter(name).migrate(), 0);
    }
}

}  // namespace
}  // namespace ration::redis_test
