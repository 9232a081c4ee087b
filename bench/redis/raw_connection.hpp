#pragma once

#include "redis/support/file_handle.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ration::bench {

/// The least a client can do: a blocking socket, bytes out, bytes in. No limiter through a network can do less.
class RawConnection {
public:
    explicit RawConnection(std::uint16_t port);

    /// Sends one or more commands and waits for the end of so many replies. Throws if one of them is an error.
    void round_trip(std::string_view commands, std::size_t replies = 1);

private:
    redis_test::FileHandle socket_;
    std::string received_;
};

/// A command as it goes over the wire.
std::string wire(std::vector<std::string> const& words);

}  // namespace ration::bench
