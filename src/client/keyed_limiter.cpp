#include "client/keyed_limiter.hpp"

#include "client/fallback.hpp"
#include "client/reply.hpp"
#include "memory/keyed_memory.hpp"

#include <algorithm>

namespace ration::client {

using core::Reply;
using core::Result;
using core::Unit;

namespace {

/// How long between two steps of the sweeper. A pass over all keys takes some 64 steps, so about an interval.
Duration sweep_period(Rate const& rate)
{
    return std::clamp<Duration>(rate.interval() / 64, std::chrono::milliseconds{100},
                                std::chrono::minutes{1});
}

}  // namespace

KeyedLimiter::KeyedLimiter(std::shared_ptr<Context> context, std::string name, KeyedOptions const& options)
    : context_{std::move(context)},
      name_{std::move(name)},
      options_{options},
      store_{context_->store().keyed(name_, options_)}
{}

KeyedLimiter::~KeyedLimiter()
{
    context_->forget_keyed_limiter(name_);
}

Decision KeyedLimiter::Key::decide_now(core::Ask ask, core::AtOnce& at_once) const
{
    if (!limiter_.sweeping_.load(std::memory_order_relaxed)) [[unlikely]]
        limiter_.start_sweeping();
    return limiter_.store_->decide_now(key_, ask, at_once);
}

// ---- queues ----

std::shared_ptr<QueueDriver> KeyedLimiter::driver(std::string const& key)
{
    std::lock_guard const lock{mutex_};
    if (drivers_.size() >= tidy_at_) {
        std::erase_if(drivers_, [](auto const& entry) { return entry.second.expired(); });
        tidy_at_ = std::max<std::size_t>(64, 2 * drivers_.size());
    }
    auto& known = drivers_[key];
    auto driver = known.lock();
    if (!driver) {
        driver = QueueDriver::make(context_, permits(key), shared_from_this());
        known = driver;
    }
    return driver;
}

std::shared_ptr<QueueDriver> KeyedLimiter::driver_if_any(std::string_view key)
{
    std::lock_guard const lock{mutex_};
    auto const known = drivers_.find(std::string{key});
    return known == drivers_.end() ? nullptr : known->second.lock();
}

/// Requires the lock.
std::shared_ptr<core::PermitStore> KeyedLimiter::permits(std::string const& key)
{
    std::shared_ptr<LocalLimit> local;
    if (options_.on_store_failure == OnStoreFailure::local && !context_->store().replies_inside()) {
        if (!local_) {
            KeyedOptions mine = options_;
            mine.rate = shared_out(options_.rate, options_.local_share);
            local_ = memory::make_keyed_memory(mine, context_->shared_clock());
        }
        local = local_key(local_->permits(key));
    }
    return with_fallback(*context_, store_->permits(key), options_.on_store_failure, std::move(local));
}

// ---- beside the queues ----

void KeyedLimiter::peek(std::string_view key, Permits n, Reply<Decision> reply)
{
    auto const problem = check_key(key);
    checked(*context_, problem ? problem : check_permits(n), std::move(reply), [&](Reply<Decision> inner) {
        auto const driver = driver_if_any(key);
        store_->peek(key, n, peek_behind(driver.get(), n, std::move(inner)));
    });
}

void KeyedLimiter::release(std::string_view key, Permits n, Reply<Unit> reply)
{
    auto const problem = check_key(key);
    checked(*context_, problem ? problem : check_permits(n), std::move(reply), [&](Reply<Unit> inner) {
        store_->release(key, n, then_ask_again(driver_if_any(key), std::move(inner)));
    });
}

void KeyedLimiter::available_permits(std::string_view key, Reply<Permits> reply)
{
    checked(*context_, check_key(key), std::move(reply),
            [&](Reply<Permits> inner) { store_->available(key, std::move(inner)); });
}

void KeyedLimiter::reset(std::string_view key, Reply<bool> reply)
{
    checked(*context_, check_key(key), std::move(reply), [&](Reply<bool> inner) {
        store_->reset(key, then_ask_again(driver_if_any(key), std::move(inner)));
    });
}

// ---- the sweeper ----

/// On an executor of the user's only inserts sweep: a timer there would keep his io_context from running out of work.
void KeyedLimiter::start_sweeping()
{
    if (sweeping_.exchange(true, std::memory_order_relaxed) || !context_->owns_io_thread()) return;
    std::lock_guard const lock{mutex_};
    if (!sweep_alarm_) {
        sweep_alarm_ = context_->make_alarm([weak = weak_from_this()] {
            if (auto const self = weak.lock()) self->sweep();
        });
    }
    sweep_alarm_->set(context_->clock().now() + sweep_period(options_.rate));
}

void KeyedLimiter::sweep()
{
    if (context_->closed()) return;
    store_->sweep();
    if (store_->size() == 0) {
        sweeping_.store(false, std::memory_order_relaxed);
        return;
    }
    std::lock_guard const lock{mutex_};
    sweep_alarm_->set(context_->clock().now() + sweep_period(options_.rate));
}

}  // namespace ration::client
