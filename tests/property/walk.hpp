#pragma once

// What random walks over a store's asynchronous calls have in common.

#include "core/result.hpp"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <utility>

namespace ration::testing {

/// Takes so many steps, or as many as go well.
template <class Step>
void walk(int steps, Step step)
{
    for (int number = 0; number < steps && !::testing::Test::HasFailure(); ++number) {
        SCOPED_TRACE("step " + std::to_string(number));
        step();
    }
}

/// The reply to a call, whenever it comes.
template <class T, class Call>
T answer_of(Call call)
{
    std::promise<core::Result<T>> promise;
    auto future = promise.get_future();
    call(core::Reply<T>{[&promise](core::Result<T> result) { promise.set_value(std::move(result)); }});
    auto result = future.get();
    if (result.error) ADD_FAILURE() << make_error_code(*result.error).message() << ": " << result.detail;
    return std::move(result.value);
}

}  // namespace ration::testing
