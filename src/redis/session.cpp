#include "redis/session.hpp"

#include "redis/server_error.hpp"

#include <boost/asio/post.hpp>

#include <random>
#include <utility>

namespace ration::redis {

using boost::system::error_code;

namespace {

constexpr std::size_t most_spares = 64;  // a few kilobytes

}  // namespace

Session::Session(boost::asio::any_io_executor const& executor, std::shared_ptr<Settings const> settings,
                 std::shared_ptr<Counters> counters)
    : executor_{executor},
      settings_{std::move(settings)},
      counters_{std::move(counters)},
      backoff_{std::random_device{}()},
      retry_{executor},
      alarm_{executor}
{}

void Session::submit(Command command, Deadline deadline, Done done)
{
    if (trouble_ && !trouble_->transient) {  // and until the next attempt it will not be otherwise
        boost::asio::post(executor_,
                          [done = std::move(done), why = *trouble_]() mutable { done(std::move(why)); });
        return;
    }
    Owned pending;
    if (spare_.empty()) {
        pending = std::make_unique<Pending>(std::move(command), deadline, std::move(done));
    } else {
        pending = std::move(spare_.back());
        spare_.pop_back();
        pending->reuse(std::move(command), deadline, std::move(done));
    }
    ring_at(deadline);
    send_or_queue(std::move(pending));
    if (!link_ && !trouble_) start_link();
}

// ---- the link ---------------------------------------------------------------------------------------------

void Session::start_link()
{
    try {
        link_ = std::make_shared<Link>(executor_, settings_);
    } catch (Error const& error) {
        link_ended({Errc::store_unavailable, true, error.what()});
        return;
    }
    auto const is_current = [self = shared_from_this(), link = link_] { return self->link_ == link; };
    link_->start(
        [this, is_current] {
            if (is_current()) link_is_ready();
        },
        [this, is_current](Failure why) {
            if (is_current()) link_ended(std::move(why));
        });
}

void Session::link_is_ready()
{
    is_ready_ = true;
    trouble_.reset();
    backoff_.reset();
    if (std::exchange(was_lost_, false)) counters_->reconnects.fetch_add(1, std::memory_order_relaxed);

    for (auto& pending : std::exchange(queue_, {})) send_or_queue(std::move(pending));
}

void Session::link_ended(Failure why)
{
    link_.reset();
    if (std::exchange(is_ready_, false)) was_lost_ = true;
    trouble_ = why;
    retry_later();
    if (why.transient) return;
    for (auto& pending : std::exchange(queue_, {})) finish(std::move(pending), why);
}

/// Who has been silent for as long as a command may take is not trusted with the next one. Over a new link
/// commands wait unsent until the server has agreed to the set-up, so that they fail with certainty: of 200
/// commands in the 2 s that a server stood still, each with 250 ms, 25 were lost and not 176. The old link
/// may still bring the answers to its own.
void Session::replace_link()
{
    is_ready_ = false;
    was_lost_ = true;
    std::exchange(link_, nullptr)->retire();
    start_link();
}

void Session::retry_later()
{
    retry_.expires_after(backoff_.next());
    retry_.async_wait([self = shared_from_this()](error_code error) {
        if (!error && !self->is_over_) self->start_link();
    });
}

// ---- commands ---------------------------------------------------------------------------------------------

void Session::send_or_queue(Owned pending)
{
    if (!is_ready_) {
        queue_.push_back(std::move(pending));
        return;
    }
    Pending& sent = *pending;
    sent.write();
    sent.place = in_flight_.size();
    in_flight_.push_back(&sent);
    ++*settings_->answers_due;
    link_->send(sent, [self = shared_from_this(), link = link_,
                       pending = std::move(pending)](error_code error, std::size_t) mutable {
        self->came_back(*link, std::move(pending), error);
    });
}

void Session::came_back(Link& link, Owned pending, error_code error)
{
    in_flight_.back()->place = pending->place;
    in_flight_[pending->place] = in_flight_.back();
    in_flight_.pop_back();
    --*settings_->answers_due;
    link.take_back();

    if (pending->answered) return;
    if (!error) {
        answer(std::move(pending));
    } else if (link.has_sent(*pending)) {
        lost(link, std::move(pending));
    } else {
        not_executed(std::move(pending));
    }
}

void Session::answer(Owned pending)
{
    auto& [values, error] = pending->reply;
    if (!error) {
        Reply reply{std::move(values)};
        finish(std::move(pending), std::move(reply));
    } else if (pending->command.script != nullptr && !pending->in_full && is_missing_script(*error)) {
        pending->in_full = true;
        not_executed(std::move(pending));
    } else {
        auto why = server_failure(*error, settings_->where);
        finish(std::move(pending), std::move(why));
    }
}

/// So it may be tried again, if there is time.
void Session::not_executed(Owned pending)
{
    if (!pending->expired) {
        send_or_queue(std::move(pending));
        return;
    }
    finish(std::move(pending),
           Failure{Errc::store_unavailable, true,
                   settings_->where + " took no more commands in time; the command was not sent"});
}

void Session::lost(Link& link, Owned pending)
{
    counters_->lost_answers.fetch_add(1, std::memory_order_relaxed);
    Failure why{Errc::outcome_unknown, true, {}};
    if (pending->expired) {
        why.detail =
            settings_->where + " did not answer in time; whether the command was executed is not known";
        if (&link == link_.get() && link.is_silent_since(*pending)) replace_link();
    } else {
        why.detail = "the connection to " + settings_->where
                     + " was lost before the answer came; whether the command was executed is not known";
    }
    finish(std::move(pending), std::move(why));
}

void Session::finish(Owned pending, Reply reply)
{
    auto done = std::move(pending->done);
    if (spare_.size() < most_spares) spare_.push_back(std::move(pending));
    if (!settings_->executor_is_ours && is_empty()) begin_to_idle();
    done(std::move(reply));
}

// ---- the end ----------------------------------------------------------------------------------------------

void Session::close()
{
    std::vector<Done> unanswered;
    for (auto& pending : queue_) unanswered.push_back(std::move(pending->done));
    queue_.clear();
    for (Pending* pending : in_flight_) {
        if (std::exchange(pending->answered, true)) continue;
        unanswered.push_back(std::move(pending->done));
        pending->stop.emit(boost::asio::cancellation_type::terminal);
    }
    end();
    for (auto& done : unanswered) {
        done(Failure{Errc::client_closed, false, "the client was closed; make a new one"});
    }
}

void Session::end()
{
    is_over_ = true;
    is_ready_ = false;
    retry_.cancel();
    alarm_.cancel();
    if (link_) std::exchange(link_, nullptr)->close();
}

}  // namespace ration::redis
