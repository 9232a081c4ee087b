// Every byte that ration stores, as Java's Redisson would have it: docs/redis-layout.md.

#include "redis/twin_java.hpp"

#include <regex>

namespace ration::redis_test {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

using Bytes = JavaScene;
using Fields = std::map<std::string, std::string>;

constexpr Duration one_minute = 1min;

// ---- keys ----

TEST_F(Bytes, KeysOfANameWithoutBraces)
{
    limiter().set_rate(Rate::per(10, 2s));
    EXPECT_THAT(keys(), ElementsAre("lim"));
    ASSERT_TRUE(limiter().try_acquire());
    EXPECT_THAT(keys(), ElementsAre("lim", "{lim}:permits", "{lim}:value"));
    EXPECT_EQ(redis_.text("TYPE", "lim"), "hash");
    EXPECT_EQ(redis_.text("TYPE", "{lim}:permits"), "zset");
    EXPECT_EQ(redis_.text("TYPE", "{lim}:value"), "string");
}

TEST_F(Bytes, KeysOfANameWithBraces)
{
    limiter("a{b}c").set_rate(Rate::per(10, 2s));
    ASSERT_TRUE(limiter("a{b}c").try_acquire());
    EXPECT_THAT(keys(), ElementsAre("a{b}c", "a{b}c:permits", "a{b}c:value"));
}

TEST_F(Bytes, KeysOfOneClient)
{
    static std::regex const version_4{"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"};
    auto const& id = client_.id();
    EXPECT_TRUE(std::regex_match(id, version_4)) << id;

    auto const expect_keys = [&](std::string const& name, std::string const& braced) {
        redis_.command({"FLUSHALL"});
        limiter(name).set_rate(Rate::per(10, 2s), {.type = RateType::per_client});
        ASSERT_TRUE(limiter(name).try_acquire());
        // The list of clients is our own: whoever removes the limiter must find them all.
        EXPECT_THAT(keys(), UnorderedElementsAre(name, braced + ":permits:" + id, braced + ":value:" + id,
                                                 braced + ":clients"));
        EXPECT_THAT(redis_.list("ZRANGE", braced + ":clients", 0, -1), ElementsAre(id));
    };
    expect_keys("lim", "{lim}");
    expect_keys("a{b}c", "a{b}c");
}

// A call brings the keys of one client only once it is known that they are needed.
TEST_F(Bytes, KeysOfALimiterThatAnotherMakesPerClientAndBack)
{
    auto same = limiter();
    same.set_rate(Rate::per(10, 1h));
    ASSERT_TRUE(same.try_acquire(1));
    redis_.integer("HSET", "lim", "type", "1");
    ASSERT_TRUE(same.try_acquire(2));
    EXPECT_EQ(redis_.text("GET", "{lim}:value:" + client_.id()), "8");
    EXPECT_EQ(redis_.text("GET", "{lim}:value"), "9");
    redis_.integer("HSET", "lim", "type", "0");
    ASSERT_TRUE(same.try_acquire(3));
    EXPECT_EQ(redis_.text("GET", "{lim}:value:" + client_.id()), "8");
    EXPECT_EQ(redis_.text("GET", "{lim}:value"), "6");
}

TEST_F(Bytes, KeysOfAKeyedLimiter)
{
    constexpr Algorithm all[] = {Algorithm::sliding_log, Algorithm::fixed_window, Algorithm::token_bucket,
                                 Algorithm::calendar_window};
    for (auto const algorithm : all) {
        Rate const rate =
            algorithm == Algorithm::calendar_window ? Rate::calendar(5, CalendarUnit::day) : Rate::per(5, 1s);
        std::string const name{to_string(algorithm)};
        auto keyed = client_.keyed_rate_limiter(name, {.rate = rate, .algorithm = algorithm});
        ASSERT_TRUE(keyed.try_acquire("us{er"));
        EXPECT_THAT(keys(), ElementsAre(name + ":us{er"));
        EXPECT_GT(ttl(name + ":us{er"), 0);
        EXPECT_TRUE(keyed.reset("us{er"));
        EXPECT_THAT(keys(), ElementsAre());
    }
}

// ---- the config ----

TEST_F(Bytes, ConfigOfASlidingLog)
{
    limiter().set_rate(Rate::per(10, 2s));
    EXPECT_EQ(fields(),
              (Fields{{"rate", "10"}, {"interval", "2000"}, {"type", "0"}, {"keepAliveTime", "0"}}));
    limiter().set_rate(Rate::per(Rate::max_permits, Rate::max_interval),
                       {.type = RateType::per_client, .keep_alive = Rate::max_interval});
    EXPECT_EQ(fields(), (Fields{{"rate", "4294967295"},
                                {"interval", "315619200000"},
                                {"type", "1"},
                                {"keepAliveTime", "315619200000"}}));
}

TEST_F(Bytes, ConfigOfAFixedWindow)
{
    limiter("lim", {.algorithm = Algorithm::fixed_window}).set_rate(Rate::per(10, 2s));
    EXPECT_EQ(fields(), (Fields{{"rate", "10"},
                                {"interval", "2000"},
                                {"type", "0"},
                                {"keepAliveTime", "0"},
                                {"algorithm", "fixed_window"}}));
}

// Redisson must find it "not initialized" rather than misread it, so it has no rate, no interval and no type.
TEST_F(Bytes, ConfigOfOurOwnLayouts)
{
    limiter("bucket").set_rate(Rate::per(10, 1500us).with_burst(20));
    EXPECT_EQ(fields("bucket"), (Fields{{"algorithm", "token_bucket"},
                                        {"permits", "10"},
                                        {"micros", "1500"},
                                        {"burst", "20"},
                                        {"scope", "0"},
                                        {"keepAliveTime", "0"}}));
    limiter("calendar").set_rate(Rate::calendar(10'000, CalendarUnit::day, "Asia/Shanghai", 2));
    auto const calendar = fields("calendar");
    EXPECT_EQ(calendar.at("algorithm"), "calendar_window");
    EXPECT_EQ(calendar.at("permits"), "10000");
    EXPECT_EQ(calendar.at("unit"), "day");
    EXPECT_EQ(calendar.at("every"), "2");
    EXPECT_EQ(calendar.at("zone"), "Asia/Shanghai");
    for (auto const* refused : {"rate", "interval", "type"})
        EXPECT_FALSE(calendar.contains(refused)) << refused;
}

TEST_F(Bytes, AnotherAlgorithmLeavesNoFieldBehind)
{
    limiter("lim").set_rate(Rate::per(10, 2s).with_burst(20));
    limiter("lim", {.algorithm = Algorithm::sliding_log}).set_rate(Rate::per(10, 2s));
    EXPECT_EQ(fields(),
              (Fields{{"rate", "10"}, {"interval", "2000"}, {"type", "0"}, {"keepAliveTime", "0"}}));
}

// ---- value and permits ----

TEST_F(Bytes, AGrantIsOneMemberAndTheValueFallsByIt)
{
    limiter().set_rate(Rate::per(10, 2s));
    server_->clock().freeze(start + 1999us);  // floor: the server's millisecond
    ASSERT_TRUE(limiter().try_acquire(3));
    EXPECT_EQ(value(), "7");
    auto const log = members();
    ASSERT_EQ(log.size(), 1U);
    EXPECT_EQ(log[0].score, std::to_string(start_ms + 1));
    EXPECT_EQ(log[0].bytes.size(), 21U);
    EXPECT_EQ(log[0].bytes[0], '\x10');
    EXPECT_EQ(log[0].bytes.substr(17), std::string("\x03\0\0\0", 4));
}

TEST_F(Bytes, PermitsAreLittleEndian)
{
    limiter().set_rate(Rate::per(Rate::max_permits, 2s));
    ASSERT_TRUE(limiter().try_acquire(0x01020304));
    EXPECT_EQ(members().at(0).bytes.substr(17), "\x04\x03\x02\x01");
    EXPECT_EQ(value(), std::to_string(Rate::max_permits - 0x01020304));
}

TEST_F(Bytes, MembersInEachFormat)
{
    limiter("old", {.redisson_format = RedissonFormat::v3_16_4}).set_rate(Rate::per(10, 2s));
    ASSERT_TRUE(limiter("old", {.redisson_format = RedissonFormat::v3_16_4}).try_acquire(3));
    auto const old = members("{old}:permits").at(0).bytes;
    EXPECT_EQ(old.size(), 20U);
    EXPECT_EQ(old.substr(0, 8), std::string("\x08\0\0\0\0\0\0\0", 8));
    EXPECT_EQ(old.substr(16), std::string("\x03\0\0\0", 4));

    limiter("older", {.redisson_format = RedissonFormat::v3_13_3}).set_rate(Rate::per(10, 2s));
    ASSERT_TRUE(limiter("older", {.redisson_format = RedissonFormat::v3_13_3}).try_acquire(3));
    auto const older = members("{older}:permits").at(0).bytes;
    EXPECT_EQ(older.size(), 8U);
    EXPECT_EQ(older.substr(4), std::string("\x03\0\0\0", 4));
}

TEST_F(Bytes, NoTwoMembersAreEqual)
{
    // A float and the permits are all there is to a member of that generation.
    auto lim = limiter("lim", {.redisson_format = RedissonFormat::v3_13_3});
    lim.set_rate(Rate::per(2000, 2s));
    for (int i = 0; i < 2000; ++i) ASSERT_TRUE(lim.try_acquire());
    EXPECT_EQ(members().size(), 2000U);
    EXPECT_EQ(total(), 2000);
}

// ---- time to live ----

TEST_F(Bytes, WithoutExpiryNothingExpires)
{
    limiter().set_rate(Rate::per(10, 2s));
    ASSERT_TRUE(limiter().try_acquire());
    for (auto const* key : {"lim", "{lim}:value", "{lim}:permits"}) EXPECT_EQ(ttl(key), -1) << key;
}

TEST_F(Bytes, KeepAliveIsSetAnewByEachAttempt)
{
    limiter().set_rate(Rate::per(1, 2s), {.keep_alive = 5s});
    EXPECT_EQ(ttl("lim"), 5000);
    advance(1s);
    ASSERT_TRUE(limiter().try_acquire());
    for (auto const* key : {"lim", "{lim}:value", "{lim}:permits"}) EXPECT_EQ(ttl(key), 5000) << key;
    advance(1s);
    ASSERT_FALSE(limiter().try_acquire());
    for (auto const* key : {"lim", "{lim}:value", "{lim}:permits"}) EXPECT_EQ(ttl(key), 5000) << key;
}

TEST_F(Bytes, TheTimeToLiveOfTheConfigIsCopied)
{
    limiter().set_rate(Rate::per(10, 2s));
    redis_.integer("PEXPIRE", "lim", 7000);
    advance(1s);
    ASSERT_TRUE(limiter().try_acquire());
    for (auto const* key : {"lim", "{lim}:value", "{lim}:permits"}) EXPECT_EQ(ttl(key), 6000) << key;
}

TEST_F(Bytes, StateOfOneClientEndsByItself)
{
    limiter().set_rate(Rate::per(10, 2s), {.type = RateType::per_client});
    ASSERT_TRUE(limiter().try_acquire());
    EXPECT_EQ(ttl("lim"), -1);
    for (auto const* key : {"{lim}:value:", "{lim}:permits:"})
        EXPECT_EQ(ttl(key + client_.id()), (2s + one_minute) / 1ms) << key;
    EXPECT_EQ(ttl("{lim}:clients"), (2s + one_minute) / 1ms);
}

// A changed rate or expiry must not let it end before its grants do.
TEST_F(Bytes, StateOfOneClientLastsAsLongAsItsGrants)
{
    limiter().set_rate(Rate::per(10, 2s), {.type = RateType::per_client});
    limiter().expire_after(5s);
    ASSERT_TRUE(limiter().try_acquire(10));
    EXPECT_EQ(ttl("{lim}:permits:" + client_.id()), 5000);
    limiter().clear_expiry();
    EXPECT_EQ(ttl("{lim}:permits:" + client_.id()), 62'000);
    EXPECT_EQ(ttl("{lim}:value:" + client_.id()), 62'000);

    limiter().update_rate(Rate::per(10, 1h), {.type = RateType::per_client});
    EXPECT_EQ(ttl("{lim}:permits:" + client_.id()), (1h + one_minute) / 1ms);
    EXPECT_EQ(ttl("{lim}:value:" + client_.id()), (1h + one_minute) / 1ms);
    EXPECT_EQ(ttl("{lim}:clients"), (1h + one_minute) / 1ms);
    advance(59min);
    EXPECT_FALSE(limiter().try_acquire()) << "what was taken stays taken";
}

// Else nobody could forget it, or change it once more.
TEST_F(Bytes, StateOfOneClientIsFoundAsLongAsItLasts)
{
    constexpr RateOptions per_client{.type = RateType::per_client};
    struct Row {
        Rate before;
        Rate after;
    };
    Row const rows[] = {
        {Rate::per(10, 1s), Rate::per(10, 1h)},
        {Rate::calendar(10, CalendarUnit::minute), Rate::calendar(10, CalendarUnit::year)},
        {Rate::per(10, 1s).with_burst(10), Rate::per(10, 1h).with_burst(10)},
    };
    auto other_client = new_client();
    for (auto const& row : rows) {
        SCOPED_TRACE(to_string(row.after));
        redis_.command({"FLUSHALL"});
        auto others = other_client.rate_limiter("lim");
        limiter().set_rate(row.before, per_client);
        ASSERT_TRUE(others.try_acquire(10));
        ASSERT_TRUE(limiter().update_rate(row.after, per_client));
        advance(5min);
        EXPECT_LT(others.available_permits(), 10);
        limiter().set_rate(row.after, per_client);
        EXPECT_EQ(others.available_permits(), 10) << "its grants were not found";
    }
}

TEST_F(Bytes, TheValueOfAFixedWindowEndsWithIt)
{
    auto lim = limiter("lim", {.algorithm = Algorithm::fixed_window});
    lim.set_rate(Rate::per(10, 2s));
    ASSERT_TRUE(lim.try_acquire(3));
    EXPECT_EQ(value(), "7");
    EXPECT_EQ(ttl("{lim}:value"), 2000);
    advance(500ms);
    ASSERT_TRUE(lim.try_acquire(3));
    EXPECT_EQ(value(), "4");
    EXPECT_EQ(ttl("{lim}:value"), 1500);
    EXPECT_THAT(keys(), ElementsAre("lim", "{lim}:value"));
}

// ---- remove and rename ----

TEST_F(Bytes, RemoveLeavesNothing)
{
    auto other_client = new_client();
    for (auto const type : {RateType::overall, RateType::per_client}) {
        limiter().set_rate(Rate::per(10, 2s), {.type = type});
        ASSERT_TRUE(limiter().try_acquire());
        ASSERT_TRUE(other_client.rate_limiter("lim").try_acquire());
        EXPECT_TRUE(limiter().remove());
        EXPECT_THAT(keys(), ElementsAre());
    }
}

TEST_F(Bytes, RenameMovesAllOfIt)
{
    auto other_client = new_client();
    limiter().set_rate(Rate::per(10, 2s), {.type = RateType::per_client});
    ASSERT_TRUE(limiter().try_acquire(4));
    ASSERT_TRUE(other_client.rate_limiter("lim").try_acquire(3));
    limiter().rename("a{b}c");
    EXPECT_THAT(keys(),
                UnorderedElementsAre("a{b}c", "a{b}c:value:" + client_.id(), "a{b}c:permits:" + client_.id(),
                                     "a{b}c:value:" + other_client.id(), "a{b}c:permits:" + other_client.id(),
                                     "a{b}c:clients"));
    EXPECT_EQ(value("a{b}c:value:" + client_.id()), "6");
    EXPECT_EQ(value("a{b}c:value:" + other_client.id()), "7");
}

// ---- reading what Java wrote ----

TEST_F(Bytes, MembersOfEveryGenerationAreRead)
{
    java_config(10, 2s);
    java_value(0);
    java_grant(1, start_ms - 1900, Generation::fI);
    java_grant(2, start_ms - 1800, Generation::Lc0I);
    java_grant(3, start_ms - 1700, Generation::Bc0I_8);
    java_grant(4, start_ms - 1600, Generation::Bc0I_16);
    EXPECT_EQ(limiter().available_permits(), 0);
    Permits free = 0;
    for (Permits const permits : {1, 2, 3, 4}) {
        advance(100ms);
        free += permits;
        EXPECT_EQ(limiter().available_permits(), free);
    }
    ASSERT_TRUE(limiter().try_acquire(10));
    EXPECT_EQ(members().size(), 1U);
    EXPECT_EQ(total(), 10);
}

TEST_F(Bytes, AnotherLengthIsAnErrorNotAGuess)
{
    for (std::size_t const length : {1U, 7U, 9U, 12U, 14U, 19U, 22U, 40U}) {
        redis_.command({"FLUSHALL"});
        java_config(10, 2s);
        java_value(5);
        redis_.integer("ZADD", "{lim}:permits", start_ms, std::string(length, 'x'));
        auto fresh = new_client();  // has not seen this limiter yet
        auto lim = fresh.rate_limiter("lim");
        EXPECT_EQ(error_of([&] { (void)lim.try_acquire(); }), Errc::incompatible_data) << length;
        EXPECT_EQ(error_of([&] { (void)lim.available_permits(); }), Errc::incompatible_data) << length;
        EXPECT_EQ(error_of([&] { lim.release(1); }), Errc::incompatible_data) << length;
        EXPECT_EQ(error_of([&] { lim.update_rate(Rate::per(20, 2s)); }), Errc::incompatible_data) << length;
        EXPECT_EQ(value(), "5") << "left alone";
    }
}

}  // namespace
}  // namespace ration::redis_test
