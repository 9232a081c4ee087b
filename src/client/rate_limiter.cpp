#include <ration/rate_limiter.hpp>

#include "client/limiter.hpp"
#include "client/quick_take.hpp"
#include "client/reply.hpp"

namespace ration {

using client::for_ever;
using client::Limiter;
using client::reply_to;
using core::Unit;
using core::WantedConfig;

namespace {

/// Runs `start(reply)` and waits for the reply.
template <class T, class Start>
T wait_for(Limiter const& limiter, Start start)
{
    return client::wait_for<T>(*limiter.context(), limiter.describe(), start);
}

}  // namespace

RateLimiter::RateLimiter(std::shared_ptr<Limiter> limiter, std::optional<Algorithm> algorithm)
    : limiter_{std::move(limiter)}, algorithm_{algorithm}
{}

std::string const& RateLimiter::name() const noexcept
{
    return limiter_->name();
}

boost::asio::any_io_executor RateLimiter::get_executor() const
{
    return limiter_->context()->executor();
}

// ---- the rate ----

bool RateLimiter::try_set_rate(Rate const& rate, RateOptions const& options)
{
    return wait_for<bool>(*limiter_, [&](auto reply) {
        limiter_->try_set_rate({rate, options, algorithm_}, std::move(reply));
    });
}

void RateLimiter::start_try_set_rate(Rate const& rate, RateOptions const& options,
                                     detail::Handler<bool> handler) const
{
    limiter_->try_set_rate({rate, options, algorithm_},
                           reply_to<bool>(limiter_->context(), std::move(handler)));
}

void RateLimiter::set_rate(Rate const& rate, RateOptions const& options)
{
    wait_for<Unit>(*limiter_, [&](auto reply) {
        limiter_->set_rate({rate, options, algorithm_}, std::move(reply));
    });
}

void RateLimiter::start_set_rate(Rate const& rate, RateOptions const& options,
                                 detail::Handler<void> handler) const
{
    limiter_->set_rate({rate, options, algorithm_}, reply_to<void>(limiter_->context(), std::move(handler)));
}

EnsureResult RateLimiter::ensure_rate(Rate const& rate, RateOptions const& options)
{
    return wait_for<EnsureResult>(*limiter_, [&](auto reply) {
        limiter_->ensure_rate({rate, options, algorithm_}, std::move(reply));
    });
}

void RateLimiter::start_ensure_rate(Rate const& rate, RateOptions const& options,
                                    detail::Handler<EnsureResult> handler) const
{
    limiter_->ensure_rate({rate, options, algorithm_},
                          reply_to<EnsureResult>(limiter_->context(), std::move(handler)));
}

bool RateLimiter::update_rate(Rate const& rate, RateOptions const& options)
{
    return wait_for<bool>(*limiter_, [&](auto reply) {
        limiter_->update_rate({rate, options, algorithm_}, std::move(reply));
    });
}

void RateLimiter::start_update_rate(Rate const& rate, RateOptions const& options,
                                    detail::Handler<bool> handler) const
{
    limiter_->update_rate({rate, options, algorithm_},
                          reply_to<bool>(limiter_->context(), std::move(handler)));
}

// ---- permits ----

Decision RateLimiter::try_acquire(Permits n)
{
    return take_quickly(*limiter_, {.n = n, .algorithm = algorithm_}, Duration{});
}

void RateLimiter::start_try_acquire(Permits n, detail::Handler<Decision> handler) const
{
    async_take(*limiter_, {.n = n, .algorithm = algorithm_}, Duration{}, std::move(handler));
}

Decision RateLimiter::try_acquire_for(detail::AnyDuration timeout, Permits n)
{
    return take_quickly(*limiter_, {.n = n, .algorithm = algorithm_}, timeout);
}

void RateLimiter::start_try_acquire_for(Duration timeout, Permits n, detail::Handler<Decision> handler) const
{
    async_take(*limiter_, {.n = n, .algorithm = algorithm_}, timeout, std::move(handler));
}

Decision RateLimiter::acquire(Permits n)
{
    return take_quickly(*limiter_, {.n = n, .algorithm = algorithm_}, for_ever);
}

Decision RateLimiter::acquire(Permits n, std::stop_token stop)
{
    return take_quickly(*limiter_, {.n = n, .algorithm = algorithm_}, for_ever, &stop);
}

void RateLimiter::start_acquire(Permits n, detail::Handler<Decision> handler) const
{
    async_take(*limiter_, {.n = n, .algorithm = algorithm_}, for_ever, std::move(handler));
}

Decision RateLimiter::peek(Permits n) const
{
    return wait_for<Decision>(*limiter_,
                              [&](auto reply) { limiter_->peek(n, algorithm_, std::move(reply)); });
}

void RateLimiter::start_peek(Permits n, detail::Handler<Decision> handler) const
{
    limiter_->peek(n, algorithm_, reply_to<Decision>(limiter_->context(), std::move(handler)));
}

void RateLimiter::release(Permits n)
{
    wait_for<Unit>(*limiter_, [&](auto reply) { limiter_->release(n, algorithm_, std::move(reply)); });
}

void RateLimiter::start_release(Permits n, detail::Handler<void> handler) const
{
    limiter_->release(n, algorithm_, reply_to<void>(limiter_->context(), std::move(handler)));
}

Permits RateLimiter::available_permits() const
{
    return wait_for<Permits>(*limiter_,
                             [&](auto reply) { limiter_->available_permits(algorithm_, std::move(reply)); });
}

void RateLimiter::start_available_permits(detail::Handler<Permits> handler) const
{
    limiter_->available_permits(algorithm_, reply_to<Permits>(limiter_->context(), std::move(handler)));
}

// ---- the limiter as a thing that is stored ----

LimiterConfig RateLimiter::config() const
{
    return wait_for<LimiterConfig>(*limiter_,
                                   [&](auto reply) { limiter_->config(algorithm_, std::move(reply)); });
}

void RateLimiter::start_config(detail::Handler<LimiterConfig> handler) const
{
    limiter_->config(algorithm_, reply_to<LimiterConfig>(limiter_->context(), std::move(handler)));
}

bool RateLimiter::exists() const
{
    return wait_for<bool>(*limiter_, [&](auto reply) { limiter_->exists(std::move(reply)); });
}

void RateLimiter::start_exists(detail::Handler<bool> handler) const
{
    limiter_->exists(reply_to<bool>(limiter_->context(), std::move(handler)));
}

bool RateLimiter::remove()
{
    return wait_for<bool>(*limiter_, [&](auto reply) { limiter_->remove(std::move(reply)); });
}

void RateLimiter::start_remove(detail::Handler<bool> handler) const
{
    limiter_->remove(reply_to<bool>(limiter_->context(), std::move(handler)));
}

bool RateLimiter::expire_after(detail::AnyDuration span)
{
    return wait_for<bool>(*limiter_, [&](auto reply) { limiter_->expire_after(span, std::move(reply)); });
}

void RateLimiter::start_expire_after(Duration span, detail::Handler<bool> handler) const
{
    limiter_->expire_after(span, reply_to<bool>(limiter_->context(), std::move(handler)));
}

bool RateLimiter::expire_at(std::chrono::system_clock::time_point moment)
{
    return wait_for<bool>(*limiter_, [&](auto reply) { limiter_->expire_at(moment, std::move(reply)); });
}

void RateLimiter::start_expire_at(std::chrono::system_clock::time_point moment,
                                  detail::Handler<bool> handler) const
{
    limiter_->expire_at(moment, reply_to<bool>(limiter_->context(), std::move(handler)));
}

bool RateLimiter::clear_expiry()
{
    return wait_for<bool>(*limiter_, [&](auto reply) { limiter_->clear_expiry(std::move(reply)); });
}

void RateLimiter::start_clear_expiry(detail::Handler<bool> handler) const
{
    limiter_->clear_expiry(reply_to<bool>(limiter_->context(), std::move(handler)));
}

std::optional<Duration> RateLimiter::remaining_time_to_live() const
{
    return wait_for<std::optional<Duration>>(
        *limiter_, [&](auto reply) { limiter_->remaining_time_to_live(std::move(reply)); });
}

void RateLimiter::start_remaining_time_to_live(detail::Handler<std::optional<Duration>> handler) const
{
    limiter_->remaining_time_to_live(
        reply_to<std::optional<Duration>>(limiter_->context(), std::move(handler)));
}

void RateLimiter::rename(std::string const& to)
{
    wait_for<Unit>(*limiter_, [&](auto reply) { limiter_->rename(to, std::move(reply)); });
}

void RateLimiter::start_rename(std::string const& to, detail::Handler<void> handler) const
{
    limiter_->rename(to, reply_to<void>(limiter_->context(), std::move(handler)));
}

std::int64_t RateLimiter::migrate()
{
    return wait_for<std::int64_t>(*limiter_, [&](auto reply) { limiter_->migrate(std::move(reply)); });
}

void RateLimiter::start_migrate(detail::Handler<std::int64_t> handler) const
{
    limiter_->migrate(reply_to<std::int64_t>(limiter_->context(), std::move(handler)));
}

}  // namespace ration
