#include "redis/listener.hpp"

#include "redis/server_error.hpp"

#include <algorithm>
#include <random>
#include <utility>

namespace ration::redis {

using boost::system::error_code;
using namespace std::chrono_literals;

namespace {

/// A consumer that takes one item after the other must not connect for each.
constexpr auto longest_idle = 1s;

}  // namespace

Listener::Listener(boost::asio::any_io_executor const& executor, std::shared_ptr<Settings const> settings)
    : executor_{executor}, settings_{std::move(settings)}, backoff_{std::random_device{}()}, timer_{executor}
{}

void Listener::add(std::string const& channel, std::shared_ptr<Heard> heard)
{
    if (is_over_) return;
    auto& ears = channels_[channel];
    ears.push_back(std::move(heard));
    if (is_ready_) {
        link_->subscribe(channel);  // once more if need be: it is confirmed again, so the new one hears of it
    } else if (!link_) {
        start_link();
    }
}

void Listener::remove(std::string const& channel, std::shared_ptr<Heard> const& heard)
{
    auto const found = channels_.find(channel);
    if (found == channels_.end()) return;
    std::erase(found->second, heard);
    if (!found->second.empty()) return;
    channels_.erase(found);
    if (is_ready_) link_->unsubscribe(channel);
    if (channels_.empty()) linger();
}

void Listener::linger()
{
    timer_.expires_after(longest_idle);
    timer_.async_wait([self = shared_from_this()](error_code error) {
        if (error || !self->channels_.empty() || !self->link_) return;
        self->is_ready_ = false;
        std::exchange(self->link_, nullptr)->close();
    });
}

void Listener::close()
{
    is_over_ = true;
    channels_.clear();
    timer_.cancel();
    is_ready_ = false;
    if (link_) std::exchange(link_, nullptr)->close();
}

// ---- the link ----

void Listener::start_link()
{
    timer_.cancel();
    try {
        link_ = std::make_shared<Link>(executor_, settings_);
    } catch (Error const& error) {
        link_ended({Errc::store_unavailable, true, error.what()});
        return;
    }
    auto const is_current = [self = shared_from_this(), link = link_.get()] {
        return self->link_.get() == link;
    };
    // Weak: the link has it for as long as it lives, and is itself part of this.
    link_->receive([weak = weak_from_this(), link = link_.get()](RawReply const& push) {
        auto const self = weak.lock();
        if (self && self->link_.get() == link) self->on_push(push);
    });
    link_->start(
        [this, is_current] {
            if (is_current()) link_is_ready();
        },
        [this, is_current](Failure const& why) {
            if (is_current()) link_ended(why);
        });
}

void Listener::link_is_ready()
{
    is_ready_ = true;
    backoff_.reset();
    for (auto const& [channel, ears] : channels_) link_->subscribe(channel);
}

/// Transient troubles are not told: whoever listens also asks, and hears of them there.
void Listener::link_ended(Failure const& why)
{
    link_ = nullptr;
    is_ready_ = false;
    if (!why.transient) tell_all(why);
    if (channels_.empty()) return;
    timer_.expires_after(backoff_.next());
    timer_.async_wait([self = shared_from_this()](error_code error) {
        if (!error && !self->is_over_ && !self->link_ && !self->channels_.empty()) self->start_link();
    });
}

/// {"subscribe", channel, count}, {"message", channel, text}, or an error, which does not say what it refuses.
void Listener::on_push(RawReply const& push)
{
    if (push.error) {
        tell_all(server_failure(*push.error, settings_->where));
        return;
    }
    if (push.values.size() < 2) return;
    auto const& kind = push.values[0].text;
    if (kind == "subscribe" || kind == "message") tell(push.values[1].text, {});
}

void Listener::tell(std::string const& channel, core::Result<core::Unit> const& what)
{
    auto const found = channels_.find(channel);
    if (found == channels_.end()) return;
    auto const ears = found->second;  // they may go while they hear
    for (auto const& heard : ears) (*heard)(what);
}

void Listener::tell_all(Failure const& why)
{
    auto const channels = channels_;
    for (auto const& [channel, ears] : channels)
        tell(channel, core::Result<core::Unit>::failed(why.code, why.detail));
}

}  // namespace ration::redis
