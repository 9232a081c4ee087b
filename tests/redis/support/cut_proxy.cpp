#include "redis/support/cut_proxy.hpp"

#include "redis/support/resp_frame.hpp"

#include <array>
#include <cerrno>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

namespace ration::redis_test {

namespace {

constexpr int backlog = 128;

void make_nonblocking(FileHandle const& socket)
{
    ::fcntl(socket.get(), F_SETFL, ::fcntl(socket.get(), F_GETFL) | O_NONBLOCK);
}

/// Reads what there is. False at the end of the connection.
bool read_into(std::string& received, FileHandle const& socket)
{
    std::array<char, 16384> buffer{};
    for (;;) {
        auto const n = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
        if (n < 0) return errno == EAGAIN || errno == EINTR;
        if (n == 0) return false;
        received.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

/// Writes what fits. False if the other side is gone.
bool write_from(std::string& unsent, FileHandle const& socket)
{
    while (!unsent.empty()) {
        auto const n = ::send(socket.get(), unsent.data(), unsent.size(), MSG_NOSIGNAL);
        if (n < 0) return errno == EAGAIN || errno == EINTR;
        unsent.erase(0, static_cast<std::size_t>(n));
    }
    return true;
}

/// Takes the first whole frame, or nothing.
std::string take_frame(std::string& received)
{
    auto const size = frame_size(received);
    auto frame = received.substr(0, size);
    received.erase(0, size);
    return frame;
}

/// RESP3 confirms these with a push, not with a reply.
bool is_subscription(std::string const& command)
{
    return command.ends_with("SUBSCRIBE");
}

}  // namespace

CutProxy::CutProxy(std::string socket_path)
    : CutProxy{[path = std::move(socket_path)] { return connect_to_socket(path); }}
{}

CutProxy::CutProxy(std::uint16_t server_port)
    : CutProxy{[server_port] { return connect_to_port("127.0.0.1", server_port); }}
{}

CutProxy::CutProxy(std::function<FileHandle()> connect_to_server)
    : connect_to_server_{std::move(connect_to_server)},
      listener_{take_free_port()},
      alarm_{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)}
{
    make_nonblocking(listener_.socket);
    if (!alarm_.is_open() || ::listen(listener_.socket.get(), backlog) != 0) {
        throw std::runtime_error{"the proxy cannot listen"};
    }
    thread_ = std::thread{[this] { run(); }};
}

CutProxy::~CutProxy()
{
    {
        std::lock_guard const lock{mutex_};
        ending_ = true;
        wake();
    }
    thread_.join();
}

void CutProxy::cut_before_reply(std::string command)
{
    std::lock_guard const lock{mutex_};
    cut_command_ = std::move(command);
}

void CutProxy::cut_all()
{
    std::lock_guard const lock{mutex_};
    connections_.clear();
    wake();
}

void CutProxy::refuse(bool refusing)
{
    std::lock_guard const lock{mutex_};
    if (std::exchange(refusing_, refusing) == refusing) return;
    // A socket that is shut down stops listening but keeps its port, so nobody else can take it meanwhile.
    auto const result =
        refusing ? ::shutdown(listener_.socket.get(), SHUT_RDWR) : ::listen(listener_.socket.get(), backlog);
    if (result != 0) throw std::runtime_error{"the proxy cannot stop or start to listen"};
    wake();
}

void CutProxy::hold(bool holding)
{
    std::lock_guard const lock{mutex_};
    holding_ = holding;
    wake();
}

int CutProxy::connections() const
{
    std::lock_guard const lock{mutex_};
    return accepted_;
}

std::int64_t CutProxy::requests() const
{
    std::lock_guard const lock{mutex_};
    return forwarded_;
}

void CutProxy::wake()
{
    ::eventfd_write(alarm_.get(), 1);
}

void CutProxy::run()
{
    for (;;) {
        wait_for_traffic();
        std::lock_guard const lock{mutex_};
        if (ending_) return;
        if (!refusing_) accept_clients();
        if (!holding_) std::erase_if(connections_, [this](Connection& each) { return !pump(each); });
    }
}

void CutProxy::wait_for_traffic()
{
    std::vector<pollfd> files{{alarm_.get(), POLLIN, 0}};
    {
        std::lock_guard const lock{mutex_};
        if (!refusing_) files.push_back({listener_.socket.get(), POLLIN, 0});
        for (auto const& connection : connections_) {
            if (holding_) break;
            for (auto const* const end : {&connection.client, &connection.server}) {
                auto const events = end->unsent.empty() ? POLLIN : POLLIN | POLLOUT;
                files.push_back({end->socket.get(), static_cast<short>(events), 0});
            }
        }
    }
    // Without the lock, so a file may be closed meanwhile; hence run() asks every socket and ignores what poll() says.
    ::poll(files.data(), files.size(), -1);
    eventfd_t ignored = 0;
    ::eventfd_read(alarm_.get(), &ignored);
}

void CutProxy::accept_clients()
{
    for (;;) {
        FileHandle client{::accept4(listener_.socket.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
        if (!client.is_open()) return;
        ++accepted_;
        try {
            auto server = connect_to_server_();
            make_nonblocking(server);
            connections_.push_back(
                {.client = {std::move(client), {}, {}}, .server = {std::move(server), {}, {}}});
        } catch (std::runtime_error const&) {
            // The server is down: the client is accepted and cut, as by a real proxy.
        }
    }
}

/// Moves what can be moved. False if the connection is to be closed.
bool CutProxy::pump(Connection& connection)
{
    auto const client_stays = read_into(connection.client.received, connection.client.socket);
    forward_requests(connection);
    auto const server_stays = read_into(connection.server.received, connection.server.socket);
    auto const uncut = forward_replies(connection);
    auto const sent = write_from(connection.client.unsent, connection.client.socket)
                      && write_from(connection.server.unsent, connection.server.socket);
    return client_stays && server_stays && uncut && sent;
}

void CutProxy::forward_requests(Connection& connection)
{
    while (!connection.fatal) {
        auto const request = take_frame(connection.client.received);
        if (request.empty()) break;
        auto const command = command_of(request);
        if (cut_command_ && (cut_command_->empty() || *cut_command_ == command)) {
            connection.fatal = connection.awaited;
            cut_command_.reset();
        }
        if (!is_subscription(command)) ++connection.awaited;
        connection.server.unsent += request;
        ++forwarded_;
    }
}

/// False if the reply came that is not to be passed on.
bool CutProxy::forward_replies(Connection& connection)
{
    for (;;) {
        auto const reply = take_frame(connection.server.received);
        if (reply.empty()) return true;
        if (!is_push(reply)) {
            if (connection.fatal && (*connection.fatal)-- == 0) return false;
            --connection.awaited;
        }
        connection.client.unsent += reply;
    }
}

}  // namespace ration::redis_test
