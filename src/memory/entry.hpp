#pragma once

#include "core/limiter_state.hpp"
#include "memory/spin_lock.hpp"
#include "memory/tally.hpp"

#include <ration/limiter_options.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace ration::memory {

/// What is stored under one name: config and state, as a hash and its neighbours would be in Redis.
///
/// One short lock guards it all, so a changed rate cannot race a grant. What a decision writes lies in one cache
/// line with the lock. A name keeps its entry as long as anybody has it open, whether it has a rate or not.
struct alignas(64) Entry {
    SpinLock spin;
    std::uint32_t gates_shut = 0;  ///< queues with somebody waiting: nobody may be served past them
    Tally tally;
    /// The clock is read before the lock is taken, and by many threads: readings arrive out of order.
    Time latest{};
    std::optional<core::LimiterState> state;  ///< RateType::overall: everybody's grants

    std::optional<LimiterConfig> config;  ///< empty: no rate is set
    Time expires_at = Time::max();

    /// Until then `state` alone decides. In the past if there is more to look at than that.
    Time plain_until = Time::min();

    /// RateType::per_client: the grants of one client. Appears with its first use.
    struct ClientState {
        std::optional<core::LimiterState> state;
    };
    std::unordered_map<std::string, std::shared_ptr<ClientState>> clients;

    void lock() noexcept { spin.lock(); }
    bool try_lock() noexcept { return spin.try_lock(); }

    /// Whoever held the lock may have changed anything.
    void unlock() noexcept
    {
        Time const until = is_plain() ? expires_at : Time::min();
        if (plain_until != until)
            plain_until = until;  // others read it all the time: spare them a cache miss
        spin.unlock();
    }

    // All below require the lock.

    bool is_plain() const noexcept
    {
        return gates_shut == 0 && state && config && config->type == RateType::overall
               && config->algorithm != Algorithm::calendar_window && config->keep_alive == Duration{};
    }

    Time advance(Time now) noexcept { return latest = std::max(latest, now); }

    /// Config and state as they are at `now`: nothing is left of what has expired.
    bool exists(Time now)
    {
        if (now >= expires_at) [[unlikely]]
            clear();
        return config.has_value();
    }

    [[gnu::noinline]] void clear()
    {
        config.reset();
        expires_at = Time::max();
        forget_grants();
    }

    void forget_grants()
    {
        state.reset();
        for (auto& [id, client] : clients) client->state.reset();
    }

    template <class Action>
    void for_each_state(Action action)
    {
        if (state) action(*state);
        for (auto& [id, client] : clients) {
            if (client->state) action(*client->state);
        }
    }

    /// The limiter was used: keep_alive begins anew.
    void touch(Time now) noexcept
    {
        Duration const span = config->keep_alive;
        if (span > Duration{}) expires_at = span < Time::max() - now ? now + span : Time::max();
    }

    /// Drops the states of clients that are gone and owe nothing. `now` by the clock that the algorithm goes by.
    void drop_idle_clients(Time now)
    {
        std::erase_if(clients, [&](auto const& entry) {
            auto const& client = entry.second;
            return client.use_count() == 1 && (!client->state || client->state->is_idle(now));
        });
    }
};

}  // namespace ration::memory
