#pragma once

// How a test waits for something that must happen, without knowing when.

#include <chrono>
#include <thread>

namespace ration::redis_test {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

/// Asks again until it is so. False if that takes too long.
template <class Condition>
bool becomes_true_within(SteadyClock::duration patience, Condition condition)
{
    auto const end = SteadyClock::now() + patience;
    while (!condition()) {
        if (SteadyClock::now() > end) return false;
        std::this_thread::sleep_for(2ms);
    }
    return true;
}

template <class Condition>
bool becomes_true(Condition condition)
{
    return becomes_true_within(20s, condition);
}

}  // namespace ration::redis_test
