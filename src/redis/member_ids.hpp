#pragma once

#include <ration/limiter_options.hpp>

#include <string>

namespace ration::redis {

/// What stands before the permits in a new member of a log: random bytes, different each time, in the format of that
/// generation of Redisson.
std::string new_member_prefix(RedissonFormat format);

}  // namespace ration::redis
