#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

namespace ration::redis_test {

/// A token bucket as it is stored: docs/redis-layout.md.
inline std::string stored_bucket(std::int64_t updated_micros, std::int64_t missing, std::int64_t parts)
{
    static_assert(std::endian::native == std::endian::little);
    std::array const numbers{static_cast<double>(updated_micros), static_cast<double>(missing),
                             static_cast<double>(parts)};
    std::string bytes(sizeof numbers, '\0');
    std::memcpy(bytes.data(), numbers.data(), sizeof numbers);
    return bytes;
}

}  // namespace ration::redis_test
