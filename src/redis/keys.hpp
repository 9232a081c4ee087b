#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ration::redis {

/// A key that belongs to `name`, by Redisson's rule: both hash to one slot of a cluster.
std::string suffixed(std::string_view name, std::string_view suffix);

/// The keys of a limiter, in the order in which the scripts take them (src/redis/lua/acquire.lua).
std::vector<std::string> limiter_keys(std::string_view name, std::string_view client_id);

/// So many of them, from the first, are all that a limiter has which is not per client.
inline constexpr std::size_t shared_keys = 4;

/// The one key that holds the state of a key of a keyed limiter. No braces: these must spread over a cluster.
std::string keyed_key(std::string_view name, std::string_view key);

}  // namespace ration::redis
