#include "client/limiter.hpp"

#include "client/fallback.hpp"
#include "client/reply.hpp"

namespace ration::client {

using core::Configured;
using core::Reply;
using core::Result;
using core::Unit;

namespace {

memory::MemoryLimiter* embedded(core::LimiterStore* store)
{
    auto* const limiter = dynamic_cast<memory::MemoryLimiter*>(store);
    return limiter != nullptr && limiter->has_ticks() ? limiter : nullptr;
}

}  // namespace

Limiter::Limiter(std::shared_ptr<Context> context, std::string name, LimiterOptions const& options)
    : context_{std::move(context)},
      name_{std::move(name)},
      options_{options},
      store_{context_->store().limiter(name_, context_->id(), options_)},
      embedded_{client::embedded(store_.get())},
      driver_{QueueDriver::make(context_, permits())}
{}

Limiter::~Limiter()
{
    context_->forget_limiter(name_);
}

/// Only who may have to stand in for the store keeps reading the rate from it.
std::shared_ptr<core::PermitStore> Limiter::permits() const
{
    std::shared_ptr<LocalLimit> local;
    if (options_.on_store_failure == OnStoreFailure::local)
        local = follow_rate(context_->shared_clock(), store_, options_.local_share);
    return with_fallback(*context_, store_, options_.on_store_failure, std::move(local));
}

// ---- the rate ----

void Limiter::configure(core::ConfigureMode mode, core::WantedConfig const& wanted, Reply<Configured> reply)
{
    checked(*context_, check_wanted(wanted), std::move(reply), [&](Reply<Configured> checked_reply) {
        store_->configure(mode, wanted, then_ask_again(driver_, std::move(checked_reply)));
    });
}

void Limiter::try_set_rate(core::WantedConfig const& wanted, Reply<bool> reply)
{
    configure(
        core::ConfigureMode::if_absent, wanted,
        converted<Configured>(std::move(reply), [](Configured done) { return done == Configured::created; }));
}

void Limiter::set_rate(core::WantedConfig const& wanted, Reply<Unit> reply)
{
    configure(core::ConfigureMode::replace, wanted,
              converted<Configured>(std::move(reply), [](Configured) { return Unit{}; }));
}

void Limiter::ensure_rate(core::WantedConfig const& wanted, Reply<EnsureResult> reply)
{
    configure(core::ConfigureMode::if_different, wanted,
              converted<Configured>(std::move(reply), [](Configured done) {
                  if (done == Configured::unchanged) return EnsureResult::unchanged;
                  return done == Configured::created ? EnsureResult::created : EnsureResult::changed;
              }));
}

void Limiter::update_rate(core::WantedConfig const& wanted, Reply<bool> reply)
{
    configure(
        core::ConfigureMode::keep_state, wanted,
        converted<Configured>(std::move(reply), [](Configured done) { return done != Configured::absent; }));
}

// ---- permits ----

void Limiter::peek(Permits n, Expected expected, Reply<Decision> reply)
{
    checked(*context_, check_permits(n), std::move(reply), [&](Reply<Decision> inner) {
        store_->peek(n, expected, peek_behind(driver_.get(), n, std::move(inner)));
    });
}

void Limiter::release(Permits n, Expected expected, Reply<Unit> reply)
{
    checked(*context_, check_permits(n), std::move(reply), [&](Reply<Unit> inner) {
        store_->release(n, expected, then_ask_again(driver_, std::move(inner)));
    });
}

void Limiter::available_permits(Expected expected, Reply<Permits> reply)
{
    checked(*context_, {}, std::move(reply),
            [&](Reply<Permits> inner) { store_->available(expected, std::move(inner)); });
}

// ---- the limiter as a thing that is stored ----

void Limiter::config(Expected assumed, Reply<LimiterConfig> reply)
{
    checked(*context_, {}, std::move(reply),
            [&](Reply<LimiterConfig> inner) { store_->config(assumed, std::move(inner)); });
}

void Limiter::exists(Reply<bool> reply)
{
    checked(*context_, {}, std::move(reply), [&](Reply<bool> inner) { store_->exists(std::move(inner)); });
}

void Limiter::remove(Reply<bool> reply)
{
    checked(*context_, {}, std::move(reply),
            [&](Reply<bool> inner) { store_->remove(then_ask_again(driver_, std::move(inner))); });
}

void Limiter::expire_after(Duration span, Reply<bool> reply)
{
    checked(*context_, check_expiry(span), std::move(reply),
            [&](Reply<bool> inner) { store_->expire(span, std::move(inner)); });
}

void Limiter::expire_at(std::chrono::system_clock::time_point moment, Reply<bool> reply)
{
    checked(*context_, {}, std::move(reply), [&](Reply<bool> inner) {
        store_->expire(std::chrono::floor<Duration>(moment), then_ask_again(driver_, std::move(inner)));
    });
}

void Limiter::clear_expiry(Reply<bool> reply)
{
    checked(*context_, {}, std::move(reply),
            [&](Reply<bool> inner) { store_->expire(std::monostate{}, std::move(inner)); });
}

void Limiter::remaining_time_to_live(Reply<std::optional<Duration>> reply)
{
    checked(*context_, {}, std::move(reply),
            [&](Reply<std::optional<Duration>> inner) { store_->time_to_live(std::move(inner)); });
}

void Limiter::rename(std::string const& to, Reply<Unit> reply)
{
    auto problem = check_name(to);
    if (problem) problem->detail = "cannot be renamed: " + problem->detail;
    checked(*context_, problem, std::move(reply),
            [&](Reply<Unit> inner) { store_->rename(to, then_ask_again(driver_, std::move(inner))); });
}

void Limiter::migrate(Reply<std::int64_t> reply)
{
    checked(*context_, {}, std::move(reply),
            [&](Reply<std::int64_t> inner) { store_->migrate(std::move(inner)); });
}

}  // namespace ration::client
