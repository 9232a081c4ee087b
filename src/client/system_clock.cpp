#include <ration/clock.hpp>

namespace ration {

namespace {

/// The steady clock, shifted once so that it reads like a date.
class SystemClock final : public Clock {
public:
    Time now() const noexcept override
    {
        return Time{std::chrono::floor<Duration>(std::chrono::steady_clock::now().time_since_epoch() + offset_)};
    }

    Time wall() const noexcept override { return std::chrono::floor<Duration>(std::chrono::system_clock::now()); }

private:
    std::chrono::nanoseconds const offset_ =
        std::chrono::system_clock::now().time_since_epoch() - std::chrono::steady_clock::now().time_since_epoch();
};

}  // namespace

std::unique_ptr<Alarm> Clock::make_alarm(std::function<void()> /*ring*/)
{
    return nullptr;
}

std::shared_ptr<Clock> system_clock()
{
    static std::shared_ptr<Clock> const clock = std::make_shared<SystemClock>();
    return clock;
}

}  // namespace ration
