#pragma once

#include "redis/support/resp_client.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ration::interop {

/// The keys that Redisson uses for a limiter, by its rule of braces. With a client's id: those of that client.
struct LimiterKeys {
    explicit LimiterKeys(std::string const& name, std::string const& client_id = {});

    std::string config;
    std::string value;
    std::string permits;
};

/// A member of a log, taken apart.
struct Grant {
    std::int64_t time_ms = 0;
    std::int64_t permits = 0;
    std::string format;  ///< "fI", "Lc0I" or "Bc0I", or what is wrong with it
};

Grant grant_of(std::string const& member, std::int64_t score);

/// Everything that is stored for a limiter. A key that is not there has a time to live of -2.
struct Stored {
    std::map<std::string, std::string> config;
    std::optional<std::string> value;
    std::vector<Grant> log;
    std::int64_t config_ttl = -2;
    std::int64_t value_ttl = -2;
    std::int64_t log_ttl = -2;
};

Stored read_stored(redis_test::RespClient& redis, LimiterKeys const& keys);

std::string to_string(Stored const& stored);

}  // namespace ration::interop
