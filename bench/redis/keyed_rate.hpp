#pragma once

#include <ration/rate.hpp>

#include <chrono>

namespace ration::bench {

// The keyed limiter that is measured, and that redis-benchmark imitates.

inline constexpr char const* keyed_name = "keyed";
inline constexpr int keyed_count = 100'000;

/// So slow that no key is full again, and gone, before it is asked again; enough that none is ever empty.
inline Rate keyed_rate()
{
    return Rate::per(10'000, std::chrono::hours{24});
}

}  // namespace ration::bench
