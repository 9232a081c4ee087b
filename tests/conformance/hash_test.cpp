// Hashes whose fields expire: what is there, and what is not.

#include "conformance/hash_world.hpp"

#include <map>
#include <set>

namespace ration::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class HashFields : public HashConformance {
public:
    static std::map<std::string, std::string> all_of(ExpiringHash const& hash)
    {
        std::map<std::string, std::string> all;
        hash.for_each([&](std::string const& field, std::string const& value) { all[field] = value; });
        return all;
    }

    /// Nothing but these, whoever asks.
    static void expect_live(ExpiringHash const& hash, std::map<std::string, std::string> const& expected)
    {
        EXPECT_EQ(all_of(hash), expected);
        EXPECT_EQ(hash.size(), expected.size());
        for (auto const& [field, value] : expected) {
            EXPECT_EQ(hash.get(field), value);
            EXPECT_TRUE(hash.contains(field));
        }
    }
};
RATION_HASH_CONFORMANCE(HashFields);

TEST_P(HashFields, AreReadAsWritten)
{
    auto hash = open();
    std::string const bytes{"\0\r\n\xff{}", 6};
    std::string const large(100'000, 'x');
    hash.put("ann", "1");
    hash.put("bob", "2", 1h);
    hash.put(bytes, bytes, 1h);
    hash.put("", "empty field");
    hash.put("empty value", "", 1h);
    hash.put("large", large);
    expect_live(hash, {{"ann", "1"},
                       {"bob", "2"},
                       {bytes, bytes},
                       {"", "empty field"},
                       {"empty value", ""},
                       {"large", large}});
    EXPECT_EQ(hash.get("cid"), std::nullopt);
    EXPECT_FALSE(hash.contains("cid"));
    EXPECT_EQ(hash.name(), "agents");
    EXPECT_EQ(hash.strategy(), strategy());
}

TEST_P(HashFields, AreGoneWhenTheyExpire)
{
    auto hash = open();
    hash.put("short", "1", 20ms);
    hash.put("long", "2", 1h);
    hash.put("ever", "3");
    if (time_stands_still()) {
        advance(19ms);
        EXPECT_EQ(hash.get("short"), "1");
        EXPECT_EQ(hash.remaining_ttl("short"), Duration{1ms});
        EXPECT_EQ(hash.size(), 3u);
        advance(1ms);
    } else {
        advance(20ms);
    }
    EXPECT_EQ(hash.get("short"), std::nullopt);
    EXPECT_FALSE(hash.contains("short"));
    EXPECT_EQ(hash.remaining_ttl("short"), std::nullopt);
    EXPECT_FALSE(hash.expire("short", 1h));
    EXPECT_FALSE(hash.persist("short"));
    EXPECT_EQ(hash.remove("short"), 0u);
    EXPECT_THAT(hash.get_all({"short", "long", "ever"}), ElementsAre(Pair("ever", "3"), Pair("long", "2")));
    expect_live(hash, {{"long", "2"}, {"ever", "3"}});
}

TEST_P(HashFields, StayWhenTheyArePutAgainOrPersisted)
{
    auto hash = open();
    hash.put("again", "old", 20ms);
    hash.put("ever", "old", 20ms);
    hash.put("prolonged", "1", 1h);
    hash.put("persisted", "2", 1h);
    hash.put("again", "new", 1h);
    hash.put("ever", "new");
    EXPECT_TRUE(hash.expire("prolonged", 2h));
    EXPECT_TRUE(hash.persist("persisted"));
    advance(25ms);
    expect_live(hash, {{"again", "new"}, {"ever", "new"}, {"prolonged", "1"}, {"persisted", "2"}});
    EXPECT_EQ(hash.remaining_ttl("ever"), std::nullopt);
    EXPECT_EQ(hash.remaining_ttl("persisted"), std::nullopt);
    EXPECT_FALSE(hash.persist("persisted"));
    ASSERT_TRUE(hash.remaining_ttl("prolonged"));
    EXPECT_GT(*hash.remaining_ttl("prolonged"), 90min);
    EXPECT_TRUE(hash.expire("prolonged", 1ms));
    advance(5ms);
    EXPECT_FALSE(hash.contains("prolonged"));
}

TEST_P(HashFields, ArePutWhereAbsent)
{
    auto hash = open();
    EXPECT_TRUE(hash.put_if_absent("ann", "1", 20ms));
    EXPECT_TRUE(hash.put_if_absent("bob", "1", 1h));
    EXPECT_TRUE(hash.put_if_absent("cid", "1"));
    EXPECT_FALSE(hash.put_if_absent("bob", "2", 1h));
    EXPECT_FALSE(hash.put_if_absent("cid", "2"));
    advance(20ms);
    EXPECT_TRUE(hash.put_if_absent("ann", "2", 1h)) << "it had expired";
    expect_live(hash, {{"ann", "2"}, {"bob", "1"}, {"cid", "1"}});
}

TEST_P(HashFields, ArePutAndReadInLists)
{
    auto hash = open();
    hash.put_all({{"ann", "1"}, {"bob", "2"}});
    hash.put_all(std::map<std::string, std::string>{{"cid", "3"}}, 1h);
    hash.put_all(std::vector<std::pair<std::string, std::string>>{{"dan", "4"}}, 20ms);
    hash.put_all(std::map<std::string, std::string>{});
    advance(20ms);
    expect_live(hash, {{"ann", "1"}, {"bob", "2"}, {"cid", "3"}});
    EXPECT_THAT(hash.get_all(std::set<std::string>{"ann", "cid", "eve"}),
                ElementsAre(Pair("ann", "1"), Pair("cid", "3")));
    EXPECT_TRUE(hash.get_all(std::vector<std::string>{}).empty());

    std::map<std::string, std::string> many;
    std::vector<std::string> fields;
    for (int i = 0; i < 1300; ++i) {
        fields.push_back("field " + std::to_string(i));
        many[fields.back()] = std::to_string(i);
    }
    hash.put_all(many, 1h);
    EXPECT_EQ(hash.get_all(fields), many);
    EXPECT_EQ(hash.size(), many.size() + 3);
    EXPECT_EQ(hash.remove(fields), many.size());
    expect_live(hash, {{"ann", "1"}, {"bob", "2"}, {"cid", "3"}});
}

TEST_P(HashFields, AreRemoved)
{
    auto hash = open();
    std::string const bob = "bob";
    for (auto const* field : {"ann", "bob", "cid", "dan", "eve"}) hash.put(field, "1", 1h);
    EXPECT_EQ(hash.remove("ann"), 1u);
    EXPECT_EQ(hash.remove("ann"), 0u);
    EXPECT_EQ(hash.remove(bob, "cid", std::string_view{"none"}), 2u);
    EXPECT_EQ(hash.remove({"dan", "none"}), 1u);
    expect_live(hash, {{"eve", "1"}});
    hash.clear();
    expect_live(hash, {});
    hash.put("ann", "2", 1h);
    expect_live(hash, {{"ann", "2"}});
}

TEST_P(HashFields, AreVisitedUntilTheVisitorHasEnough)
{
    auto hash = open();
    std::map<std::string, std::string> many;
    for (int i = 0; i < 1500; ++i) many["field " + std::to_string(i)] = std::to_string(i);
    hash.put_all(many, 1h);
    hash.put("gone", "1", 1ms);
    advance(1ms);
    EXPECT_EQ(all_of(hash), many);
    int visits = 0;
    hash.for_each([&](std::string_view, std::string_view) { return ++visits < 10; });
    EXPECT_EQ(visits, 10);
}

TEST_P(HashFields, TakeSpansOfAnyUnit)
{
    auto hash = open();
    hash.put("nanoseconds", "1", std::chrono::nanoseconds{1});  // one of them is not zero
    hash.put("fraction", "1", std::chrono::duration<double, std::ratio<3600>>{1.5});
    hash.put("days", "1", std::chrono::days{2});
    hash.put("age", "1", std::chrono::hours::max());
    ASSERT_TRUE(hash.remaining_ttl("fraction"));
    EXPECT_THAT(*hash.remaining_ttl("fraction"),
                ::testing::AllOf(::testing::Gt(80min), ::testing::Le(90min)));
    EXPECT_GT(hash.remaining_ttl("days"), Duration{47h});
    EXPECT_TRUE(hash.contains("age"));
    advance(1ms);
    EXPECT_FALSE(hash.contains("nanoseconds"));
}

TEST_P(HashFields, RefuseSpansThatAreNotPositive)
{
    auto hash = open();
    hash.put("ann", "1");
    auto const refuse = [](auto call) {
        expect_error(Errc::invalid_argument, {"hash \"agents\"", "TTL", "more than zero"}, call);
    };
    refuse([&] { hash.put("ann", "2", 0s); });
    refuse([&] { hash.put("ann", "2", -1s); });
    refuse([&] { hash.put_if_absent("bob", "2", 0s); });
    refuse([&] { hash.put_all({{"ann", "2"}}, 0s); });
    refuse([&] { hash.expire("ann", -1ms); });
    expect_live(hash, {{"ann", "1"}});
}

TEST_P(HashFields, HaveAsyncTwins)
{
    auto hash = open();
    EXPECT_FALSE(complete<void>([&](auto token) { hash.async_put("ann", "1", token); }).error);
    EXPECT_FALSE(complete<void>([&](auto token) { hash.async_put("bob", "2", 1h, token); }).error);
    EXPECT_FALSE(complete<bool>([&](auto token) { hash.async_put_if_absent("ann", "2", token); }).value);
    EXPECT_TRUE(complete<bool>([&](auto token) { hash.async_put_if_absent("cid", "3", 1h, token); }).value);
    EXPECT_FALSE(complete<void>([&](auto token) { hash.async_put_all({{"dan", "4"}}, token); }).error);
    EXPECT_FALSE(complete<void>([&](auto token) { hash.async_put_all({{"eve", "5"}}, 1h, token); }).error);
    EXPECT_EQ(complete<std::optional<std::string>>([&](auto token) { hash.async_get("bob", token); }).value,
              "2");
    EXPECT_THAT(complete<ExpiringHash::Values>([&](auto token) {
                    hash.async_get_all({"ann", "none"}, token);
                }).value,
                ElementsAre(Pair("ann", "1")));
    EXPECT_TRUE(complete<bool>([&](auto token) { hash.async_contains("ann", token); }).value);
    EXPECT_EQ(complete<std::size_t>([&](auto token) { hash.async_size(token); }).value, 5u);
    auto const ttl =
        complete<std::optional<Duration>>([&](auto token) { hash.async_remaining_ttl("bob", token); }).value;
    EXPECT_TRUE(ttl && *ttl > 50min);
    EXPECT_TRUE(complete<bool>([&](auto token) { hash.async_expire("ann", 1h, token); }).value);
    EXPECT_TRUE(complete<bool>([&](auto token) { hash.async_persist("ann", token); }).value);
    std::set<std::string> seen;
    EXPECT_FALSE(complete<void>([&](auto token) {
                     hash.async_for_each([&](std::string const& field, auto const&) { seen.insert(field); },
                                         token);
                 }).error);
    EXPECT_THAT(seen, ElementsAre("ann", "bob", "cid", "dan", "eve"));
    EXPECT_EQ(complete<std::size_t>([&](auto token) { hash.async_remove("ann", token); }).value, 1u);
    EXPECT_EQ(complete<std::size_t>([&](auto token) { hash.async_remove({"bob", "cid"}, token); }).value, 2u);
    EXPECT_EQ(complete<void>([&](auto token) { hash.async_put("ann", "1", 0s, token); }).error,
              Errc::invalid_argument);
    EXPECT_FALSE(complete<void>([&](auto token) { hash.async_clear(token); }).error);
    expect_live(hash, {});
}

TEST_P(HashFields, AreSharedByClients)
{
    auto other = world().client();
    auto ours = open();
    auto theirs = open(other);
    ours.put("ann", "1", 20ms);
    ours.put("bob", "2", 1h);
    theirs.put("cid", "3");
    EXPECT_EQ(ours.get("cid"), "3");
    advance(20ms);
    expect_live(theirs, {{"bob", "2"}, {"cid", "3"}});
}

// ---- misuse and the end ----

class HashUse : public HashConformance {};
RATION_HASH_CONFORMANCE(HashUse);

TEST_P(HashUse, IsCheckedWhenItIsOpened)
{
    expect_error(Errc::invalid_argument, {"hash \"\"", "empty"}, [&] { client().expiring_hash(""); });
    auto const refuse = [&](HashOptions const& options, std::string const& part) {
        expect_error(Errc::invalid_argument, {"hash \"a\"", part},
                     [&] { client().expiring_hash("a", options); });
    };
    refuse({.shortest_sweep = 0ms}, "shortest_sweep");
    refuse({.shortest_sweep = 2s, .longest_sweep = 1s}, "longest_sweep");
    refuse({.longest_sweep = 2h}, "longest_sweep");
    refuse({.sweep_batch = 0}, "sweep_batch");
    refuse({.sweep_batch = 1001}, "sweep_batch");
    auto hash = open();
    expect_error(Errc::config_conflict, {"hash \"agents\"", "other options"},
                 [&] { client().expiring_hash("agents", {.strategy = strategy(), .sweep_batch = 7}); });
    EXPECT_EQ(client().expiring_hash("agents").options(), hash.options());
}

TEST_P(HashUse, EndsWithTheClient)
{
    std::optional<Client> gone = world().client();
    auto hash = open(*gone);
    hash.put("ann", "1", 1h);
    gone.reset();
    auto const refuse = [](auto call) {
        expect_error(Errc::client_closed, {"hash \"agents\"", "closed", "make a new one"}, call);
    };
    refuse([&] { hash.put("ann", "1"); });
    refuse([&] { (void)hash.get("ann"); });
    refuse([&] { (void)hash.size(); });
    refuse([&] { hash.remove("ann"); });
    refuse([&] { hash.for_each([](auto const&, auto const&) {}); });
    EXPECT_EQ(complete<bool>([&](auto token) { hash.async_contains("ann", token); }).error,
              Errc::client_closed);
    auto later = world().client();
    EXPECT_EQ(open(later).get("ann"), "1");
}

TEST_P(HashUse, LetsAUsersExecutorRunOutOfWork)
{
    asio::io_context io;
    auto mine = world().client({.executor = io.get_executor()});
    auto hash = open(mine);
    int done = 0;
    hash.async_put("ann", "1", 1h, [&](error_code error) { done += !error; });
    hash.async_get("ann", [&](error_code error, auto const&) { done += !error; });
    // It has a real timer for the field's moment, until it is closed.
    if (strategy() == HashStrategy::delay_queue && !time_stands_still()) {
        while (done < 2 && io.run_one() > 0) {}
        io.poll();
        EXPECT_FALSE(io.stopped());
        mine.close();
    }
    io.run();  // returns
    EXPECT_EQ(done, 2);
}

TEST_P(HashUse, RefusesClientsOfTheOtherKind)
{
    auto hash = open();
    hash.put("ann", "1", 1h);
    auto other = world().client();
    auto const kind = strategy() == HashStrategy::native ? HashStrategy::sorted_set : HashStrategy::native;
    auto wrong = other.expiring_hash("agents", {.strategy = kind});
    if (!world().expires_fields_natively()) {
        expect_error(Errc::invalid_argument, {"hash \"agents\"", "HPEXPIRE", "sorted_set"},
                     [&] { (void)wrong.strategy(); });
        expect_error(Errc::invalid_argument, [&] { wrong.put("bob", "2", 1h); });
        EXPECT_EQ(hash.size(), 1u);
        return;
    }
    auto const refuse = [](auto call) {
        expect_error(Errc::config_conflict, {"hash \"agents\"", "strategy", "automatic"}, call);
    };
    refuse([&] { wrong.put("bob", "2", 1h); });
    refuse([&] { wrong.put("bob", "2"); });
    refuse([&] { (void)wrong.get("ann"); });
    refuse([&] { (void)wrong.size(); });
    refuse([&] { wrong.remove("ann"); });
    refuse([&] { wrong.clear(); });
    EXPECT_EQ(hash.get("ann"), "1");
    EXPECT_EQ(hash.size(), 1u);

    auto third = world().client();
    auto follower = third.expiring_hash("agents");  // automatic follows who is there
    EXPECT_EQ(follower.get("ann"), "1");
    hash.remove("ann");
    wrong.put("bob", "2", 1h);  // nobody else's any more
    EXPECT_EQ(wrong.get("bob"), "2");
    EXPECT_EQ(follower.get("bob"), "2") << "automatic follows again";
}

}  // namespace
}  // namespace ration::conformance
