#pragma once

#include <ration/types.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ration {

/// Who removes the fields of a hash that have expired. An expired field is never returned, whatever this is.
/// docs/expiring-hash.md helps to choose.
enum class HashStrategy : std::uint8_t {
    automatic,    ///< native where the server has it, else sorted_set; embedded: sorted_set
    sorted_set,   ///< clients that have the hash open sweep it now and then
    delay_queue,  ///< clients that have the hash open remove each field at its moment
    native,       ///< the server: Redis >= 7.4, Valkey >= 9.0; no on_expired
};

/// The name as this header writes it, e.g. "sorted_set".
std::string_view to_string(HashStrategy strategy) noexcept;

/// How one process uses a hash; nothing of it is stored. Every member has a default.
struct HashOptions {
    using Strategy = HashStrategy;
    using enum HashStrategy;

    HashStrategy strategy = HashStrategy::automatic;

    // For sorted_set: how long between two sweeps. The first while fields expire, the second while none do.
    Duration shortest_sweep = std::chrono::milliseconds{100};  ///< 1 ms to longest_sweep
    Duration longest_sweep = std::chrono::seconds{5};          ///< up to one hour

    /// How many fields one call removes at most, so that it never blocks the server for long. 1 to 1000.
    std::size_t sweep_batch = 200;

    friend bool operator==(HashOptions const&, HashOptions const&) = default;
};

}  // namespace ration
