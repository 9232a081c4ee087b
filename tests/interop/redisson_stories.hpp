#pragma once

#include "interop/story.hpp"

namespace ration::interop {

/// What Redisson's own tests of its rate limiter (RedissonRateLimiterTest of 4.7.0) expect, 1 to 31.
std::vector<Story> const& redisson_stories();

/// Defects of Redisson 4.7.0, and what ration does instead.
std::vector<Story> const& defect_stories();

}  // namespace ration::interop
