#pragma once

#include <ration/types.hpp>

#include <cstdint>
#include <string>

namespace ration::cli {

/// The smallest round span of time (1, 2, 5, 10, 15, 30 of a unit …) that needs no more than `most` steps for `length`.
Duration round_time_step(Duration length, int most);

/// A multiple of a round step, e.g. "0", "250ms", "30s", "6h", "2d".
std::string tick_text(Duration at);

/// E.g. "950", "12k", "3.5M".
std::string short_number(std::int64_t number);

}  // namespace ration::cli
