#pragma once

#include "redis/support/certificates.hpp"
#include "redis/support/server_clock.hpp"
#include "redis/support/server_process.hpp"
#include "redis/support/temporary_directory.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ration::redis_test {

struct RedisServerOptions {
    bool tcp = false;                         ///< listen on a port of 127.0.0.1 also
    bool tls = false;                         ///< listen on a port with TLS also
    bool require_client_certificate = false;  ///< with tls; otherwise a client may show one
    bool append_only = false;                 ///< what was answered survives kill_hard(); else nothing does
    bool own_clock = false;                   ///< the time of day comes from clock()
    std::vector<std::string> arguments = {};  ///< more for the server, e.g. {"--maxmemory", "1mb"}
    std::string program = {};                 ///< if empty, $RATION_TEST_SERVER, else redis-server
};

/// A server of our own, in a directory of its own that ends with it. Always listens on a unix socket, never on 6379.
///
/// The kernel kills it when the thread that called start() ends, however that ends.
class RedisServer {
public:
    /// Returns when the server answers. Throws std::runtime_error with the end of the server's log if that does not
    /// happen within 20 s.
    explicit RedisServer(RedisServerOptions options = {});

    std::string socket_path() const { return (directory_.path() / "socket").string(); }
    std::uint16_t tcp_port() const { return tcp_port_; }  ///< 0 if there is none
    std::uint16_t tls_port() const { return tls_port_; }

    std::string unix_url() const { return "unix:" + socket_path(); }
    std::string tcp_url() const { return "redis://127.0.0.1:" + std::to_string(tcp_port_); }
    std::string tls_url() const { return "rediss://127.0.0.1:" + std::to_string(tls_port_); }

    /// With tls only. The other CA knows neither the server nor the client.
    std::string const& ca_file() const { return certificates_.value().ca; }
    std::string const& other_ca_file() const { return certificates_.value().other_ca; }
    std::string const& client_certificate_file() const { return certificates_.value().client_certificate; }
    std::string const& client_key_file() const { return certificates_.value().client_key; }

    /// With own_clock only.
    ServerClock& clock() { return clock_.value(); }

    /// What gives any other process that clock too; nothing if the server has none.
    std::vector<std::string> clock_environment() const;

    pid_t pid() const { return process_.value().pid(); }
    std::string version() const;  ///< asks the server: "redis 7.0.15", "valkey 8.0.1"

    void kill_hard();  ///< as a power cut would
    void stop();       ///< as an administrator would
    void start();      ///< again, after either: same directory, ports and clock

    void pause();  ///< connections stay open, nothing is answered
    void resume();

private:
    void choose_ports();
    std::vector<std::string> command_line() const;
    bool wait_until_it_answers(std::chrono::steady_clock::time_point deadline);
    bool answers() const;
    std::filesystem::path log_file() const { return directory_.path() / "log"; }
    std::string end_of_log() const;

    RedisServerOptions options_;
    TemporaryDirectory directory_;
    std::optional<Certificates> certificates_;
    std::optional<ServerClock> clock_;
    std::uint16_t tcp_port_ = 0;
    std::uint16_t tls_port_ = 0;
    bool started_once_ = false;  ///< from then on the ports stay
    std::optional<ServerProcess> process_;
};

}  // namespace ration::redis_test
