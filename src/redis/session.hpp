#pragma once

#include "redis/backoff.hpp"
#include "redis/link.hpp"
#include "redis/pending.hpp"
#include "redis/settings.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace ration::redis {

/// Keeps a link to the server up and every command's deadline, from the first command until it is closed or,
/// on a user's executor, idle. Not thread-safe.
///
/// Only its asio handlers own it. So it lasts while it has something to do, lets an io_context run out of
/// work when it has not, and goes with an io_context that is destroyed, together with all it holds.
class Session : public std::enable_shared_from_this<Session> {
public:
    Session(boost::asio::any_io_executor const& executor, std::shared_ptr<Settings const> settings,
            std::shared_ptr<Counters> counters);

    /// Never calls `done` inside.
    void submit(Command command, Deadline deadline, Done done);

    /// Ends every command with client_closed, at once.
    void close();

    /// Takes no commands any more.
    bool is_over() const { return is_over_; }

private:
    using Owned = std::unique_ptr<Pending>;

    void start_link();
    void link_is_ready();
    void link_ended(Failure why);
    void replace_link();
    void retry_later();

    void send_or_queue(Owned pending);
    void came_back(Link& link, Owned pending, boost::system::error_code error);
    void answer(Owned pending);
    void not_executed(Owned pending);
    void lost(Link& link, Owned pending);
    void finish(Owned pending, Reply reply);

    void ring_at(Deadline moment);
    void on_alarm();
    void expire_queued(Deadline now);
    void expire_in_flight(Deadline now);
    std::optional<Deadline> earliest_deadline() const;
    void begin_to_idle();
    void look_whether_idle(Deadline now);
    void end();

    bool is_empty() const { return queue_.empty() && in_flight_.empty(); }

    boost::asio::any_io_executor executor_;
    std::shared_ptr<Settings const> settings_;
    std::shared_ptr<Counters> counters_;

    std::shared_ptr<Link> link_;  // empty while waiting for the next attempt
    bool is_ready_ = false;
    bool was_lost_ = false;           // and has not come back yet
    std::optional<Failure> trouble_;  // why the last link ended, until there is one again
    Backoff backoff_;
    boost::asio::steady_timer retry_;

    std::deque<Owned> queue_;          // not sent yet
    std::vector<Pending*> in_flight_;  // owned by their handlers; every one knows its place
    std::vector<Owned> spare_;

    boost::asio::steady_timer alarm_;
    Deadline alarm_at_ = Deadline::max();
    Deadline idle_since_{};
    bool is_over_ = false;
};

}  // namespace ration::redis
