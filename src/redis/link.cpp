#include "redis/link.hpp"

#include "redis/server_error.hpp"
#include "redis/tls.hpp"

#include <boost/asio/ssl/error.hpp>
#include <boost/redis/error.hpp>

#include <algorithm>

namespace ration::redis {
namespace {

using boost::system::error_code;
using namespace std::chrono_literals;

constexpr auto longest_connect = 2s;  // and as long each for finding the address and for the TLS handshake

/// A server that is gone is found within about 2 s, but one that is slow gets as long as a command may take,
/// up to 5 s.
std::chrono::steady_clock::duration pulse_interval(Duration command_timeout)
{
    return std::clamp<Duration>(command_timeout, 700ms, 5s);
}

boost::redis::logger silence()
{
    using Logger = boost::redis::logger;
    return {Logger::level::disabled, [](Logger::level, std::string_view) {}};
}

bool is_tls(error_code const& error)
{
    return error.category() == boost::asio::error::get_ssl_category()
           || error.category() == boost::asio::ssl::error::get_stream_category()
           || error == boost::redis::error::ssl_handshake_timeout;
}

/// Not bytes that anybody who speaks RESP3 would send.
bool is_gibberish(error_code const& error)
{
    using Code = boost::redis::error;
    return error == Code::invalid_data_type || error == Code::not_a_number || error == Code::empty_field
           || error == Code::unexpected_bool_value || error == Code::exceeeds_max_nested_depth;
}

}  // namespace

Link::Link(boost::asio::any_io_executor const& executor, std::shared_ptr<Settings const> settings)
    : settings_{std::move(settings)},
      connection_{executor, make_tls_context(settings_->url, settings_->tls, tls_refusal_), silence()},
      pulse_{executor}
{
    write_setup();
    ping_.push("PING");
}

/// HELLO names the client too, since a user may be without permission for CLIENT SETNAME.
void Link::write_setup()
{
    auto const& url = settings_->url;
    if (url.user.empty() && url.password.empty()) {
        setup_.hello_setname("ration");
    } else {
        setup_.hello_setname(url.user.empty() ? "default" : url.user, url.password, "ration");
    }
    if (url.db != 0) setup_.push("SELECT", url.db);
}

boost::redis::config Link::config() const
{
    auto const& url = settings_->url;
    boost::redis::config config;
    config.use_ssl = url.tls;
    config.addr = {url.host, std::to_string(url.port)};
    config.unix_socket = url.path;
    config.resolve_timeout = longest_connect;
    config.connect_timeout = longest_connect;
    config.ssl_handshake_timeout = longest_connect;
    config.health_check_interval = 0s;    // see watch()
    config.reconnect_wait_interval = 0s;  // it ends, and the session decides what next
    config.use_setup = true;
    config.setup.clear();
    return config;
}

void Link::start(core::UniqueFunction<void()> ready, core::UniqueFunction<void(Failure)> ended)
{
    connection_.async_run(config(),
                          [self = shared_from_this(), ended = std::move(ended)](error_code error) mutable {
                              self->has_ended_ = true;
                              self->pulse_.cancel();
                              // The set-up, if it still waits for a connection.
                              self->connection_.cancel(boost::redis::operation::exec);
                              self->connection_.cancel(boost::redis::operation::receive);
                              ended(self->describe_end(error));
                          });
    connection_.async_exec(
        setup_, read_into(setup_reply_),
        [self = shared_from_this(), ready = std::move(ready)](error_code error, std::size_t) mutable {
            if (error) return;  // the connection has ended, or is about to
            if (self->setup_reply_.error) {
                self->close();
            } else {
                self->is_ready_ = true;
                ready();
            }
        });
    watch();
}

/// Looks now and then whether the server still says something, and asks when it does not.
///
/// Boost.Redis could do this. But it sets a timer for every read and every write, which costs a command two
/// system calls of nine; and it ends a connection where PING is answered with an error, as to a user who may
/// not call it.
void Link::watch()
{
    pulse_.expires_after(pulse_interval(settings_->command_timeout));
    pulse_.async_wait([self = shared_from_this()](error_code error) {
        if (!error && !self->has_ended_) self->on_pulse();
    });
}

void Link::on_pulse()
{
    bool const is_connecting = sent() == 0;  // which has limits of its own
    if (is_connecting || std::exchange(heard_, received()) != received()) {
        silent_pulses_ = 0;
    } else if (++silent_pulses_ == 2) {
        close();
        return;
    } else if (is_ready_) {
        // Not boost::redis::ignore, which would end the connection if the answer is an error.
        connection_.async_exec(ping_, boost::redis::any_adapter{},
                               [self = shared_from_this()](error_code, std::size_t) {});
    }
    watch();
}

namespace {

/// Boost 1.91 put another function in the place of the first.
template <class Connection, class Handler>
void receive_from(Connection& connection, Handler handler)
{
    if constexpr (requires { connection.async_receive2(std::move(handler)); }) {
        connection.async_receive2(std::move(handler));
    } else {
        connection.async_receive(
            [handler = std::move(handler)](error_code error, std::size_t) mutable { handler(error); });
    }
}

}  // namespace

void Link::receive(std::function<void(RawReply)> on_push)
{
    on_push_ = std::move(on_push);
    connection_.set_receive_response(pushes_);
    receive_more();
}

void Link::receive_more()
{
    receive_from(connection_, [self = shared_from_this()](error_code error) {
        for (auto& push : std::exchange(self->pushes_.complete, {})) self->on_push_(std::move(push));
        if (!error && !self->has_ended_) self->receive_more();
    });
}

void Link::subscribe(std::string const& channel)
{
    tell("SUBSCRIBE", channel);
}

void Link::unsubscribe(std::string const& channel)
{
    tell("UNSUBSCRIBE", channel);
}

void Link::tell(std::string const& command, std::string const& channel)
{
    auto request = std::make_unique<boost::redis::request>();
    request->push(command, channel);
    auto const& sent = *request;
    connection_.async_exec(
        sent, boost::redis::any_adapter{},
        [self = shared_from_this(), request = std::move(request)](error_code, std::size_t) {});
}

void Link::take_back()
{
    --in_flight_;
    if (is_retired_ && in_flight_ == 0) close();
}

void Link::retire()
{
    is_retired_ = true;
    if (in_flight_ == 0) close();
}

void Link::close()
{
    if (has_ended_) return;
    connection_.cancel(boost::redis::operation::run);
    if (on_push_) connection_.cancel(boost::redis::operation::receive);
}

Failure Link::describe_end(error_code const& error) const
{
    auto const& where = settings_->where;
    if (setup_reply_.error) return setup_failure(*setup_reply_.error, where);

    std::string const reason = silent_pulses_ == 2 ? "it does not answer" : error.message();
    std::string const not_sent = "; the command was not sent";
    if (is_ready_) {
        return {Errc::store_unavailable, true,
                "the connection to " + where + " was lost (" + reason + ")" + not_sent};
    }
    if (is_gibberish(error)) {
        return {Errc::store_unavailable, true,
                "what answers at " + where + " does not speak RESP3; is it Redis 6 or newer?"};
    }
    if (is_tls(error)) {
        std::string const why = tls_refusal_->empty() ? error.message() : *tls_refusal_;
        return {Errc::store_unavailable, true,
                "no secure connection to " + where + " (" + why + ")" + not_sent
                    + "; check ClientOptions::tls, the server's certificate, and that it speaks TLS there"};
    }
    return {Errc::store_unavailable, true,
            where + " cannot be reached (" + reason + ")" + not_sent
                + "; is the server running, and is the address right?"};
}

}  // namespace ration::redis
