#include "redis/support/sockets.hpp"

#include <cerrno>
#include <random>
#include <stdexcept>
#include <system_error>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace ration::redis_test {

namespace {

sockaddr_in address_of(std::string const& ip, std::uint16_t port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = ::htons(port);
    if (::inet_pton(AF_INET, ip.c_str(), &address.sin_addr) != 1) {
        throw std::runtime_error{"'" + ip + "' is not an IPv4 address"};
    }
    return address;
}

FileHandle new_socket(int family)
{
    FileHandle socket{::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (!socket.is_open()) throw std::system_error{errno, std::generic_category(), "socket"};
    return socket;
}

template <class Address>
void connect(FileHandle const& socket, Address const& address, std::string const& where)
{
    if (::connect(socket.get(), reinterpret_cast<sockaddr const*>(&address), sizeof address) != 0) {
        throw std::system_error{errno, std::generic_category(), "cannot connect to " + where};
    }
}

}  // namespace

Port take_free_port()
{
    std::random_device random;
    std::uniform_int_distribution<std::uint16_t> ports{20000, 32767};
    for (int attempt = 0; attempt < 1000; ++attempt) {
        Port port{new_socket(AF_INET), ports(random)};
        int const yes = 1;
        ::setsockopt(port.socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        auto const address = address_of("127.0.0.1", port.number);
        if (::bind(port.socket.get(), reinterpret_cast<sockaddr const*>(&address), sizeof address) == 0)
            return port;
    }
    throw std::runtime_error{"no free port on 127.0.0.1"};
}

FileHandle connect_to_socket(std::string const& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        throw std::runtime_error{"too long for a unix socket: " + path};
    path.copy(address.sun_path, path.size());
    auto socket = new_socket(AF_UNIX);
    connect(socket, address, path);
    return socket;
}

FileHandle connect_to_port(std::string const& ip, std::uint16_t port)
{
    auto const address = address_of(ip, port);
    auto socket = new_socket(AF_INET);
    connect(socket, address, ip + ":" + std::to_string(port));
    int const yes = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return socket;
}

}  // namespace ration::redis_test
