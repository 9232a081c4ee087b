#pragma once

#include "report.hpp"

#include <ration/client.hpp>

#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace ration::bench {

/// What a server says of the calls of one command, since it was last asked to forget.
struct CommandStats {
    double calls = 0;
    double microseconds = 0;  ///< on the processor, all calls together

    double each() const { return microseconds / calls; }
};

/// Where everything is measured: one server of our own, on a port of 127.0.0.1, and how long to look at each thing.
class Scene {
public:
    /// The server stays on the processor that this thread is pinned to now.
    explicit Scene(std::chrono::milliseconds span) : span_{span} {}

    std::chrono::milliseconds span() const { return span_; }
    double seconds() const { return std::chrono::duration<double>{span_}.count(); }
    /// Patient, because on a busy machine a neighbour may stop the server for longer than any sane timeout.
    Client client() const { return Client{server_.tcp_url(), {.command_timeout = std::chrono::seconds{20}}}; }
    std::uint16_t port() const { return server_.tcp_port(); }
    std::string version() const { return server_.version(); }

    redis_test::RespClient& control() { return control_; }
    Report& report() { return report_; }

    /// Nothing is stored, nothing counted. Scripts stay.
    void clear();

    CommandStats stats_of(std::string const& command);
    /// "evalsha" is how all scripts here are run.
    CommandStats script_stats() { return stats_of("evalsha"); }

    double used_memory();

    /// Its SHA1.
    std::string load(std::string_view script) { return control_.text("SCRIPT", "LOAD", script); }

private:
    std::chrono::milliseconds span_;
    redis_test::RedisServer server_{{.tcp = true}};
    redis_test::RespClient control_{server_.socket_path()};
    Report report_;
};

}  // namespace ration::bench
