// Several processes, many threads, one limit: nothing too much, and nothing lost.

#include "redis/child_process.hpp"
#include "redis/history.hpp"
#include "redis/load.hpp"
#include "redis/support/becomes_so.hpp"
#include "redis/support/redis_server.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <list>
#include <sstream>

namespace ration::redis_test {
namespace {

constexpr int processes = 4;
constexpr int threads = 8;
constexpr int keys = 20;

/// A slow machine must not look like a lost answer.
ClientOptions const unhurried{.command_timeout = 20s};

Rate const shared_rate = Rate::per(100, 50ms);
Rate const key_rate = Rate::per_second(40).with_burst(10);

std::chrono::seconds test_seconds()
{
    char const* const chosen = std::getenv("RATION_TEST_SECONDS");
    return std::chrono::seconds{chosen != nullptr ? std::atoi(chosen) : 20};
}

// ---- what the children do ----

/// Takes and releases permits of "shared" for a while. Writes what it was granted and what it released.
int share_a_log(std::string const& url, std::chrono::seconds span, std::uint32_t seed)
{
    Client client{url, unhurried};
    Load load{client.rate_limiter("shared"), {.threads = threads, .with_releases = true, .seed = seed}};
    std::this_thread::sleep_for(span);
    auto const tally = load.finish();
    std::cout << tally.granted << ' ' << tally.released << ' ' << tally.denials << ' ' << tally.cancels << ' '
              << tally.unknown + tally.unavailable << std::endl;
    std::cerr << tally.surprise;
    return tally.surprise.empty() ? 0 : 1;
}

/// Takes what it can get of 20 keys for a while. Writes what it was granted of each.
int hammer_keys(std::string const& url, std::chrono::seconds span)
{
    Client client{url, unhurried};
    auto limiter = client.keyed_rate_limiter("user", {.rate = key_rate});
    std::array<std::atomic<Permits>, keys> granted{};
    auto const end = SteadyClock::now() + span;
    {
        std::vector<std::jthread> crowd;
        crowd.reserve(threads);
        for (int i = 0; i < threads; ++i) {
            crowd.emplace_back([&, i] {
                for (int turn = i; SteadyClock::now() < end; ++turn) {
                    auto const key = turn % keys;
                    if (limiter.try_acquire_for(std::to_string(key), turn % 3 * 1ms)) {
                        ++granted.at(static_cast<std::size_t>(key));
                    }
                }
            });
        }
    }
    for (auto const& each : granted) std::cout << each << ' ';
    std::cout << std::endl;
    return 0;
}

/// Waits with many threads for permits that are not there, until it is killed.
int wait_in_vain(std::string const& url)
{
    Client client{url, unhurried};
    auto limiter = client.rate_limiter("shared");
    std::vector<std::jthread> crowd;
    crowd.reserve(threads);
    for (int i = 0; i < threads; ++i) {
        crowd.emplace_back([&] {
            for (;;) limiter.acquire(5);
        });
    }
    while (client.stats().waiters < threads) std::this_thread::sleep_for(1ms);
    std::cout << "all wait" << std::endl;
    return 0;  // never: the threads are waited for
}

// ---- what is tested ----

std::vector<Permits> numbers(std::string const& line)
{
    std::istringstream text{line};
    return {std::istream_iterator<Permits>{text}, {}};
}

TEST(Processes, ShareASlidingLogExactly)
{
    RedisServer const server;
    Client client{server.unix_url(), unhurried};
    auto limiter = client.rate_limiter("shared");
    limiter.set_rate(shared_rate);
    WatchedHistory watched{server.socket_path(), "shared", shared_rate};

    std::list<ChildProcess> children;
    auto const span = std::to_string(test_seconds().count());
    for (int i = 1; i <= processes; ++i) {
        children.emplace_back(
            std::vector<std::string>{"share_a_log", server.unix_url(), span, std::to_string(i)});
    }
    Permits granted = 0;
    Permits released = 0;
    for (auto& child : children) {
        auto const told = numbers(child.read_line());
        ASSERT_EQ(child.wait(), 0);
        ASSERT_EQ(told.size(), 5U);
        granted += told[0];
        released += told[1];
        EXPECT_GT(told[2], 0) << "denials";
        EXPECT_GT(told[3], 0) << "cancels";
        EXPECT_EQ(told[4], 0) << "permits that were not answered";
    }

    // Everything comes free again, to the last permit.
    auto const all = limiter.try_acquire_for(5s, shared_rate.permits());
    EXPECT_TRUE(all.granted);
    limiter.release(shared_rate.permits());
    EXPECT_EQ(limiter.available_permits(), shared_rate.permits());

    auto const& history = watched.finished();
    EXPECT_EQ(history.problem(), "");
    EXPECT_EQ(history.granted(), granted + shared_rate.permits()) << "nothing is lost";
    EXPECT_LE(history.given_back(), released + shared_rate.permits()) << "nothing is dropped before its time";
    auto const full_use = shared_rate.permits() * (test_seconds() / shared_rate.interval());
    EXPECT_GT(granted, full_use / 4) << "the limit was in use";
    std::cout << granted << " permits in " << history.grants() << " grants, " << released << " released\n";
}

TEST(Processes, ShareTheKeysOfATokenBucket)
{
    RedisServer const server;
    auto const span = std::min(test_seconds(), 4s);
    RespClient clock{server.socket_path()};
    auto const server_time = [&] {
        auto const time = clock.list("TIME");
        return std::chrono::seconds{std::stoll(time[0])} + Duration{std::stoll(time[1])};
    };

    auto const begin = server_time();
    std::list<ChildProcess> children;
    for (int i = 0; i < processes; ++i) {
        children.emplace_back(
            std::vector<std::string>{"hammer_keys", server.unix_url(), std::to_string(span.count())});
    }
    std::array<Permits, keys> granted{};
    for (auto& child : children) {
        auto const told = numbers(child.read_line());
        ASSERT_EQ(child.wait(), 0);
        ASSERT_EQ(told.size(), granted.size());
        for (std::size_t key = 0; key < granted.size(); ++key) granted[key] += told[key];
    }
    auto const elapsed = server_time() - begin;

    auto const flowed_in = [](Duration time) { return key_rate.permits() * time / key_rate.interval(); };
    for (auto const each : granted) {
        EXPECT_LE(each, key_rate.capacity() + flowed_in(elapsed));
        EXPECT_GT(each, key_rate.capacity() + flowed_in(span) / 4) << "the limit was in use";
    }
}

TEST(Processes, DoNotMissOneThatIsKilledWhileItWaits)
{
    RedisServer const server;
    Client client{server.unix_url(), unhurried};
    auto limiter = client.rate_limiter("shared");
    limiter.set_rate(shared_rate);
    WatchedHistory watched{server.socket_path(), "shared", shared_rate};

    Load load{limiter, {}};
    for (int round = 0; round < 15; ++round) {
        ChildProcess child{{"wait_in_vain", server.unix_url()}};
        ASSERT_EQ(child.read_line(), "all wait");
        child.kill_hard();
    }
    auto const grants = [&] {
        auto const stats = client.stats();
        return stats.decisions - stats.denials.store;
    };
    auto const before = grants();
    EXPECT_TRUE(becomes_so([&] { return grants() > before + 100; })) << "the others go on";
    auto const tally = load.finish();
    EXPECT_EQ(tally.surprise, "");
    EXPECT_EQ(tally.unknown + tally.unavailable, 0);

    EXPECT_TRUE(limiter.try_acquire_for(5s, shared_rate.permits())) << "what the dead held comes free";
    auto const& history = watched.finished();
    EXPECT_EQ(history.problem(), "");
    EXPECT_GE(history.granted(), tally.granted);
}

}  // namespace
}  // namespace ration::redis_test

int main(int argc, char** argv)
{
    using namespace ration::redis_test;
    std::vector<std::string> const arguments{argv + 1, argv + argc};
    auto const seconds = [&] { return std::chrono::seconds{std::stoll(arguments.at(2))}; };
    if (!arguments.empty() && arguments[0] == "share_a_log") {
        return share_a_log(arguments.at(1), seconds(),
                           static_cast<std::uint32_t>(std::stoul(arguments.at(3))));
    }
    if (!arguments.empty() && arguments[0] == "hammer_keys") return hammer_keys(arguments.at(1), seconds());
    if (!arguments.empty() && arguments[0] == "wait_in_vain") return wait_in_vain(arguments.at(1));
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
