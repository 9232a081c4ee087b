#pragma once

// Reading fields of a hash by plain commands in one transaction, which costs the server a fraction of a script. They cannot
// leave out what has expired; so they ask which moment comes first, and if that may be over, for the moments of the fields.

#include "redis/command.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ration::redis {

using FoundFields = std::vector<std::optional<std::string>>;

enum class ReadBy : std::uint8_t {
    server,        ///< which leaves out by itself what has expired
    first_moment,  ///< enough while nothing has expired that was not removed
    all_moments,
};

/// What to send. `keys`: the hash, and when its fields expire, which also tells the kind: with another than the caller's the
/// server answers with an error.
std::vector<std::vector<std::string>> read_steps(ReadBy by, std::vector<std::string> const& keys,
                                                 std::vector<std::string> const& fields);

struct ReadFields {
    std::optional<FoundFields> found{};  ///< none: it takes all moments to tell
    bool some_expired = false;           ///< of the hash, and were not removed yet
};

/// What `values` say of `count` fields. Nothing, if they are not the answer to these steps.
std::optional<ReadFields> decode_read(ReadBy by, std::size_t count, std::vector<Value>& values);

}  // namespace ration::redis
