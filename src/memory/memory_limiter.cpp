#include "memory/memory_limiter.hpp"

#include "core/algorithms.hpp"
#include "core/conflict.hpp"
#include "memory/memory_store.hpp"

#include <string>

namespace ration::memory {

using core::AtOnce;
using core::Configured;
using core::Outcome;
using core::Result;
using core::stored_as;
using core::Unit;

namespace {

/// now + span, or never if that is beyond the end of time.
Time after(Time now, Duration span) noexcept
{
    return span > Time::max() - now ? Time::max() : now + span;
}

}  // namespace

MemoryLimiter::MemoryLimiter(std::shared_ptr<MemoryStore> store, std::shared_ptr<Entry> entry,
                             std::string const& client_id, Duration log_resolution)
    : store_{std::move(store)},
      entry_{std::move(entry)},
      own_{store_->client_state(*entry_, client_id)},
      clock_{store_->clock()},
      ticked_{dynamic_cast<core::TickedClock const*>(&clock_)},
      log_resolution_{log_resolution}
{}

// ---- permits ----

/// Runs `action(now)` under the lock, with the time that was read or a later one that somebody else has seen.
template <class Action>
auto MemoryLimiter::locked(Time read, Action action)
{
    std::lock_guard const lock{*entry_};
    return action(entry_->advance(read));
}

bool MemoryLimiter::is_fit(Time now, std::optional<Algorithm> expected)
{
    return entry_->exists(now) && (!expected || *expected == entry_->config->algorithm);
}

/// Why no request can be decided now, if it is not fit.
std::optional<Errc> MemoryLimiter::check(Time now, std::optional<Algorithm> expected)
{
    if (is_fit(now, expected)) return std::nullopt;
    return entry_->config ? Errc::config_conflict : Errc::not_initialized;
}

[[gnu::always_inline]] inline Decision MemoryLimiter::decide(Time now, Permits n, AtOnce& at_once)
{
    Permits const capacity = entry_->config->rate.capacity();
    if (n > capacity) [[unlikely]] {
        at_once.fail(Errc::permits_exceed_rate);
        return {.remaining = capacity};
    }
    entry_->touch(now);
    return state().take(state_time(now), n, log_resolution_);
}

/// The grants that count here.
[[gnu::always_inline]] inline core::LimiterState& MemoryLimiter::state()
{
    auto& state = entry_->config->type == RateType::overall ? entry_->state : own_->state;
    if (!state) [[unlikely]]
        begin(state);
    return *state;
}

[[gnu::noinline]] void MemoryLimiter::begin(std::optional<core::LimiterState>& state) const
{
    state.emplace(entry_->config->algorithm, entry_->config->rate);
}

/// "Per day" means the day on the wall; everything else must not be fooled when that clock is set.
Time MemoryLimiter::state_time(Time now) const noexcept
{
    return entry_->config->algorithm == Algorithm::calendar_window ? clock_.wall() : now;
}

Decision MemoryLimiter::decide_now(core::Ask ask, AtOnce& at_once)
{
    if (!has_ticks())
        return locked(clock_.now(), [&](Time now) { return decide_and_count(now, ask, at_once); });
    entry_->lock();
    return decide_and_unlock(core::read_ticks(), ask, at_once);
}

Decision MemoryLimiter::decide_and_unlock(core::Ticks ticks, core::Ask ask, AtOnce& at_once)
{
    std::lock_guard const lock{*entry_, std::adopt_lock};
    if (!entry_->is_plain_at(ticks)) read_clock(ticks);
    return decide_and_count(entry_->latest, ask, at_once);
}

/// Another microsecond has begun. Whether the state alone decides in it; then it is ready for that.
bool MemoryLimiter::turn_to(core::Ticks ticks) noexcept
{
    read_clock(ticks);
    if (entry_->latest >= entry_->expires_at) return false;
    entry_->state->settle(entry_->latest);
    return true;
}

void MemoryLimiter::read_clock(core::Ticks ticks) noexcept
{
    core::TickSpan same;
    if (entry_->is_plain()) same = core::TickedClock::rest_of_microsecond(ticks);
    entry_->advance(ticked_->at(ticks), same);
}

[[gnu::always_inline]] inline Decision MemoryLimiter::decide_and_count(Time now, core::Ask ask,
                                                                       AtOnce& at_once)
{
    if (!is_fit(now, ask.algorithm)) [[unlikely]] {
        at_once.fail(*check(now, ask.algorithm));
        return {};
    }
    if (entry_->gates_shut > 0) [[unlikely]] {
        // What can never pass is told so, not to wait behind somebody.
        Permits const capacity = entry_->config->rate.capacity();
        if (ask.n > capacity) {
            at_once.fail(Errc::permits_exceed_rate);
            return {.remaining = capacity};
        }
        at_once.must_queue();
        return {};
    }
    return entry_->tally.counted(ask.patient, at_once, [&] { return decide(now, ask.n, at_once); });
}

void MemoryLimiter::shut_gate()
{
    std::lock_guard const lock{*entry_};
    ++entry_->gates_shut;
}

void MemoryLimiter::open_gate()
{
    std::lock_guard const lock{*entry_};
    --entry_->gates_shut;
}

void MemoryLimiter::call(core::Batch const& batch, core::UniqueFunction<void(core::CallResult)> reply)
{
    Time const read = clock_.now();
    reply(locked(read, [&](Time now) {
        auto const error = check(now, batch.expected);
        return core::Answer{
            .outcomes =
                core::evaluate(batch,
                               [&](Permits n) {
                                   if (error) return Outcome::failed(*error);
                                   AtOnce at_once;
                                   Decision decision = decide(now, n, at_once);
                                   // A queue waits by the clock as this thread reads it, which may be a
                                   // little behind. Woken too early, it would think others were quicker.
                                   if (!decision.granted) decision.retry_after += now - read;
                                   return Outcome{at_once.error(), decision, {}};
                               }),
            .capacity = error ? 0 : entry_->config->rate.capacity(),
        };
    }));
}

/// Runs `action(now)` on a limiter that exists and is of the expected algorithm; else says what is wrong.
template <class T, class Action>
Result<T> MemoryLimiter::with_state(std::optional<Algorithm> expected, Action action)
{
    return locked(clock_.now(), [&](Time now) -> Result<T> {
        auto const error = check(now, expected);
        if (!error) return action(now);
        if (*error != Errc::config_conflict) return Result<T>::failed(*error);
        return Result<T>::failed(*error, stored_as(entry_->config->algorithm, *expected));
    });
}

void MemoryLimiter::peek(Permits n, std::optional<Algorithm> expected, core::Reply<Decision> reply)
{
    reply(with_state<Decision>(expected, [&](Time now) -> Result<Decision> {
        Permits const capacity = entry_->config->rate.capacity();
        if (n > capacity) return {Errc::permits_exceed_rate, {}, {.remaining = capacity}};
        return {{}, {}, state().look(state_time(now), n)};
    }));
}

void MemoryLimiter::release(Permits n, std::optional<Algorithm> expected, core::Reply<Unit> reply)
{
    reply(with_state<Unit>(expected, [&](Time now) -> Result<Unit> {
        entry_->touch(now);
        state().release(state_time(now), n);
        return {};
    }));
}

void MemoryLimiter::available(std::optional<Algorithm> expected, core::Reply<Permits> reply)
{
    reply(with_state<Permits>(expected, [&](Time now) -> Result<Permits> {
        return {{}, {}, state().available(state_time(now))};
    }));
}

// ---- config ----

void MemoryLimiter::configure(core::ConfigureMode mode, core::WantedConfig const& wanted,
                              core::Reply<Configured> reply)
{
    reply(locked(clock_.now(), [&](Time now) { return apply(mode, wanted, now); }));
}

Result<Configured> MemoryLimiter::apply(core::ConfigureMode mode, core::WantedConfig const& wanted, Time now)
{
    using enum core::ConfigureMode;
    bool const exists = entry_->exists(now);
    if (!exists && mode == keep_state) return {{}, {}, Configured::absent};

    LimiterConfig const* const stored = exists ? &*entry_->config : nullptr;
    LimiterConfig const config{
        .rate = wanted.rate,
        .type = wanted.options.type,
        .algorithm = core::algorithm_for(wanted.rate, wanted.algorithm, stored),
        .keep_alive = wanted.options.keep_alive,
    };
    if (stored && mode == if_absent) {
        if (!wanted.algorithm || *wanted.algorithm == stored->algorithm)
            return {{}, {}, Configured::unchanged};
        return Result<Configured>::failed(Errc::config_conflict,
                                          stored_as(stored->algorithm, *wanted.algorithm));
    }
    if (stored && mode == if_different && *stored == config) return {{}, {}, Configured::unchanged};
    if (mode == keep_state) {
        if (config.algorithm != stored->algorithm) {
            return Result<Configured>::failed(Errc::config_conflict,
                                              stored_as(stored->algorithm, config.algorithm));
        }
        update_config(config, now);
    } else {
        entry_->clear();
        entry_->config = config;
        entry_->touch(now);
    }
    return {{}, {}, exists ? Configured::changed : Configured::created};
}

/// Keeps the grants, unless they were counted for others than they would be from now on.
void MemoryLimiter::update_config(LimiterConfig const& config, Time now)
{
    LimiterConfig const before = std::exchange(*entry_->config, config);
    if (before.type != config.type) {
        entry_->forget_grants();
    } else {
        entry_->for_each_state(
            [&](core::LimiterState& state) { state.change_rate(config.rate, state_time(now)); });
    }
    if (before.keep_alive > Duration{}) entry_->expires_at = Time::max();
    entry_->touch(now);
}

void MemoryLimiter::config(std::optional<Algorithm> /*assumed*/, core::Reply<LimiterConfig> reply)
{
    reply(with_state<LimiterConfig>(std::nullopt, [&](Time) -> Result<LimiterConfig> {
        return {{}, {}, *entry_->config};
    }));
}

void MemoryLimiter::exists(core::Reply<bool> reply)
{
    reply(locked(clock_.now(), [&](Time now) { return Result<bool>{{}, {}, entry_->exists(now)}; }));
}

void MemoryLimiter::remove(core::Reply<bool> reply)
{
    reply(locked(clock_.now(), [&](Time now) {
        bool const existed = entry_->exists(now);
        entry_->clear();
        return Result<bool>{{}, {}, existed};
    }));
}

void MemoryLimiter::expire(core::Expiry expiry, core::Reply<bool> reply)
{
    reply(locked(clock_.now(), [&](Time now) -> Result<bool> {
        if (!entry_->exists(now)) return {{}, {}, false};
        Time const before = entry_->expires_at;
        if (auto const* span = std::get_if<Duration>(&expiry)) {
            entry_->expires_at = after(now, *span);
        } else if (auto const* moment = std::get_if<Time>(&expiry)) {
            Time const wall = clock_.wall();
            entry_->expires_at = *moment > wall ? after(now, *moment - wall) : now;
        } else {
            entry_->expires_at = Time::max();
            return {{}, {}, before != Time::max()};
        }
        return {{}, {}, true};
    }));
}

void MemoryLimiter::time_to_live(core::Reply<std::optional<Duration>> reply)
{
    using Ttl = std::optional<Duration>;
    reply(with_state<Ttl>(std::nullopt, [&](Time now) -> Result<Ttl> {
        if (entry_->expires_at == Time::max()) return {};
        return {{}, {}, entry_->expires_at - now};
    }));
}

void MemoryLimiter::rename(std::string const& to, core::Reply<Unit> reply)
{
    reply(store_->rename(entry_, to));
}

/// Nothing here is older than this process.
void MemoryLimiter::migrate(core::Reply<std::int64_t> reply)
{
    reply({});
}

}  // namespace ration::memory
