#pragma once

#include "core/unique_function.hpp"

#include <ration/error.hpp>

#include <optional>
#include <string>
#include <utility>

namespace ration::core {

/// What came of an operation beside the queue. `detail` says what the code alone cannot.
template <class T>
struct Result {
    std::optional<Errc> error{};
    std::string detail{};
    T value{};

    static Result failed(Errc code, std::string why = {}) { return {code, std::move(why), {}}; }
};

struct Unit {};  ///< the value of an operation that has none

template <class T>
using Reply = UniqueFunction<void(Result<T>)>;

}  // namespace ration::core
