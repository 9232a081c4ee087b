#pragma once

#include <string_view>

namespace ration::redis {

/// A Lua script as it is sent to the server.
struct Script {
    std::string_view name;
    std::string_view sha1;
    std::string_view text;
};

/// Made from src/redis/lua at build time (cmake/RationScripts.cmake).
namespace scripts {

extern Script const acquire;
extern Script const look;
extern Script const release;
extern Script const configure;
extern Script const remove;
extern Script const expire;
extern Script const rename;
extern Script const migrate;
extern Script const keyed_acquire;
extern Script const keyed_look;
extern Script const keyed_release;

}  // namespace scripts

}  // namespace ration::redis
