#include "cli/watch_state.hpp"

#include <algorithm>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;

/// All that is in use, of all clients.
Permits in_use(redis::LimiterSight const& sight)
{
    if (sight.config.type == RateType::overall) return sight.state.in_use;
    Permits sum = 0;
    for (auto const& client : sight.clients) sum += client.state.in_use;
    return sum;
}

template <class Visit>
void for_each_grant(redis::LimiterSight const& sight, Visit visit)
{
    for (auto const& entry : sight.state.log) visit(entry);
    for (auto const& client : sight.clients) {
        for (auto const& entry : client.state.log) visit(entry);
    }
}

Permits logged_since(redis::LimiterSight const& sight, Time since)
{
    Permits sum = 0;
    for_each_grant(sight, [&](redis::LogEntry const& entry) {
        if (entry.at > since) sum += entry.permits;
    });
    return sum;
}

redis::StateSight const& tightest_of(redis::LimiterSight const& sight)
{
    auto const* least = &sight.state;
    for (auto const& client : sight.clients) {
        if (client.state.available < least->available) least = &client.state;
    }
    return *least;
}

}  // namespace

redis::StateSight const& WatchedLimiter::tightest() const
{
    return tightest_of(*sight_);
}

/// Where there is no log: what more is in use than before, and what has come back to a bucket meanwhile.
Permits WatchedLimiter::granted_since(redis::LimiterSight const& sight) const
{
    if (!sight_) return 0;
    if (sight.config.algorithm == Algorithm::sliding_log) return logged_since(sight, sight_->now);
    Permits more = in_use(sight) - in_use(*sight_);
    if (sight.config.algorithm == Algorithm::token_bucket && in_use(*sight_) > 0) {
        auto const part =
            std::chrono::duration<double>{sight.now - sight_->now} / sight.config.rate.interval();
        auto const back = static_cast<Permits>(part * static_cast<double>(sight.config.rate.permits()));
        more += std::min(back, in_use(*sight_));
    }
    if (more < 0) more = in_use(sight);  // a new window has begun
    return more;
}

void WatchedLimiter::saw(redis::LimiterSight const& sight)
{
    samples_.push_back({sight.now, tightest_of(sight).available, granted_since(sight)});
    while (samples_.front().at < sight.now - remembered) samples_.pop_front();
    sight_ = sight;
    problem_.clear();
}

Permits WatchedLimiter::granted_in_last_second() const
{
    if (!sight_) return 0;
    if (sight_->config.algorithm == Algorithm::sliding_log && sight_->config.rate.interval() >= 1s)
        return logged_since(*sight_, sight_->now - 1s);
    Permits sum = 0;
    for (auto const& sample : samples_) {
        if (sample.at > sight_->now - 1s) sum += sample.granted;
    }
    return sum;
}

}  // namespace ration::cli
