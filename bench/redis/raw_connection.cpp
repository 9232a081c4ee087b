#include "raw_connection.hpp"

#include "redis/support/resp_frame.hpp"
#include "redis/support/sockets.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <stdexcept>

namespace ration::bench {

RawConnection::RawConnection(std::uint16_t port) : socket_{redis_test::connect_to_port("127.0.0.1", port)}
{
    int const on = 1;
    ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void RawConnection::round_trip(std::string_view commands, std::size_t replies)
{
    while (!commands.empty()) {
        auto const sent = ::send(socket_.get(), commands.data(), commands.size(), MSG_NOSIGNAL);
        if (sent <= 0) throw std::runtime_error{"the server has closed the connection"};
        commands.remove_prefix(static_cast<std::size_t>(sent));
    }
    received_.clear();
    std::string_view rest;
    while (replies > 0) {
        std::array<char, 16384> chunk;
        auto const count = ::recv(socket_.get(), chunk.data(), chunk.size(), 0);
        if (count <= 0) throw std::runtime_error{"the server has closed the connection"};
        auto const done = received_.size() - rest.size();
        received_.append(chunk.data(), static_cast<std::size_t>(count));
        rest = std::string_view{received_}.substr(done);
        for (std::size_t size; replies > 0 && (size = redis_test::frame_size(rest)) > 0; --replies) {
            if (rest.front() == '-') throw std::runtime_error{"the server says " + std::string{rest}};
            rest.remove_prefix(size);
        }
    }
}

std::string wire(std::vector<std::string> const& words)
{
    std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
    for (auto const& word : words) bytes += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    return bytes;
}

}  // namespace ration::bench
