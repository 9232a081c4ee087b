#pragma once

#include "core/store.hpp"
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

    Decision decide_contended(Time read, core::Ask ask, core::AtOnce& at_once);

    // All below require the lock.
    Decision decide_locked(Time now, core::Ask ask, core::AtOnce& at_once);
    bool is_fit(Time now, std::optional<Algorithm> expected);
    std::optional<Errc> check(Time now, std::optional<Algorithm> expected);
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
    Duration const log_resolution_;
};

}  // namespace ration::memory
