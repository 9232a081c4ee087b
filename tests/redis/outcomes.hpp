#pragma once

// How a call ended, and when.

#include <ration/ration.hpp>

#include <chrono>
#include <string>
#include <system_error>
#include <thread>

namespace ration::redis_test {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

/// What a busy machine may add to any time.
inline constexpr auto slack = 1500ms;

/// How an operation ended; no code: it did not fail.
struct Outcome {
    std::error_code code;
    std::string sentence;
    Decision decision;
    SteadyClock::duration took;
};

template <class Call>
Outcome outcome_of(Call call)
{
    Outcome outcome{};
    auto const begin = SteadyClock::now();
    try {
        outcome.decision = call();
    } catch (Error const& error) {
        outcome.code = error.code();
        outcome.sentence = error.what();
    }
    outcome.took = SteadyClock::now() - begin;
    return outcome;
}

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
