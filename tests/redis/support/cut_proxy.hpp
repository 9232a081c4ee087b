#pragma once

#include "redis/support/file_handle.hpp"
#include "redis/support/sockets.hpp"

#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace ration::redis_test {

/// A bad network on demand: stands between clients and a server, forwards whole requests and replies, and breaks when
/// told to.
///
/// What a call orders is in force when it returns. Safe to use from any thread. It reads along, so there is no TLS, and
/// it expects one reply per request, so pub/sub needs RESP3 and CLIENT REPLY is not for here.
class CutProxy {
public:
    /// In front of a server's unix socket, or a port of 127.0.0.1.
    explicit CutProxy(std::string socket_path);
    explicit CutProxy(std::uint16_t server_port);
    ~CutProxy();
    CutProxy(CutProxy const&) = delete;
    CutProxy& operator=(CutProxy const&) = delete;

    /// Lets the next request through, waits for its reply, drops that and cuts the connection: the request was executed
    /// and its client will never know. Replies to earlier requests still pass, later requests of that connection do not.
    /// With a command, e.g. "EVALSHA", the next request of that command, written like this.
    void cut_before_reply(std::string command = {});

    /// Closes every connection.
    void cut_all();

    /// Refuses new connections; those that are open stay.
    void refuse(bool refusing);

    /// Forwards nothing in either direction; connections stay open, and new ones open.
    void hold(bool holding);

    int connections() const;        ///< accepted so far
    std::int64_t requests() const;  ///< forwarded so far

    std::uint16_t port() const { return listener_.number; }
    std::string url() const { return "redis://127.0.0.1:" + std::to_string(port()); }

private:
    struct End {
        FileHandle socket = {};
        std::string received = {};  ///< from here, not yet a whole frame
        std::string unsent = {};    ///< to here
    };

    struct Connection {
        End client = {};
        End server = {};
        std::int64_t awaited = 0;                ///< replies to come
        std::optional<std::int64_t> fatal = {};  ///< replies to come before the one that is dropped
    };

    explicit CutProxy(std::function<FileHandle()> connect_to_server);

    void run();
    void wait_for_traffic();
    void accept_clients();
    bool pump(Connection& connection);
    void forward_requests(Connection& connection);
    bool forward_replies(Connection& connection);
    void wake();

    std::function<FileHandle()> connect_to_server_;
    Port listener_;
    FileHandle alarm_;  ///< readable when run() has to look at what was ordered

    std::mutex mutable mutex_;  ///< guards all below
    std::list<Connection> connections_;
    std::optional<std::string> cut_command_;
    bool refusing_ = false;
    bool holding_ = false;
    bool ending_ = false;
    int accepted_ = 0;
    std::int64_t forwarded_ = 0;

    std::thread thread_;
};

}  // namespace ration::redis_test
