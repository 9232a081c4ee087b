#pragma once

#include <ration/clock.hpp>

namespace ration::testing {

/// A clock that stands still until a test moves it.
///
///     auto clock = std::make_shared<ration::testing::ManualClock>();
///     ration::Client client{"memory:", {.clock = clock}};
///     auto waiting = client.rate_limiter("mail").async_acquire(1, boost::asio::use_future);
///     clock->advance(2s);          // whoever was due has been served when this returns
///
/// Safe to use from any thread; one thread at a time moves it.
class ManualClock final : public Clock {
public:
    /// Starts on 2026-01-01 00:00:00 UTC, a Thursday, unless told otherwise.
    explicit ManualClock(Time start = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1});
    ~ManualClock() override;

    Time now() const noexcept override;
    Time wall() const noexcept override;

    /// Lets time pass. Stops at each moment at which somebody is due and serves them before it goes on, so
    /// waiters are granted at their own moments and in their own order. When it returns, blocking calls that
    /// were due have been released, and handlers on the client's own I/O thread have run; handlers on an
    /// executor of yours have been posted to it. Requires: by >= 0.
    void advance(Duration by);

    /// Sets the clock on the wall, backwards too, as an operator or NTP would. now() is not affected.
    void set_wall(Time wall);

    std::unique_ptr<Alarm> make_alarm(std::function<void()> ring) override;

private:
    struct State;
    std::shared_ptr<State> state_;  // shared with the alarms, which may outlive the clock
};

}  // namespace ration::testing

namespace ration {
using testing::ManualClock;
}  // namespace ration
