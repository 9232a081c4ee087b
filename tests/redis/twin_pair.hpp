#pragma once

// One limiter twice: in C++, and in Redis, driven through the same history and compared after every operation.

#include "core/calendar.hpp"
#include "core/limiter_state.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/twin_stored.hpp"
#include "unit/story.hpp"

#include <functional>
#include <sstream>

namespace ration::redis_test {

/// One operation: what to send, and what to do with the reply.
struct Operation {
    Words words;
    std::function<void(redis::Values)> check;
    std::string text = {};  ///< for a failure
};

inline std::string text_of(core::Batch const& batch)
{
    std::string text = batch.head_blocks ? "take" : "take (contested head)";
    for (auto const& run : batch.runs) {
        text += ' ' + std::to_string(run.count) + 'x' + std::to_string(run.n) + (run.patient ? "p" : "i");
    }
    return text;
}

inline std::string text_of(std::vector<core::Outcome> const& outcomes)
{
    using core::operator<<;
    std::ostringstream text;
    for (auto const& outcome : outcomes) {
        if (outcome.error) {
            text << "\n  error " << static_cast<int>(*outcome.error);
        } else {
            text << "\n  " << outcome.decision;
        }
    }
    return text.str();
}

/// The C++ half, and the model of what is stored.
class Model {
public:
    using NewStored = std::function<std::unique_ptr<Stored>(Rate const&)>;

    Model(Algorithm algorithm, Rate const& rate, NewStored new_stored)
        : algorithm_{algorithm}, new_stored_{std::move(new_stored)}, rate_{rate}, state_{algorithm, rate}
    {
        reset(rate);
    }

    Rate const& rate() const { return rate_; }
    Stored const& stored() const { return *stored_; }
    bool is_idle(Time now) const { return state_.is_idle(now); }

    void reset(Rate const& rate)
    {
        rate_ = rate;
        state_ = core::LimiterState{algorithm_, rate};
        stored_ = new_stored_(rate);
    }

    std::vector<core::Outcome> take(Time now, core::Batch const& batch, Duration resolution)
    {
        // The scripts store what they find to be over even if all of the batch asks for too much; but a window that is
        // over only when another one opens.
        bool const settles = algorithm_ == Algorithm::sliding_log || !is_idle(now);
        if (settles) {
            if (is_on_milliseconds(algorithm_)) state_.release(now, 0);
            stored_->asked(now);
        }
        return core::evaluate(batch, [&](Permits n) -> core::Outcome {
            if (n > rate_.capacity()) return exceeds();
            auto const decision = state_.take(now, n, resolution);
            if (decision.granted) {
                if (!settles) stored_->asked(now);
                stored_->granted(now, n, resolution);
            }
            return {{}, decision, {}};
        });
    }

    core::Outcome look(Time now, Permits n) const
    {
        if (n > rate_.capacity()) return exceeds();
        return {{}, state_.look(now, n), {}};
    }

    Permits available(Time now) const { return state_.available(now); }

    void release(Time now, Permits n)
    {
        bool const is_window =
            algorithm_ == Algorithm::fixed_window || algorithm_ == Algorithm::calendar_window;
        if (is_window && is_idle(now)) return;  // as above
        state_.release(now, n);
        stored_->released(now, n);
    }

    void change_rate(Rate const& rate, Time now)
    {
        state_.change_rate(rate, now);
        stored_->changed(rate, now);
        rate_ = rate;
    }

    void check_stored(std::span<Reply const> replies, Time now)
    {
        bool const idle = is_idle(now);
        auto const all = state_.look(now, rate_.capacity());
        stored_->check(replies, now, idle, all.granted ? Duration{} : all.reset_after);
        // Redis has forgotten it, which nobody notices unless the clock steps back.
        if (idle && stored_->is_absent(replies)) reset(rate_);
    }

private:
    core::Outcome exceeds() const { return {Errc::permits_exceed_rate, {.remaining = rate_.capacity()}, {}}; }

    Algorithm algorithm_;
    NewStored new_stored_;
    Rate rate_;
    core::LimiterState state_;
    std::unique_ptr<Stored> stored_;
};

/// The current window of a calendar rate and the next one, as the scripts want them.
inline std::string windows_at(Rate const& rate, Time now)
{
    auto const micros = [](Time time) { return std::to_string(time.time_since_epoch().count()); };
    auto const window = core::calendar_window_at(rate, now);
    return micros(window.begin) + ' ' + micros(window.end) + ' '
           + micros(core::calendar_window_at(rate, window.end).end);
}

}  // namespace ration::redis_test
