#pragma once

#include "core/limiter_state.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace ration::interop {

/// What the model in src/core says of one limiter, on the millisecond grid on which both sides run in Redis.
class Shadow {
public:
    explicit Shadow(Algorithm algorithm) : algorithm_{algorithm} {}

    static Time at(std::int64_t ms) { return Time{std::chrono::milliseconds{ms}}; }

    bool exists() const { return rate_.has_value(); }
    Rate const& rate() const { return *rate_; }

    void set(Rate const& rate)
    {
        rate_ = rate;
        state_.emplace(algorithm_, rate);
    }
    void update(Rate const& rate, std::int64_t now)
    {
        state_->change_rate(rate, at(now));
        rate_ = rate;
    }
    void remove() { rate_.reset(); }

    bool take(std::int64_t now, Permits n) { return state_->take(at(now), n, {}).granted; }
    void release(std::int64_t now, Permits n) { state_->release(at(now), n); }

    Permits available(std::int64_t now) const { return state_->available(at(now)); }
    bool would_grant(std::int64_t now, Permits n) const { return state_->look(at(now), n).granted; }
    std::int64_t wait_ms(std::int64_t now, Permits n) const
    {
        return state_->look(at(now), n).retry_after / std::chrono::milliseconds{1};
    }
    std::int64_t reset_ms(std::int64_t now) const
    {
        return state_->look(at(now), rate_->permits()).reset_after / std::chrono::milliseconds{1};
    }
    bool is_idle(std::int64_t now) const { return state_->is_idle(at(now)); }

    Algorithm algorithm() const { return algorithm_; }

private:
    Algorithm algorithm_;
    std::optional<Rate> rate_;
    std::optional<core::LimiterState> state_;
};

}  // namespace ration::interop
