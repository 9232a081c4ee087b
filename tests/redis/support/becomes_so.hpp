#pragma once

#include <chrono>
#include <thread>

namespace ration::redis_test {

/// Is it so within a minute?
template <class Condition>
bool becomes_so(Condition condition)
{
    using namespace std::chrono_literals;
    auto const end = std::chrono::steady_clock::now() + 60s;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(2ms);
    }
    return true;
}

}  // namespace ration::redis_test
