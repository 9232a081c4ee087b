#pragma once

// What a random history is made of: rates, requests, batches and steps of the clock.

#include "core/batch.hpp"
#include "property/seed.hpp"
#include "redis/stored_config.hpp"

#include <algorithm>

namespace ration::redis_test {

using namespace std::chrono_literals;
using testing::Random;

/// In Redis the two of Redisson's run on the server's milliseconds.
inline bool is_on_milliseconds(Algorithm algorithm)
{
    return algorithm == Algorithm::sliding_log || algorithm == Algorithm::fixed_window;
}

inline Duration unit_of(Algorithm algorithm)
{
    return is_on_milliseconds(algorithm) ? Duration{1ms} : Duration{1us};
}

inline Rate random_calendar(Random& random, Permits permits)
{
    static constexpr char const* zones[] = {"UTC", "Asia/Shanghai", "Europe/Berlin", "Australia/Lord_Howe"};
    auto const unit = static_cast<CalendarUnit>(random.between(0, 6));
    return Rate::calendar(permits, unit, random.pick(zones), random.between(1, 3));
}

inline Rate random_rate(Random& random, Algorithm algorithm)
{
    static constexpr Rate notable[] = {Rate::per_second(900'000),
                                       Rate::per_day(1'000'003),
                                       Rate::per_second(Rate::max_permits),
                                       Rate::per(1, Rate::max_interval),
                                       Rate::per(1, 1ms),
                                       Rate::per(5, 2s),
                                       Rate::per(10, 1s)};
    static constexpr Permits notable_permits[] = {1, 2, 5, 1'000'003, Rate::max_permits};
    if (algorithm == Algorithm::calendar_window)
        return random_calendar(random, random.one_in(2) ? random.pick(notable_permits)
                                                        : random.magnitude(Rate::max_permits));

    auto const drawn = [&] {
        Duration const unit = unit_of(algorithm);
        Duration const interval =
            std::max(unit * random.magnitude(Rate::max_interval / unit), Rate::min_interval);
        return Rate::per(random.magnitude(random.one_in(2) ? 40 : Rate::max_permits), interval);
    };
    Rate const rate = random.one_in(2) ? random.pick(notable) : drawn();
    if (algorithm != Algorithm::token_bucket || random.one_in(2)) return rate;
    Rate const with_burst = rate.with_burst(random.magnitude(Rate::max_permits));
    return redis::inexact_in_redis(algorithm, with_burst) ? rate : with_burst;
}

/// All of the capacity, large parts of it, single permits, all between, and beyond; or, all history long, small parts.
inline Permits random_n(Random& random, Permits capacity, bool modest)
{
    Permits const most = modest ? std::max<Permits>(capacity / 40, 1) : capacity;
    switch (random.between(1, 9)) {
    case 1:
    case 2: return std::max<Permits>(most / random.between(1, 5), 1);
    case 3:
    case 4: return random.magnitude(most);
    case 5:
    case 6: return most;
    case 7: return random.one_in(4) ? capacity + random.magnitude(Permits{1} << 40) : capacity;
    default: return 1;
    }
}

inline core::Batch random_batch(Random& random, Permits capacity, bool modest)
{
    core::Batch batch;
    batch.head_blocks = !random.one_in(3);
    for (auto runs = random.one_in(2) ? 1 : random.between(1, 5); runs > 0; --runs) {
        batch.runs.push_back({.n = random_n(random, capacity, modest),
                              .patient = random.one_in(2),
                              .count = random.one_in(2) ? 1U : random.between(1U, 5U)});
    }
    return batch;
}

/// Moves a clock; `wait`: what the last refusal said.
inline Duration random_step(Random& random, Rate const& rate, Duration wait, Duration unit, bool modest)
{
    Duration const interval = rate.interval();
    auto const part = [&](std::int64_t parts) {
        return unit * random.magnitude(std::max<std::int64_t>(interval / unit / parts, 1));
    };
    // In a modest history small steps only, mostly, so that much is in use at a time.
    switch (modest && !random.one_in(12) ? random.between(11, 15) : random.between(1, 15)) {
    case 1: return unit;
    case 2: return interval;
    case 3: return interval - unit;
    case 4:
    case 5: return wait;
    case 6: return std::max(wait - unit, Duration{});
    case 7: return -part(1);
    case 8: return interval * random.between(1, 3);
    case 9: return part(1);
    case 10: return -unit;
    case 11:
    case 12:
    case 13: return part(30);
    default: return Duration{};
    }
}

}  // namespace ration::redis_test
