#pragma once

#include "core/store.hpp"
#include "core/ticked_clock.hpp"
#include "memory/entry.hpp"

#include <ration/clock.hpp>

namespace ration::memory {

class MemoryStore;

/// One limiter of the embedded store, as one client sees it. Replies inside every call.
class MemoryLimiter final : public core::LimiterStore {
public:
    MemoryLimiter(std::shared_ptr<MemoryStore> store, std::shared_ptr<Entry> entry,
                  std::string const& client_id, Duration log_resolution);

    Decision decide_now(core::Ask ask, core::AtOnce& at_once) override;
    /// The same in the cases that make up nearly all of a busy limiter's. In others what `go_on(ticks)` says, which has to call
    /// decide_and_unlock with these ticks; or `start_over()`, if the lock could not be had at once. Requires: has_ticks().
    template <class GoOn, class StartOver>
    Decision decide_quickly(core::Ask ask, GoOn go_on, StartOver start_over);
    Decision decide_and_unlock(core::Ticks ticks, core::Ask ask, core::AtOnce& at_once);
    bool has_ticks() const noexcept { return ticked_ != nullptr; }

    void shut_gate() override;
    void open_gate() override;
    void call(core::Batch const& batch, core::UniqueFunction<void(core::CallResult)> reply) override;

    void configure(core::ConfigureMode mode, core::WantedConfig const& wanted,
                   core::Reply<core::Configured> reply) override;
    void peek(Permits n, std::optional<Algorithm> expected, core::Reply<Decision> reply) override;
    void release(Permits n, std::optional<Algorithm> expected, core::Reply<core::Unit> reply) override;
    void available(std::optional<Algorithm> expected, core::Reply<Permits> reply) override;
    void config(std::optional<Algorithm> assumed, core::Reply<LimiterConfig> reply) override;
    void exists(core::Reply<bool> reply) override;
    void remove(core::Reply<bool> reply) override;
    void expire(core::Expiry expiry, core::Reply<bool> reply) override;
    void time_to_live(core::Reply<std::optional<Duration>> reply) override;
    void rename(std::string const& to, core::Reply<core::Unit> reply) override;
    void migrate(core::Reply<std::int64_t> reply) override;

private:
    template <class Action>
    auto locked(Time read, Action action);
    template <class T, class Action>
    core::Result<T> with_state(std::optional<Algorithm> expected, Action action);

    // All below require the lock.
    [[gnu::noinline]] bool turn_to(core::Ticks ticks) noexcept;
    void read_clock(core::Ticks ticks) noexcept;
    bool is_fit(Time now, std::optional<Algorithm> expected);
    std::optional<Errc> check(Time now, std::optional<Algorithm> expected);
    Decision decide_and_count(Time now, core::Ask ask, core::AtOnce& at_once);
    Decision decide(Time now, Permits n, core::AtOnce& at_once);
    core::LimiterState& state();
    void begin(std::optional<core::LimiterState>& state) const;
    Time state_time(Time now) const noexcept;
    core::Result<core::Configured> apply(core::ConfigureMode mode, core::WantedConfig const& wanted,
                                         Time now);
    void update_config(LimiterConfig const& config, Time now);

    std::shared_ptr<MemoryStore> const store_;
    std::shared_ptr<Entry> const entry_;
    std::shared_ptr<Entry::ClientState> const own_;  ///< this client's grants, if the type is per_client
    Clock const& clock_;
    core::TickedClock const* const ticked_;  ///< clock_, if it is that
    Duration const log_resolution_;
};

// The hot path, part of whoever asks: no call and no clean-up on it, so that it needs neither a frame nor registers to save.
template <class GoOn, class StartOver>
[[gnu::always_inline]] inline Decision MemoryLimiter::decide_quickly(core::Ask ask, GoOn go_on,
                                                                     StartOver start_over)
{
    core::Ticks const ticks = core::read_ticks();
    Entry& entry = *entry_;
    if (!entry.spin.try_lock()) [[unlikely]]
        return start_over();
    if ((entry.is_plain_at(ticks) || (entry.plain_for > 0 && turn_to(ticks)))
        && (!ask.algorithm || *ask.algorithm == entry.config->algorithm)) [[likely]] {
        core::LimiterState& state = *entry.state;
        Time const now = entry.latest;
        if (state.can_join(now, ask.n)) {
            ++entry.tally.granted;
            return state.join(ask.n, [&] { entry.spin.unlock(); });
        }
        if (ask.n == 1 && !ask.patient && state.is_empty(now)) {
            ++entry.tally.denied;
            return state.denial(now, [&] { entry.spin.unlock(); });
        }
    }
    return go_on(ticks);
}

}  // namespace ration::memory
