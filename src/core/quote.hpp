#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ration::core {

/// Text from outside, safe to print: in double quotes, everything but printable ASCII as \xNN, and no more
/// than `most` bytes of it, e.g. "5/2\x07s" or "aaaa"... (cut).
std::string quoted(std::string_view text, std::size_t most = 64);

}  // namespace ration::core
