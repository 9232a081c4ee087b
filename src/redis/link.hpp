#pragma once

#include "core/unique_function.hpp"
#include "redis/pending.hpp"
#include "redis/pushes.hpp"
#include "redis/settings.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/redis/connection.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace ration::redis {

/// One connection to the server, from the attempt to connect to its end; never used twice. Not thread-safe.
///
/// The set-up is a request of ours and not Boost.Redis's own (config::setup), which is sent in one piece with
/// whatever waits behind it: after a wrong password commands would be executed as the default user, after a
/// wrong SELECT in database 0. Here nothing is sent before the server has agreed to all of the set-up.
class Link : public std::enable_shared_from_this<Link> {
public:
    /// Throws Error if the files of TlsOptions cannot be read.
    Link(boost::asio::any_io_executor const& executor, std::shared_ptr<Settings const> settings);

    /// Connects and sets up. Calls `ready` if it comes to that, and in any case `ended`, once, with what to
    /// tell those whose commands were not sent.
    void start(core::UniqueFunction<void()> ready, core::UniqueFunction<void(Failure)> ended);

    /// Sends what pending.write() wrote. The handler must own `pending`.
    template <class Handler>
    void send(Pending& pending, Handler&& handler)
    {
        pending.sent_before = sent();
        pending.received_before = received();
        ++in_flight_;
        connection_.async_exec(
            pending.request, read_into(pending.reply),
            boost::asio::bind_cancellation_slot(pending.stop.slot(), std::forward<Handler>(handler)));
    }

    /// Hands what the server sends of its own accord to `on_push`, for as long as the connection lasts. To be called before
    /// start(). Only for a link that carries no commands: the refusal of a SUBSCRIBE cannot be told from an answer to one.
    void receive(std::function<void(RawReply)> on_push);
    void subscribe(std::string const& channel);
    void unsubscribe(std::string const& channel);

    /// To be called when `pending` comes back.
    void take_back();

    /// Whether any of it may have reached the server. Boost.Redis counts a command when it puts it in the
    /// buffer it writes, and puts all there that wait; so if nothing was counted since, this one still
    /// waited.
    bool has_sent(Pending const& pending) const { return sent() != pending.sent_before; }

    /// Whether the server has said nothing at all since the command was handed over.
    bool is_silent_since(Pending const& pending) const { return received() == pending.received_before; }

    /// No more is sent, and when the last command has come back it closes.
    void retire();
    void close();

private:
    std::size_t sent() const { return connection_.get_usage().commands_sent; }
    std::size_t received() const
    {
        auto const usage = connection_.get_usage();
        return usage.response_bytes_received + usage.push_bytes_received;
    }

    boost::redis::config config() const;
    void write_setup();
    void watch();
    void on_pulse();
    void receive_more();
    void tell(std::string const& command, std::string const& channel);
    Failure describe_end(boost::system::error_code const& error) const;

    std::shared_ptr<Settings const> settings_;
    std::shared_ptr<std::string> tls_refusal_ = std::make_shared<std::string>();
    boost::redis::connection connection_;
    boost::asio::steady_timer pulse_;
    boost::redis::request setup_;
    RawReply setup_reply_;
    boost::redis::request ping_;
    Pushes pushes_;
    std::function<void(RawReply)> on_push_;
    bool is_ready_ = false;
    bool is_retired_ = false;
    bool has_ended_ = false;
    std::size_t in_flight_ = 0;
    std::size_t heard_ = 0;
    int silent_pulses_ = 0;
};

}  // namespace ration::redis
