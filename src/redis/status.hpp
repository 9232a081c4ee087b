#pragma once

#include <cstdint>

namespace ration::redis {

/// How a script's reply begins: src/redis/lua/lib/constants.lua.
enum class Status : std::int64_t {
    ok = 0,
    not_initialized,
    conflict,      ///< the stored algorithm follows
    incompatible,  ///< why
    again,         ///< nothing was decided: ask again
    need_window,   ///< the server's time follows
    failed,        ///< the server's error, for one key of several
    invalid,       ///< why
    need_keys,     ///< ask again with all keys of the limiter
};

}  // namespace ration::redis
