#include <ration/testing/manual_clock.hpp>

#include <ration/error.hpp>

#include <mutex>
#include <set>
#include <utility>

namespace ration::testing {

/// Shared with the alarms, which may outlive the clock.
struct ManualClock::State {
    struct Ringer {
        std::function<void()> ring;
        Time moment = Time::max();
        std::uint64_t order = 0;  // of two at the same moment, the one set first rings first
    };

    struct Earlier {
        bool operator()(std::shared_ptr<Ringer> const& a, std::shared_ptr<Ringer> const& b) const noexcept
        {
            return std::pair{a->moment, a->order} < std::pair{b->moment, b->order};
        }
    };

    class ManualAlarm;

    std::mutex mutex;
    Time now;
    Duration wall_offset{};
    std::uint64_t orders = 0;
    std::set<std::shared_ptr<Ringer>, Earlier> ringers;  // whose alarm is set

    explicit State(Time start) : now{start} {}

    /// Moves to the next moment, at most `end`, at which an alarm rings; null if none does.
    std::shared_ptr<Ringer> next_due(Time end)
    {
        std::lock_guard const lock{mutex};
        if (ringers.empty() || (*ringers.begin())->moment > end) {
            now = end;
            return nullptr;
        }
        auto ringer = ringers.extract(ringers.begin()).value();
        now = std::max(now, ringer->moment);
        return ringer;
    }
};

class ManualClock::State::ManualAlarm final : public Alarm {
public:
    ManualAlarm(std::shared_ptr<State> state, std::function<void()> ring) : state_{std::move(state)}
    {
        ringer_->ring = std::move(ring);
    }

    ~ManualAlarm() override { ManualAlarm::clear(); }

    void set(Time moment) override
    {
        std::lock_guard const lock{state_->mutex};
        state_->ringers.erase(ringer_);
        ringer_->moment = moment;
        ringer_->order = ++state_->orders;
        state_->ringers.insert(ringer_);
    }

    void clear() override
    {
        std::lock_guard const lock{state_->mutex};
        state_->ringers.erase(ringer_);
    }

private:
    std::shared_ptr<State> const state_;
    std::shared_ptr<Ringer> const ringer_ = std::make_shared<Ringer>();
};

ManualClock::ManualClock(Time start) : state_{std::make_shared<State>(start)} {}

ManualClock::~ManualClock() = default;

Time ManualClock::now() const noexcept
{
    std::lock_guard const lock{state_->mutex};
    return state_->now;
}

Time ManualClock::wall() const noexcept
{
    std::lock_guard const lock{state_->mutex};
    return state_->now + state_->wall_offset;
}

void ManualClock::advance(Duration by)
{
    if (by < Duration{}) {
        throw Error{
            Errc::invalid_argument,
            "ManualClock::advance: time cannot go back; to set the clock on the wall back use set_wall"};
    }
    Time const end = now() + by;
    while (auto const ringer = state_->next_due(end)) ringer->ring();
}

void ManualClock::set_wall(Time wall)
{
    std::lock_guard const lock{state_->mutex};
    state_->wall_offset = wall - state_->now;
}

std::unique_ptr<Alarm> ManualClock::make_alarm(std::function<void()> ring)
{
    return std::make_unique<State::ManualAlarm>(state_, std::move(ring));
}

}  // namespace ration::testing
