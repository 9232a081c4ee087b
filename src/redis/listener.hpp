#pragma once

#include "redis/backoff.hpp"
#include "redis/heard.hpp"
#include "redis/link.hpp"
#include "redis/settings.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ration::redis {

/// Listens to channels over a link of its own, which is there while anybody wants to hear something, and a little longer. Not
/// thread-safe.
///
/// Messages are lost while there is no link, and before the server has confirmed that it sends them. So whoever listens hears
/// of the confirmation as of a message, after every loss again: then he looks for himself.
class Listener : public std::enable_shared_from_this<Listener> {
public:
    Listener(boost::asio::any_io_executor const& executor, std::shared_ptr<Settings const> settings);

    void add(std::string const& channel, std::shared_ptr<Heard> heard);
    void remove(std::string const& channel, std::shared_ptr<Heard> const& heard);
    void close();

private:
    void start_link();
    void link_is_ready();
    void link_ended(Failure const& why);
    void on_push(RawReply const& push);
    void tell(std::string const& channel, core::Result<core::Unit> const& what);
    void tell_all(Failure const& why);
    void linger();

    boost::asio::any_io_executor executor_;
    std::shared_ptr<Settings const> settings_;
    std::map<std::string, std::vector<std::shared_ptr<Heard>>> channels_;
    std::shared_ptr<Link>
        link_;  // empty while there is nothing to hear, or while waiting for the next attempt
    bool is_ready_ = false;
    bool is_over_ = false;
    Backoff backoff_;
    boost::asio::steady_timer timer_;  // for the next attempt, or for the end of an idle link
};

}  // namespace ration::redis
