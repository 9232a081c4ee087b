#pragma once

#include "core/limiter_state.hpp"
#include "core/ticked_time.hpp"
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
/// line with the lock, and what it only reads in the next: two threads pass one line to and fro, not two. A name
/// keeps its entry as long as anybody has it open, whether it has a rate or not.
struct alignas(64) Entry {
    SpinLock spin;
    /// So many ticks from plain_from on it is still `latest`, and `state` alone decides. Zero if there is more to look at.
    std::uint32_t plain_for = 0;
    core::Ticks plain_from = 0;
    Tally tally;
    /// Many threads read the counter, most of them before they have the lock: readings arrive out of order.
    Time latest{};
    std::optional<core::LimiterState> state;  ///< RateType::overall: everybody's grants

    std::optional<LimiterConfig> config;  ///< empty: no rate is set
    Time expires_at = Time::max();
    std::uint32_t gates_shut = 0;  ///< queues with somebody waiting: nobody may be served past them

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
        if (!is_plain()) plain_for = 0;
        spin.unlock();
    }

    // All below require the lock.

    bool is_plain() const noexcept
    {
        return gates_shut == 0 && state && latest < expires_at && config && config->type == RateType::overall
               && config->algorithm != Algorithm::calendar_window && config->keep_alive == Duration{};
    }

    /// False for ticks before plain_from too: the difference wraps.
    bool is_plain_at(core::Ticks ticks) const noexcept { return ticks - plain_from < plain_for; }

    /// `same`: when the clock shows `now`, if that is known.
    Time advance(Time now, core::TickSpan same = {}) noexcept
    {
        plain_from = same.begin;
        plain_for = same.length;
        return latest = std::max(latest, now);
    }

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
