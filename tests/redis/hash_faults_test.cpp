// Hashes and delay queues when processes and the server die, and when much is due at once.

#include "redis/child_process.hpp"
#include "redis/support/becomes_so.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <ration/ration.hpp>

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <iostream>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace ration::redis_test {
namespace {

using namespace std::chrono_literals;

/// A slow machine must not look like a lost answer.
ClientOptions const unhurried{.command_timeout = 20s};

/// Puts `count` fields, f1 and so on, that have all expired at the same moment, as if every client had been away since.
/// Whoever is there is told.
void fill_with_expired(RespClient& server, int count, std::string const& suffix = {})
{
    constexpr char const* script =
        "local time = redis.call('TIME') local ms = time[1] * 1000 "
        "for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do local field = 'f' .. i .. ARGV[3] "
        "redis.call('HSET', KEYS[1], field, 'v' .. i) redis.call('ZADD', KEYS[2], ms - 1000, field) end "
        "redis.call('PUBLISH', KEYS[2], '') return 1";
    for (int from = 1; from <= count; from += 50'000) {
        ASSERT_EQ(server.integer("EVAL", script, 2, "agents", "{agents}:expiry", from,
                                 std::min(count, from + 49'999), suffix),
                  1);
    }
}

class Fields {
public:
    /// Hears of nothing, and holds up its client, until `start` is ready.
    ExpiringHash::Listener listener(std::shared_future<void> start)
    {
        return [this, start = std::move(start)](std::string const& field, std::string const&) {
            start.wait();
            std::lock_guard const lock{mutex_};
            all_.insert(field);
        };
    }
    std::multiset<std::string> all()
    {
        std::lock_guard const lock{mutex_};
        return all_;
    }

private:
    std::mutex mutex_;
    std::multiset<std::string> all_;
};

// ---- what the children do ----

HashOptions swept_often(HashStrategy strategy)
{
    return {.strategy = strategy, .shortest_sweep = 1ms, .longest_sweep = 10ms, .sweep_batch = 100};
}

/// Sweeps, and writes what it heard of, until it is killed.
int sweep(std::string const& url, std::string const& strategy)
{
    Client client{url, unhurried};
    auto hash =
        client.expiring_hash("agents", swept_often(strategy == "delay_queue" ? HashStrategy::delay_queue
                                                                             : HashStrategy::sorted_set));
    hash.on_expired([](std::string const& field, std::string const&) { std::cout << field << std::endl; });
    std::cout << "listening" << std::endl;
    std::this_thread::sleep_for(1h);
    return 0;
}

/// Takes items until it is killed, and acks every other one. Writes what it did.
int consume(std::string const& url)
{
    Client client{url, unhurried};
    auto queue = client.delay_queue("retries", {.lease = 1s, .acknowledge = Acknowledge::manual});
    for (int count = 0;; ++count) {
        auto const item = queue.take();
        std::cout << "took " << item.id << std::endl;
        if (count % 2 != 0) continue;
        std::cout << "acks " << item.id << std::endl;
        if (queue.ack(item.id)) std::cout << "acked " << item.id << std::endl;
    }
}

// ---- hashes ----

class Sweepers : public ::testing::TestWithParam<HashStrategy> {};
INSTANTIATE_TEST_SUITE_P(Strategy, Sweepers,
                         ::testing::Values(HashStrategy::sorted_set, HashStrategy::delay_queue),
                         [](auto const& made) { return std::string{to_string(made.param)}; });

TEST_P(Sweepers, KilledInTheMiddleLeaveTheRestToOthers)
{
    constexpr int count = 20'000;
    // A child stops when its pipe of 64 KiB is full of these, so it cannot sweep many more than we read.
    std::string const long_suffix(60, '.');
    RedisServer server;
    RespClient admin{server.socket_path()};
    Fields ours;
    Client client{server.unix_url(), unhurried};
    std::promise<void> alone;
    auto hash = client.expiring_hash("agents", swept_often(GetParam()));
    hash.on_expired(ours.listener(alone.get_future().share()));

    std::set<std::string> theirs;
    {
        ChildProcess first{{"sweep", server.unix_url(), std::string{to_string(GetParam())}}};
        ChildProcess second{{"sweep", server.unix_url(), std::string{to_string(GetParam())}}};
        ASSERT_EQ(first.read_line(), "listening");
        ASSERT_EQ(second.read_line(), "listening");
        fill_with_expired(admin, count, long_suffix);
        for (int i = 0; i < 300; ++i) {
            EXPECT_TRUE(theirs.insert(first.read_line()).second) << "swept twice";
            EXPECT_TRUE(theirs.insert(second.read_line()).second) << "swept twice";
        }
        first.kill_hard();
        second.kill_hard();
    }
    alone.set_value();
    EXPECT_EQ(hash.size(), 0u);
    EXPECT_TRUE(becomes_so([&] { return admin.integer("EXISTS", "agents", "{agents}:expiry") == 0; }))
        << "the keys vanish with the last field";
    EXPECT_TRUE(becomes_so([&] { return ours.all().size() > count / 2; })) << "most were left";
    std::set<std::string> swept;
    for (auto const& field : ours.all()) {
        EXPECT_TRUE(swept.insert(field).second) << field << " was swept twice";
        EXPECT_FALSE(theirs.contains(field)) << field << " was swept by a child already";
    }
}

TEST(Sweeping, OfAMillionFieldsIsDoneInBoundedCalls)
{
    constexpr int count = 1'000'000;
    constexpr std::size_t batch = 500;
    RedisServer server;
    RespClient admin{server.socket_path()};
    fill_with_expired(admin, count);
    admin.text("CONFIG", "RESETSTAT");

    Client client{server.unix_url(), unhurried};
    auto hash = client.expiring_hash(
        "agents", {.strategy = HashStrategy::sorted_set, .shortest_sweep = 1ms, .sweep_batch = batch});
    hash.put("alive", "1", 1h);
    EXPECT_EQ(hash.get("f500000"), std::nullopt) << "swept or not";
    EXPECT_EQ(hash.size(), 1u);
    EXPECT_TRUE(becomes_so([&] { return admin.integer("HLEN", "agents") == 1; }));
    EXPECT_EQ(hash.get("alive"), "1");

    auto const stat = [&](std::string const& command, std::string const& field) {
        auto const info = admin.text("INFO", "commandstats");
        auto const line = info.find("cmdstat_" + command + ":");
        auto const at = info.find(field + "=", line);
        return std::stod(info.substr(at + field.size() + 1));
    };
    EXPECT_GE(stat("hdel", "calls"), 1.0 * count / batch) << "a call removed more than its batch";
    auto const sweep_micros = stat("evalsha", "usec_per_call");
    admin.text("CONFIG", "RESETSTAT");
    for (int i = 0; i < 1000; ++i) admin.command({"EVAL", "return 1", "0"});
    std::cout << "1 000 000 fields due at once: " << sweep_micros
              << " us of server time for each call that removes " << batch << ", a call that does nothing "
              << stat("eval", "usec_per_call") << " us" << std::endl;
}

TEST(Sweeping, ComesBackForAFieldThatWasPutBehindTheSweep)
{
    RedisServer server;
    RespClient admin{server.socket_path()};
    Client client{server.unix_url(), unhurried};
    auto hash = client.expiring_hash(
        "agents", {.strategy = HashStrategy::sorted_set, .shortest_sweep = 1ms, .longest_sweep = 1h});
    auto const put = [&](char const* field, Duration ttl) {
        return hash.async_put(field, "1", ttl, boost::asio::use_future);
    };
    auto const only_one_is_left = [&] { return admin.integer("HLEN", "agents") == 1; };
    put("lives", 1h).get();
    put("gone", 1ms).get();
    ASSERT_TRUE(becomes_so(only_one_is_left)) << "from here on no sweep is out";

    // Puts share calls: while one is out, the next waits for it. A sweep does not.
    server.pause();
    auto out = put("lives", 1h);
    std::this_thread::sleep_for(20ms);
    auto behind = put("short", 1ms);
    std::this_thread::sleep_for(20ms);
    server.resume();
    out.get();
    behind.get();
    EXPECT_TRUE(becomes_so(only_one_is_left));
}

TEST(AHash, OutlivesItsServersDeath)
{
    RedisServer server{{.append_only = true}};
    RespClient{server.socket_path()}.command({"PING"});
    Client client{server.unix_url(), unhurried};
    auto swept = client.expiring_hash(
        "agents", {.strategy = HashStrategy::sorted_set, .shortest_sweep = 10ms, .longest_sweep = 100ms});
    auto timed =
        client.expiring_hash("sessions", {.strategy = HashStrategy::delay_queue, .longest_sweep = 100ms});
    for (auto hash : {swept, timed}) {
        hash.put("short", "1", 200ms);
        hash.put("long", "2", 1h);
    }
    server.kill_hard();
    std::this_thread::sleep_for(250ms);
    server.start();
    for (auto hash : {swept, timed}) {
        SCOPED_TRACE(hash.name());
        EXPECT_TRUE(becomes_so([&] {
            try {
                return hash.get("long") == "2";
            } catch (Error const&) {
                return false;
            }
        }));
        EXPECT_EQ(hash.get("short"), std::nullopt);
        RespClient admin{server.socket_path()};
        EXPECT_TRUE(becomes_so([&] { return admin.integer("HLEN", hash.name()) == 1; }))
            << "sweeping goes on";
        hash.put("next", "3", 50ms);
        EXPECT_TRUE(becomes_so([&] { return admin.integer("HLEN", hash.name()) == 1; })) << "and stays up";
    }
}

// ---- delay queues ----

TEST(Consumers, KilledInTheMiddleLoseNothing)
{
    constexpr int count = 400;
    RedisServer server;
    Client client{server.unix_url(), unhurried};
    auto queue = client.delay_queue("retries", {.lease = 1h, .acknowledge = Acknowledge::manual});
    std::set<std::string> offered;
    for (int i = 0; i < count; ++i) offered.insert(queue.offer(std::to_string(i)));

    std::set<std::string> began;  // to be acked: nobody knows whether that was executed
    std::set<std::string> acked;
    {
        ChildProcess child{{"consume", server.unix_url()}};
        for (int i = 0; i < 200; ++i) {
            std::istringstream line{child.read_line()};
            std::string verb;
            std::string id;
            line >> verb >> id;
            if (verb == "acks") began.insert(id);
            if (verb == "acked") acked.insert(id);
        }
        child.kill_hard();
        for (std::string text = child.read_line(); !text.empty(); text = child.read_line()) {
            std::istringstream line{text};
            std::string verb;
            std::string id;
            line >> verb >> id;
            if (verb == "acks") began.insert(id);
            if (verb == "acked") acked.insert(id);
        }
    }
    EXPECT_FALSE(acked.empty());

    std::set<std::string> taken;
    while (auto item = queue.try_take_for(5s)) {
        EXPECT_TRUE(taken.insert(item->id).second) << item->id << " was delivered under two leases";
        EXPECT_TRUE(queue.ack(item->id));
    }
    for (auto const& id : offered) EXPECT_TRUE(taken.contains(id) || began.contains(id)) << id << " was lost";
    for (auto const& id : acked) EXPECT_FALSE(taken.contains(id)) << id << " was acked, and came back";
    EXPECT_EQ(
        RespClient{server.socket_path()}.integer("EXISTS", "retries", "{retries}:items", "{retries}:leases"),
        0)
        << "the keys vanish with the last item";
}

TEST(Consumers, WhoWaitOutliveTheServersDeath)
{
    RedisServer server{{.append_only = true}};
    Client consumer{server.unix_url(), unhurried};
    Client producer{server.unix_url(), unhurried};
    auto queue = consumer.delay_queue("retries");
    producer.delay_queue("retries").offer("late", 1h);
    auto waiting = std::async(std::launch::async, [&] {
        for (;;) {
            try {
                return queue.take();
            } catch (
                Error const& error) {  // a call was out when the server died: it is told, and takes again
                bool const is_transient =
                    error.code() == Errc::outcome_unknown || error.code() == Errc::store_unavailable;
                if (!is_transient) throw;
            }
        }
    });
    ASSERT_TRUE(becomes_so([&] { return consumer.stats().waiters == 1; }));
    ASSERT_TRUE(
        becomes_so([&] { return RespClient{server.socket_path()}.list("PUBSUB", "CHANNELS").size() == 1; }));

    server.kill_hard();
    server.start();
    EXPECT_TRUE(becomes_so([&] {
        try {
            producer.delay_queue("retries").offer("now");
            return true;
        } catch (Error const&) {
            return false;
        }
    }));
    ASSERT_EQ(waiting.wait_for(60s), std::future_status::ready);
    EXPECT_EQ(waiting.get().value, "now");
}

TEST(Consumers, WithoutPermissionToListenAreTold)
{
    RedisServer server{{.tcp = true}};
    RespClient{server.socket_path()}.command(
        {"ACL", "SETUSER", "mute", "on", ">pw", "~*", "+@all", "resetchannels"});
    Client client{"redis://mute:pw@127.0.0.1:" + std::to_string(server.tcp_port()), unhurried};
    auto queue = client.delay_queue("retries");
    try {
        queue.take();
        FAIL() << "it waits for what nobody can tell";
    } catch (Error const& error) {
        EXPECT_EQ(error.code(), Errc::access_denied) << error.what();
        EXPECT_THAT(error.what(), ::testing::HasSubstr("operations.md"));
    }
}

// ---- what is stored ----

TEST(TheKeys, AreAHashThatAnybodyReadsAndASetOfMoments)
{
    RedisServer server;
    RespClient admin{server.socket_path()};
    Client client{server.unix_url(), unhurried};
    for (auto const strategy : {HashStrategy::sorted_set, HashStrategy::delay_queue}) {
        SCOPED_TRACE(to_string(strategy));
        std::string const name = "h:" + std::string{to_string(strategy)};
        auto hash =
            client.expiring_hash(name, {.strategy = strategy, .shortest_sweep = 10ms, .longest_sweep = 50ms});
        std::string const bytes{"\0\xff", 2};
        hash.put("ann", bytes, 1h);
        hash.put("bob", "2");
        EXPECT_EQ(admin.text("HGET", name, "ann"), bytes);
        EXPECT_EQ(admin.text("HGET", name, "bob"), "2");
        EXPECT_EQ(admin.list("ZRANGE", "{" + name + "}:expiry", 0, -1), std::vector<std::string>{"ann"});
        EXPECT_EQ(admin.integer("DBSIZE"), 2);

        // A stranger changes it.
        admin.integer("HDEL", name, "bob");
        admin.integer("HSET", name, "cid", "3");
        admin.integer("HSET", name, "ann", "4");
        EXPECT_EQ(hash.get("cid"), "3");
        EXPECT_EQ(hash.get("ann"), "4") << "a new value, and the TTL as it was";
        EXPECT_EQ(hash.size(), 2u);
        EXPECT_TRUE(hash.expire("ann", 1ms));
        EXPECT_EQ(hash.remove("cid"), 1u);
        EXPECT_TRUE(becomes_so([&] { return admin.integer("DBSIZE") == 0; }))
            << "keys vanish with the last field";
    }
    admin.text("SET", "taken", "by another program");
    auto taken = client.expiring_hash("taken");
    try {
        taken.put("ann", "1", 1h);
        FAIL() << "it wrote into a string";
    } catch (Error const& error) {
        EXPECT_EQ(error.code(), Errc::incompatible_data) << error.what();
    }
    EXPECT_EQ(admin.integer("DBSIZE"), 1) << "nothing was left behind";
}

}  // namespace
}  // namespace ration::redis_test

int main(int argc, char** argv)
{
    using namespace ration::redis_test;
    std::vector<std::string> const arguments{argv + 1, argv + argc};
    if (!arguments.empty() && arguments[0] == "sweep") return sweep(arguments.at(1), arguments.at(2));
    if (!arguments.empty() && arguments[0] == "consume") return consume(arguments.at(1));
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
