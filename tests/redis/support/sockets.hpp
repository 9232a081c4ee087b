#pragma once

#include "redis/support/file_handle.hpp"

#include <cstdint>
#include <string>

namespace ration::redis_test {

struct Port {
    FileHandle socket;  ///< bound to the port, not yet listening
    std::uint16_t number = 0;
};

/// Takes a port of 127.0.0.1 that nobody uses.
///
/// It lies below the range from which the system serves outgoing connections. From that range, a client that tries
/// again and again to reach a server that is down may get the server's own port, and be connected to itself.
Port take_free_port();

/// Blocking connections. Throw std::runtime_error if nobody listens.
FileHandle connect_to_socket(std::string const& path);
FileHandle connect_to_port(std::string const& ip, std::uint16_t port);

}  // namespace ration::redis_test
