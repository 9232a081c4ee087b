#pragma once

#include "redis/script.hpp"

#include <ration/error.hpp>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace ration::redis {

/// One script call; or, without a script, one ordinary command, whose words are the arguments; or several of those, each with
/// its words, in one transaction.
struct Command {
    Script const* script = nullptr;
    std::vector<std::string> keys{};
    std::vector<std::string> arguments{};
    std::vector<std::vector<std::string>> steps{};
};

/// One value of a reply. Scripts answer with flat arrays of integers and texts; nested ones come spliced in,
/// flat.
struct Value {
    enum class Kind : std::uint8_t { nil, integer, text };

    Kind kind = Kind::nil;
    std::int64_t integer = 0;
    std::string text{};

    friend bool operator==(Value const&, Value const&) = default;
};

/// Why there is no reply.
struct Failure {
    Errc code = Errc::store_unavailable;
    bool transient = true;  ///< OnStoreFailure may answer for it
    std::string detail{};   ///< what happened, where (never with a password), and what to do
};

using Reply = std::variant<std::vector<Value>, Failure>;

}  // namespace ration::redis
