#pragma once

#include "interop/jars.hpp"
#include "interop/process_side.hpp"
#include "interop/ration_side.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

namespace ration::interop {

/// A server, Redisson in one version, and ration, which share it.
///
/// All three have one clock. Frozen, it moves when told to, by whole milliseconds: then every answer is certain. What waits,
/// in Java and in ration, waits in real time all the same, and asks again.
class Scene {
public:
    enum class Time : std::uint8_t { frozen, running };

    Scene(Jars const& jars, Version version, Time time);

    void advance(std::int64_t milliseconds)
    {
        server.clock().advance(std::chrono::milliseconds{milliseconds});
    }
    std::int64_t now_ms();

    Version const version;
    redis_test::RedisServer server;
    redis_test::RespClient redis;
    ProcessSide java;
    RationSide ration;
};

/// Redisson in one version, as a client of this server; with the server's clock, if that has one of its own.
ProcessSide::Command java_command(Jars const& jars, Version const& version,
                                  redis_test::RedisServer const& server);

}  // namespace ration::interop
