#include <ration/keyed_rate_limiter.hpp>

#include "client/keyed_limiter.hpp"
#include "client/reply.hpp"
#include "client/take.hpp"

namespace ration {

using client::for_ever;
using client::KeyedLimiter;
using client::reply_to;
using Key = client::KeyedLimiter::Key;

namespace {

/// Runs `start(reply)` and waits for the reply.
template <class T, class Start>
T wait_for(KeyedLimiter const& limiter, std::string_view key, Start start)
{
    return client::wait_for<T>(*limiter.context(), client::describe_key(limiter.name(), key), start);
}

}  // namespace

KeyedRateLimiter::KeyedRateLimiter(std::shared_ptr<KeyedLimiter> limiter) : limiter_{std::move(limiter)} {}

std::string const& KeyedRateLimiter::name() const noexcept
{
    return limiter_->name();
}

KeyedOptions const& KeyedRateLimiter::options() const noexcept
{
    return limiter_->options();
}

std::size_t KeyedRateLimiter::size() const
{
    return limiter_->size();
}

boost::asio::any_io_executor KeyedRateLimiter::get_executor() const
{
    return limiter_->context()->executor();
}

Decision KeyedRateLimiter::try_acquire(std::string_view key, Permits n)
{
    return take(Key{*limiter_, key}, {.n = n}, Duration{});
}

void KeyedRateLimiter::start_try_acquire(std::string const& key, Permits n,
                                         detail::Handler<Decision> handler) const
{
    async_take(Key{*limiter_, key}, {.n = n}, Duration{}, std::move(handler));
}

Decision KeyedRateLimiter::try_acquire_for(std::string_view key, detail::AnyDuration timeout, Permits n)
{
    return take(Key{*limiter_, key}, {.n = n}, timeout);
}

void KeyedRateLimiter::start_try_acquire_for(std::string const& key, Duration timeout, Permits n,
                                             detail::Handler<Decision> handler) const
{
    async_take(Key{*limiter_, key}, {.n = n}, timeout, std::move(handler));
}

Decision KeyedRateLimiter::acquire(std::string_view key, Permits n)
{
    return take(Key{*limiter_, key}, {.n = n}, for_ever);
}

Decision KeyedRateLimiter::acquire(std::string_view key, Permits n, std::stop_token stop)
{
    return take(Key{*limiter_, key}, {.n = n}, for_ever, &stop);
}

void KeyedRateLimiter::start_acquire(std::string const& key, Permits n,
                                     detail::Handler<Decision> handler) const
{
    async_take(Key{*limiter_, key}, {.n = n}, for_ever, std::move(handler));
}

Decision KeyedRateLimiter::peek(std::string_view key, Permits n) const
{
    return wait_for<Decision>(*limiter_, key, [&](auto reply) { limiter_->peek(key, n, std::move(reply)); });
}

void KeyedRateLimiter::start_peek(std::string const& key, Permits n, detail::Handler<Decision> handler) const
{
    limiter_->peek(key, n, reply_to<Decision>(limiter_->context(), std::move(handler)));
}

void KeyedRateLimiter::release(std::string_view key, Permits n)
{
    wait_for<core::Unit>(*limiter_, key, [&](auto reply) { limiter_->release(key, n, std::move(reply)); });
}

void KeyedRateLimiter::start_release(std::string const& key, Permits n, detail::Handler<void> handler) const
{
    limiter_->release(key, n, reply_to<void>(limiter_->context(), std::move(handler)));
}

Permits KeyedRateLimiter::available_permits(std::string_view key) const
{
    return wait_for<Permits>(*limiter_, key,
                             [&](auto reply) { limiter_->available_permits(key, std::move(reply)); });
}

void KeyedRateLimiter::start_available_permits(std::string const& key, detail::Handler<Permits> handler) const
{
    limiter_->available_permits(key, reply_to<Permits>(limiter_->context(), std::move(handler)));
}

bool KeyedRateLimiter::reset(std::string_view key)
{
    return wait_for<bool>(*limiter_, key, [&](auto reply) { limiter_->reset(key, std::move(reply)); });
}

void KeyedRateLimiter::start_reset(std::string const& key, detail::Handler<bool> handler) const
{
    limiter_->reset(key, reply_to<bool>(limiter_->context(), std::move(handler)));
}

}  // namespace ration
