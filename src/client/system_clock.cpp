#include <ration/clock.hpp>

#include "client/tick_counter.hpp"
#include "core/ticked_time.hpp"

#include <ctime>

namespace ration {

namespace {

std::int64_t monotonic_nanoseconds() noexcept
{
    timespec reading{};
    clock_gettime(CLOCK_MONOTONIC, &reading);
    return reading.tv_sec * 1'000'000'000 + reading.tv_nsec;
}

/// Asks the system each time.
struct Asked {
    static Duration now() noexcept { return Duration{monotonic_nanoseconds() / 1000}; }
};

/// Asks the system now and then. Requires: has_steady_ticks().
class Ticked {
public:
    static Duration now() noexcept
    {
        auto const ticks = client::read_ticks();
        return time.knows(ticks) ? time.at(ticks) : ask();
    }

private:
    [[gnu::noinline]] static Duration ask() noexcept
    {
        auto const before = client::read_ticks();
        auto const clock = monotonic_nanoseconds();
        return time.learn(before, clock, client::read_ticks());
    }

    [[gnu::tls_model("initial-exec")]] static constinit thread_local core::TickedTime time;
};

[[gnu::tls_model("initial-exec")]] constinit thread_local core::TickedTime Ticked::time;

/// A monotonic clock, shifted once so that it reads like a date.
template <class Monotonic>
class SystemClock final : public Clock {
public:
    Time now() const noexcept override { return Time{Monotonic::now() + offset_}; }

    Time wall() const noexcept override
    {
        return std::chrono::floor<Duration>(std::chrono::system_clock::now());
    }

private:
    Duration const offset_ =
        std::chrono::floor<Duration>(std::chrono::system_clock::now().time_since_epoch()) - Monotonic::now();
};

std::shared_ptr<Clock> make_system_clock()
{
    if (client::has_steady_ticks()) return std::make_shared<SystemClock<Ticked>>();
    return std::make_shared<SystemClock<Asked>>();
}

}  // namespace

std::unique_ptr<Alarm> Clock::make_alarm(
    std::function<void()> /*ring*/)  // NOLINT(performance-unnecessary-value-param)
{
    return nullptr;
}

std::shared_ptr<Clock> system_clock()
{
    static std::shared_ptr<Clock> const clock = make_system_clock();
    return clock;
}

}  // namespace ration
