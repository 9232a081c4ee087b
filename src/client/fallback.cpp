#include "client/fallback.hpp"

#include "client/store_health.hpp"
#include "core/limiter_state.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace ration::client {

namespace {

using core::Answer;
using core::CallResult;
using core::NoAnswer;
using core::Outcome;

using namespace std::chrono_literals;

/// How old a known rate may be before it is read again.
constexpr Duration rate_lifetime = 5s;

/// A denial holds no longer than this: once the store is back, things may be different.
constexpr Duration retry_interval = 2 * StoreHealth::probe_interval;

class FollowedRate final : public LocalLimit, public std::enable_shared_from_this<FollowedRate> {
public:
    FollowedRate(std::shared_ptr<Clock> clock, std::weak_ptr<core::LimiterStore> limiter, Permits share)
        : clock_{std::move(clock)}, limiter_{std::move(limiter)}, share_{share}
    {}

    std::optional<Answer> answer(core::Batch const& batch) override
    {
        std::lock_guard const lock{mutex_};
        if (!config_) return std::nullopt;
        bool const calendar = config_->algorithm == Algorithm::calendar_window;
        Time const now = calendar ? clock_->wall() : clock_->now();
        Permits const capacity = shared_out(config_->rate, share_).capacity();
        return Answer{core::evaluate(batch, [&](Permits n) {
            if (n > capacity) return Outcome{{}, {.retry_after = retry_interval}, {}};
            return Outcome{{}, state_->take(now, n, Duration{}), {}};
        })};
    }

    void heard(Answer const& answer) override
    {
        auto const limiter = limiter_.lock();
        if (!limiter) return;
        {
            Time const now = clock_->now();
            std::lock_guard const lock{mutex_};
            bool const same = config_ && config_->rate.capacity() == answer.capacity;
            if (reading_ || (same && now < read_again_)) return;
            reading_ = true;
            read_again_ = now + rate_lifetime;
        }
        limiter->config({}, [weak = weak_from_this()](core::Result<LimiterConfig> const& found) {
            if (auto const self = weak.lock()) self->learn(found);
        });
    }

private:
    void learn(core::Result<LimiterConfig> const& found)
    {
        std::lock_guard const lock{mutex_};
        reading_ = false;
        if (found.error || config_ == found.value) return;
        config_ = found.value;
        state_.emplace(config_->algorithm, shared_out(config_->rate, share_));
    }

    std::shared_ptr<Clock> const clock_;
    std::weak_ptr<core::LimiterStore> const limiter_;
    Permits const share_;
    std::mutex mutex_;
    std::optional<LimiterConfig> config_;  // as last seen
    std::optional<core::LimiterState> state_;
    bool reading_ = false;
    Time read_again_{};
};

class LocalKey final : public LocalLimit {
public:
    explicit LocalKey(std::shared_ptr<core::PermitStore> key) : key_{std::move(key)} {}

    std::optional<Answer> answer(core::Batch const& batch) override
    {
        Answer answer;
        key_->call(batch, [&](CallResult result) { answer = std::get<Answer>(std::move(result)); });
        for (Outcome& outcome : answer.outcomes) {
            if (outcome.error == Errc::permits_exceed_rate)
                outcome = {{}, {.retry_after = retry_interval}, {}};
        }
        return answer;
    }

    void heard(Answer const&) override {}

private:
    std::shared_ptr<core::PermitStore> const key_;
};

class FallbackPermits final : public core::PermitStore, public std::enable_shared_from_this<FallbackPermits> {
public:
    FallbackPermits(std::shared_ptr<core::PermitStore> inner, std::shared_ptr<StoreHealth> health,
                    OnStoreFailure policy, std::shared_ptr<LocalLimit> local)
        : inner_{std::move(inner)}, health_{std::move(health)}, policy_{policy}, local_{std::move(local)}
    {}

    void shut_gate() override { inner_->shut_gate(); }
    void open_gate() override { inner_->open_gate(); }

    void call(core::Batch const& batch, core::UniqueFunction<void(CallResult)> reply) override
    {
        if (health_->is_down()) {
            if (auto answer = answer_instead(batch)) {
                reply(std::move(*answer));
                return;
            }
        }
        inner_->call(batch,
                     [self = shared_from_this(), batch, reply = std::move(reply)](CallResult result) mutable {
                         reply(self->or_instead(batch, std::move(result)));
                     });
    }

    bool shares_calls() const noexcept override { return inner_->shares_calls(); }

private:
    CallResult or_instead(core::Batch const& batch, CallResult result)
    {
        if (auto const* answer = std::get_if<Answer>(&result)) {
            if (local_) local_->heard(*answer);
        } else if (std::get<NoAnswer>(result).transient) {
            health_->failed();
            if (auto instead = answer_instead(batch)) return std::move(*instead);
        }
        return result;
    }

    std::optional<Answer> answer_instead(core::Batch const& batch)
    {
        if (policy_ != OnStoreFailure::local) {
            Decision const decision =
                policy_ == OnStoreFailure::allow
                    ? Decision{.granted = true, .basis = Basis::fail_open}
                    : Decision{.retry_after = retry_interval, .basis = Basis::fail_closed};
            return Answer{core::evaluate(batch, [&](Permits) { return Outcome{{}, decision, {}}; })};
        }
        auto answer = local_->answer(batch);
        if (!answer) return std::nullopt;
        answer->capacity = 0;  // the store's is not known from here
        for (Outcome& outcome : answer->outcomes) {
            outcome.decision.basis = Basis::local_fallback;
            outcome.decision.retry_after = std::min(outcome.decision.retry_after, retry_interval);
        }
        return answer;
    }

    std::shared_ptr<core::PermitStore> const inner_;
    std::shared_ptr<StoreHealth> const health_;
    OnStoreFailure const policy_;
    std::shared_ptr<LocalLimit> const local_;
};

}  // namespace

Rate shared_out(Rate const& rate, Permits share)
{
    auto const part = [&](Permits permits) { return std::max<Permits>(1, permits / share); };
    if (rate.is_calendar())
        return Rate::calendar(part(rate.permits()), rate.unit(), rate.zone(), rate.every());
    Rate const scaled = Rate::per(part(rate.permits()), rate.interval());
    return rate.burst() ? scaled.with_burst(part(*rate.burst())) : scaled;
}

std::shared_ptr<LocalLimit> follow_rate(std::shared_ptr<Clock> clock,
                                        std::weak_ptr<core::LimiterStore> limiter, Permits share)
{
    return std::make_shared<FollowedRate>(std::move(clock), std::move(limiter), share);
}

std::shared_ptr<LocalLimit> local_key(std::shared_ptr<core::PermitStore> key)
{
    return std::make_shared<LocalKey>(std::move(key));
}

std::shared_ptr<core::PermitStore> with_fallback(Context const& context,
                                                 std::shared_ptr<core::PermitStore> store,
                                                 OnStoreFailure policy, std::shared_ptr<LocalLimit> local)
{
    if (policy == OnStoreFailure::error || context.store().replies_inside()) return store;
    return std::make_shared<FallbackPermits>(std::move(store), context.health(), policy, std::move(local));
}

}  // namespace ration::client
