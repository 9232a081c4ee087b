#pragma once

#include <ration/types.hpp>

#include <string>

namespace ration::cli {

/// Seconds with three decimals, rounded, e.g. "0.999s".
std::string seconds_text(Duration span);

/// In the largest unit that divides it, e.g. "1s", "500ms", "2min", "24h".
std::string span_text(Duration span);

/// "1 grant", "2 grants".
std::string count_text(std::int64_t count, std::string const& noun);

}  // namespace ration::cli
