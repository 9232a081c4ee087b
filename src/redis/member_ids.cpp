#include "redis/member_ids.hpp"

#include <cstdint>
#include <cstring>
#include <random>

namespace ration::redis {

namespace {

/// Not for secrets: it only has to differ from all others, so a generator that is seeded well will do.
std::mt19937_64 seeded()
{
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device(), device(), device(), device(), device()};
    return std::mt19937_64{seed};
}

std::uint64_t random_bits()
{
    thread_local std::mt19937_64 generator = seeded();
    return generator();
}

}  // namespace

std::string new_member_prefix(RedissonFormat format)
{
    std::uint64_t const bits[2] = {random_bits(), random_bits()};
    auto const prefixed = [&](std::string prefix, std::size_t count) {
        prefix.append(reinterpret_cast<char const*>(bits), count);
        return prefix;
    };
    switch (format) {
    case RedissonFormat::current: break;
    case RedissonFormat::v3_16_4: return prefixed(std::string("\x08\0\0\0\0\0\0\0", 8), 8);
    case RedissonFormat::v3_13_3: {
        // A float. Redisson made it of a random whole number, so it never was infinite or not a number.
        auto const value = static_cast<float>(static_cast<std::int64_t>(bits[0]));
        std::string prefix(sizeof value, '\0');
        std::memcpy(prefix.data(), &value, sizeof value);
        return prefix;
    }
    }
    return prefixed("\x10", 16);
}

}  // namespace ration::redis
