// A limit per natural day: 10 000 calls per day, where the day is Shanghai's. It begins anew at midnight
// there, not 24 hours after the first call.

#include <ration/ration.hpp>
#include <ration/testing/manual_clock.hpp>

#include <iostream>

using namespace std::chrono_literals;

int main()
{
    // 23:59:30 in Shanghai on New Year's Eve (the manual clock only makes this example quick and repeatable).
    auto const new_year = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} - 8h;
    auto const clock = std::make_shared<ration::ManualClock>(new_year - 30s);
    ration::Client client{"memory:", {.clock = clock}};

    //! [calendar]
    auto limiter = client.rate_limiter("partner-api");
    limiter.try_set_rate(ration::Rate::parse("10000/day@Asia/Shanghai"));
    // The same in code: ration::Rate::calendar(10'000, ration::CalendarUnit::day, "Asia/Shanghai")
    //! [/calendar]

    ration::Decision const morning = limiter.try_acquire(9'990);
    ration::Decision const too_many = limiter.try_acquire(100);
    std::cout << morning.remaining << " left today; 100 more pass in " << too_many.retry_after / 1s << " s\n";

    clock->advance(too_many.retry_after);
    ration::Decision const next_day = limiter.try_acquire(100);
    std::cout << "after midnight: " << next_day.remaining << " left of the new day\n";

    bool const ok =
        morning.remaining == 10 && !too_many && too_many.retry_after == 30s && next_day.remaining == 9'900;
    return ok ? 0 : 1;
}
