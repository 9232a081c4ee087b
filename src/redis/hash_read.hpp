#pragma once

// Reading fields of a hash by plain commands in one transaction, which costs the server a fraction of a script. They cannot
// leave out what has expired; so they also ask which moment comes first, and if that is over, nothing is known.

#include "redis/command.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ration::redis {

using FoundFields = std::vector<std::optional<std::string>>;

/// What to send. `keys`: the hash, and when its fields expire, which also tells the kind: with another than the caller's the
/// server answers with an error.
std::vector<std::vector<std::string>> read_steps(bool natively, std::vector<std::string> const& keys,
                                                 std::vector<std::string> const& fields);

/// What was found of `count` fields. Nothing, if one of the hash has expired and is there still: then hash_get.lua has to look.
std::optional<FoundFields> decode_read(bool natively, std::size_t count, std::vector<Value>& values);

}  // namespace ration::redis
