#include "redis/support/resp_client.hpp"

#include "redis/support/sockets.hpp"

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include <sys/socket.h>
#include <sys/time.h>

namespace ration::redis_test {

namespace {

FileHandle with_patience(FileHandle connection)
{
    timeval const patience{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return connection;
}

void append_command(std::string& bytes, std::vector<std::string> const& arguments)
{
    bytes += "*" + std::to_string(arguments.size()) + "\r\n";
    for (auto const& argument : arguments) {
        bytes += "$" + std::to_string(argument.size()) + "\r\n" + argument + "\r\n";
    }
}

std::string describe(Reply const& reply)
{
    switch (reply.kind) {
    case Reply::Kind::nil: return "nil";
    case Reply::Kind::integer: return "the integer " + std::to_string(reply.integer);
    case Reply::Kind::text: return "the text '" + reply.text + "'";
    case Reply::Kind::error: return "the error '" + reply.text + "'";
    case Reply::Kind::array: return "an array of " + std::to_string(reply.elements.size());
    }
    return "nothing";
}

void require(Reply const& reply, Reply::Kind kind, char const* wanted)
{
    if (reply.kind == kind) return;
    throw std::runtime_error{std::string{"expected "} + wanted + ", the server replied " + describe(reply)};
}

}  // namespace

RespClient::RespClient(std::string const& socket_path)
    : connection_{with_patience(connect_to_socket(socket_path))}
{}

RespClient::RespClient(std::string const& ip, std::uint16_t port)
    : connection_{with_patience(connect_to_port(ip, port))}
{}

Reply RespClient::command(std::vector<std::string> const& arguments)
{
    return pipeline({arguments}).front();
}

std::vector<Reply> RespClient::pipeline(std::vector<std::vector<std::string>> const& commands)
{
    std::string bytes;
    for (auto const& arguments : commands) append_command(bytes, arguments);
    send(bytes);
    std::vector<Reply> replies;
    while (replies.size() < commands.size()) replies.push_back(take_reply());
    return replies;
}

std::string RespClient::text_of(Reply const& reply)
{
    require(reply, Reply::Kind::text, "a text");
    return reply.text;
}

std::int64_t RespClient::integer_of(Reply const& reply)
{
    require(reply, Reply::Kind::integer, "an integer");
    return reply.integer;
}

std::vector<std::string> RespClient::list_of(Reply const& reply)
{
    require(reply, Reply::Kind::array, "an array");
    std::vector<std::string> list;
    for (auto const& element : reply.elements) {
        auto const is_integer = element.kind == Reply::Kind::integer;
        list.push_back(is_integer ? std::to_string(element.integer) : text_of(element));
    }
    return list;
}

void RespClient::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        auto const n = ::send(connection_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n < 0) throw std::runtime_error{"the connection to the server was lost while sending"};
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

void RespClient::receive()
{
    std::array<char, 16384> buffer{};
    ssize_t n = 0;
    do {  // with a timeout, the news that a server was paused interrupts even those who do not listen to it
        n = ::recv(connection_.get(), buffer.data(), buffer.size(), 0);
    } while (n < 0 && errno == EINTR);
    if (n < 0 && errno == EAGAIN) throw std::runtime_error{"the server did not reply within 20 s"};
    if (n < 0)
        throw std::system_error{errno, std::generic_category(), "the connection to the server was lost"};
    if (n == 0) throw std::runtime_error{"the server closed the connection before it replied"};
    received_.append(buffer.data(), static_cast<std::size_t>(n));
}

std::string RespClient::take_line()
{
    auto end = received_.find("\r\n");
    for (; end == received_.npos; end = received_.find("\r\n")) receive();
    auto line = received_.substr(0, end);
    received_.erase(0, end + 2);
    return line;
}

std::string RespClient::take_bytes(std::size_t count)
{
    while (received_.size() < count + 2) receive();
    auto bytes = received_.substr(0, count);
    received_.erase(0, count + 2);
    return bytes;
}

Reply RespClient::take_reply()
{
    auto const line = take_line();
    auto const kind = line.empty() ? '\0' : line.front();
    auto const rest = line.substr(line.empty() ? 0 : 1);
    switch (kind) {
    case '+': return {.kind = Reply::Kind::text, .text = rest};
    case '-': return {.kind = Reply::Kind::error, .text = rest};
    case ':': return {.kind = Reply::Kind::integer, .integer = std::stoll(rest)};
    case '$': {
        auto const size = std::stoll(rest);
        if (size < 0) return {};
        return {.kind = Reply::Kind::text, .text = take_bytes(static_cast<std::size_t>(size))};
    }
    case '*': {
        auto const size = std::stoll(rest);
        if (size < 0) return {};
        Reply reply{.kind = Reply::Kind::array};
        while (reply.elements.size() < static_cast<std::size_t>(size)) reply.elements.push_back(take_reply());
        return reply;
    }
    default: throw std::runtime_error{"the server replied something that is not RESP2: " + line};
    }
}

}  // namespace ration::redis_test
