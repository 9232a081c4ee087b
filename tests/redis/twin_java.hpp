#pragma once

// What a Java client leaves in Redis, byte by byte (docs/redis-layout.md), and a scene to find it in.

#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <ration/ration.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ration::redis_test {

using namespace std::chrono_literals;

/// How a member begins; the permits follow.
enum class Generation : std::uint8_t {
    fI,       ///< 3.13.3 to 3.16.3: a float
    Lc0I,     ///< 3.16.4 to 3.16.8: u64 8, eight bytes
    Bc0I_8,   ///< 3.17.0 to 3.20.1: u8 8, eight bytes
    Bc0I_16,  ///< since 3.21.0: u8 16, sixteen bytes
};

/// Numbers that differ make members that do.
inline std::string java_member(Generation generation, Permits permits, std::uint64_t id)
{
    std::string member;
    auto const append = [&](std::uint64_t number, int bytes) {
        for (; bytes > 0; --bytes, number /= 256) member += static_cast<char>(number % 256);
    };
    switch (generation) {
    case Generation::fI: append(id, 4); break;
    case Generation::Lc0I:
        append(8, 8);
        append(id, 8);
        break;
    case Generation::Bc0I_8:
        append(8, 1);
        append(id, 8);
        break;
    case Generation::Bc0I_16:
        append(16, 1);
        append(id, 8);
        append(~id, 8);
        break;
    }
    append(static_cast<std::uint64_t>(permits), 4);
    return member;
}

/// One server whose clock stands still, and each test begins with nothing in it.
class JavaScene : public ::testing::Test {
protected:
    static constexpr Time start = std::chrono::sys_days{std::chrono::year{2024} / 2 / 29};
    static constexpr std::int64_t start_ms = start.time_since_epoch() / 1ms;

    static void SetUpTestSuite()
    {
        server_ = std::make_unique<RedisServer>(RedisServerOptions{.own_clock = true});
    }
    static void TearDownTestSuite() { server_.reset(); }

    void SetUp() override
    {
        redis_.command({"FLUSHALL"});
        server_->clock().freeze(start);
    }

    void advance(Duration by) { server_->clock().advance(by); }

    static Client new_client() { return Client{server_->unix_url(), {.command_timeout = 20s}}; }
    RateLimiter limiter(std::string_view name = "lim", LimiterOptions const& options = {})
    {
        return client_.rate_limiter(name, options);
    }

    // ---- what Java writes ----

    /// `lim` at 3.38.0 or later.
    void java_config(Permits rate, Duration interval, int type = 0)
    {
        redis_.integer("HSET", "lim", "rate", rate, "interval", interval / 1ms, "type", type, "keepAliveTime",
                       0);
    }
    void java_value(Permits free) { redis_.text("SET", "{lim}:value", free); }
    void java_grant(Permits permits, std::int64_t at_ms, Generation generation = Generation::Bc0I_16)
    {
        redis_.integer("ZADD", "{lim}:permits", at_ms, java_member(generation, permits, next_id_++));
    }
    /// Many at once; each a millisecond after the one before.
    void java_grants(int count, Permits permits, std::int64_t first_ms)
    {
        constexpr int chunk = 10'000;
        for (int done = 0; done < count; done += chunk) {
            std::vector<std::string> words{"ZADD", "{lim}:permits"};
            for (int i = done; i < std::min(done + chunk, count); ++i) {
                words.push_back(std::to_string(first_ms + i));
                words.push_back(java_member(Generation::Bc0I_16, permits, next_id_++));
            }
            redis_.command(words);
        }
    }

    // ---- what is there ----

    std::vector<std::string> keys()
    {
        auto all = redis_.list("KEYS", "*");
        std::sort(all.begin(), all.end());
        return all;
    }
    std::map<std::string, std::string> fields(std::string const& key = "lim")
    {
        auto const list = redis_.list("HGETALL", key);
        std::map<std::string, std::string> fields;
        for (std::size_t i = 0; i < list.size(); i += 2) fields[list[i]] = list[i + 1];
        return fields;
    }
    struct Member {
        std::string bytes;
        std::string score;
        Permits permits() const
        {
            Permits sum = 0;
            for (std::size_t i = 1; i <= 4; ++i)
                sum = sum * 256 + static_cast<unsigned char>(bytes.at(bytes.size() - i));
            return sum;
        }
    };
    std::vector<Member> members(std::string const& key = "{lim}:permits")
    {
        auto const list = redis_.list("ZRANGE", key, 0, -1, "WITHSCORES");
        std::vector<Member> members;
        for (std::size_t i = 0; i < list.size(); i += 2) members.push_back({list[i], list[i + 1]});
        return members;
    }
    std::string value(std::string const& key = "{lim}:value") { return redis_.text("GET", key); }
    std::int64_t ttl(std::string const& key) { return redis_.integer("PTTL", key); }

    /// value + sum of the log: what it should be is the rate.
    Permits total()
    {
        Permits sum = std::stoll(value());
        for (auto const& member : members()) sum += member.permits();
        return sum;
    }

    static inline std::unique_ptr<RedisServer> server_;
    RespClient redis_{server_->socket_path()};
    Client client_ = new_client();
    std::uint64_t next_id_ = 1;
};

/// The error that `action` throws.
template <class Action>
Errc error_of(Action action)
{
    try {
        action();
    } catch (Error const& error) {
        return static_cast<Errc>(error.code().value());
    }
    ADD_FAILURE() << "no error";
    return Errc{};
}

}  // namespace ration::redis_test
