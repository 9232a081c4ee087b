#include <ration/clock.hpp>

#include <ctime>

namespace ration {

namespace {

/// The monotonic clock, shifted once so that it reads like a date.
class SystemClock final : public Clock {
public:
    Time now() const noexcept override { return Time{monotonic() + offset_}; }

    Time wall() const noexcept override
    {
        return std::chrono::floor<Duration>(std::chrono::system_clock::now());
    }

private:
    // What std::chrono::steady_clock reads, without its detour over nanoseconds: 2 of the 35 ns of a decision.
    static Duration monotonic() noexcept
    {
        timespec reading{};
        clock_gettime(CLOCK_MONOTONIC, &reading);
        return Duration{reading.tv_sec * 1'000'000 + static_cast<std::uint32_t>(reading.tv_nsec) / 1000};
    }

    Duration const offset_ =
        std::chrono::floor<Duration>(std::chrono::system_clock::now().time_since_epoch()) - monotonic();
};

}  // namespace

std::unique_ptr<Alarm> Clock::make_alarm(
    std::function<void()> /*ring*/)  // NOLINT(performance-unnecessary-value-param)
{
    return nullptr;
}

std::shared_ptr<Clock> system_clock()
{
    static std::shared_ptr<Clock> const clock = std::make_shared<SystemClock>();
    return clock;
}

}  // namespace ration
