#pragma once

#include <ration/types.hpp>

#include <functional>
#include <memory>

namespace ration {

/// Fires once, at a moment of the clock that made it.
class Alarm {
public:
    virtual ~Alarm() = default;
    virtual void set(Time moment) = 0;  ///< replaces an earlier moment
    virtual void clear() = 0;
};

/// Where the embedded store takes its time from; the Redis store uses the server's.
///
/// Two readings, because a limit must not be fooled by a clock that is set back, while "per day" means the
/// day on the wall. Implementations are called from any thread.
class Clock {
public:
    virtual ~Clock() = default;

    /// Never goes back, as one thread sees it; what two threads read at one moment may be a few microseconds apart. Only
    /// differences count.
    virtual Time now() const noexcept = 0;

    /// What a clock on the wall shows; may be set back.
    virtual Time wall() const noexcept = 0;

    /// An alarm that calls `ring` when now() reaches its moment, or null for a clock that runs with real time:
    /// then real timers are used.
    virtual std::unique_ptr<Alarm> make_alarm(std::function<void()> ring);
};

/// The machine's own clocks.
std::shared_ptr<Clock> system_clock();

}  // namespace ration
