// The time a session keeps: its commands' deadlines, and on a user's executor when it has been idle for long
// enough.

#include "redis/session.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ration::redis {

using boost::system::error_code;
using std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

constexpr auto longest_idle = 1s;
constexpr auto shortest_alarm = 1ms;  // an alarm looks at all commands, so it must not go off for each

}  // namespace

/// One timer for all, set when something is due earlier than it is set for, and never reset when that is
/// done: it goes off now and then for nothing, and a command costs no timer.
void Session::ring_at(Deadline moment)
{
    if (moment >= alarm_at_) return;
    alarm_at_ = moment;
    alarm_.expires_at(moment);
    alarm_.async_wait([self = shared_from_this()](error_code error) {
        if (!error && !self->is_over_) self->on_alarm();
    });
}

void Session::on_alarm()
{
    alarm_at_ = Deadline::max();
    auto const now = steady_clock::now();
    expire_in_flight(now);
    expire_queued(now);
    if (auto const earliest = earliest_deadline()) {
        ring_at(std::max(*earliest, now + shortest_alarm));
    } else if (is_empty() && !settings_->executor_is_ours) {
        look_whether_idle(now);
    }
}

/// Gives them up. They come back at once, and then it is certain whether they were sent.
void Session::expire_in_flight(Deadline now)
{
    for (Pending* pending : in_flight_) {
        if (pending->deadline > now || pending->expired) continue;
        pending->expired = true;
        pending->stop.emit(boost::asio::cancellation_type::terminal);
    }
}

void Session::expire_queued(Deadline now)
{
    auto const late = std::stable_partition(queue_.begin(), queue_.end(),
                                            [now](Owned const& pending) { return pending->deadline > now; });
    std::vector<Owned> expired{std::move_iterator{late}, std::move_iterator{queue_.end()}};
    queue_.erase(late, queue_.end());
    if (expired.empty()) return;

    Failure const why =
        trouble_.value_or(Failure{Errc::store_unavailable, true,
                                  settings_->where + " did not answer in time; the command was not sent"});
    for (auto& pending : expired) finish(std::move(pending), why);
}

std::optional<Deadline> Session::earliest_deadline() const
{
    std::optional<Deadline> earliest;
    auto const look = [&earliest](Pending const& pending) {
        if (!pending.expired) earliest = std::min(earliest.value_or(Deadline::max()), pending.deadline);
    };
    for (auto const& pending : queue_) look(*pending);
    for (Pending const* pending : in_flight_) look(*pending);
    return earliest;
}

void Session::begin_to_idle()
{
    idle_since_ = steady_clock::now();
    ring_at(idle_since_ + longest_idle);
}

void Session::look_whether_idle(Deadline now)
{
    if (now - idle_since_ >= longest_idle) {
        end();
    } else {
        ring_at(idle_since_ + longest_idle);
    }
}

}  // namespace ration::redis
