#include <ration/clock.hpp>

#include "core/ticked_clock.hpp"

#include <ctime>

namespace ration {

namespace {

std::int64_t monotonic_nanoseconds() noexcept
{
    timespec reading{};
    clock_gettime(CLOCK_MONOTONIC, &reading);
    return reading.tv_sec * 1'000'000'000 + reading.tv_nsec;
}

Time wall_time() noexcept
{
    return std::chrono::floor<Duration>(std::chrono::system_clock::now());
}

/// Asks the system each time: a monotonic clock, shifted once so that it reads like a date.
class AskedClock final : public Clock {
public:
    Time now() const noexcept override { return Time{offset_ + monotonic()}; }
    Time wall() const noexcept override { return wall_time(); }

private:
    static Duration monotonic() noexcept { return Duration{monotonic_nanoseconds() / 1000}; }

    Duration const offset_ = wall_time().time_since_epoch() - monotonic();
};

std::shared_ptr<Clock> make_system_clock()
{
    if (core::has_steady_ticks()) return std::make_shared<core::TickedClock>();
    return std::make_shared<AskedClock>();
}

}  // namespace

namespace core {

constinit thread_local TickedTime TickedClock::time;

TickedClock::TickedClock()
{
    offset_ = wall() - now();
}

Time TickedClock::wall() const noexcept
{
    return wall_time();
}

[[gnu::noinline]] Time TickedClock::ask() const noexcept
{
    auto const before = read_ticks();
    auto const clock = monotonic_nanoseconds();
    return Time{offset_ + time.learn(before, clock, read_ticks())};
}

}  // namespace core

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
