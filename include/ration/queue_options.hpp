#pragma once

#include <ration/types.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace ration {

/// When an item of a delay queue is done with.
enum class Acknowledge : std::uint8_t {
    automatic,  ///< when it is taken: gone, even if the consumer dies the next moment
    manual,     ///< when it is acked: else it comes back after the lease
};

/// The name as this header writes it, e.g. "manual".
std::string_view to_string(Acknowledge acknowledge) noexcept;

/// How one process takes from a delay queue; nothing of it is stored. Every member has a default.
struct QueueOptions {
    using Acknowledge = ration::Acknowledge;
    using enum ration::Acknowledge;

    /// With Acknowledge::manual: how long a consumer has to ack an item before others get it. 1 ms to 10 years.
    Duration lease = std::chrono::seconds{30};
    Acknowledge acknowledge = Acknowledge::automatic;

    friend bool operator==(QueueOptions const&, QueueOptions const&) = default;
};

/// What a delay queue delivers.
struct Item {
    std::string id;     ///< as `offer` returned it; what `ack` and `cancel` want
    std::string value;  ///< any bytes

    friend bool operator==(Item const&, Item const&) = default;
};

}  // namespace ration
