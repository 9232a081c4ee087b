#pragma once

// How a call ended, and when.

#include "redis/patience.hpp"

#include <ration/ration.hpp>

#include <chrono>
#include <string>
#include <system_error>

namespace ration::redis_test {

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

}  // namespace ration::redis_test
