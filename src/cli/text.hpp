#pragma once

#include <ration/types.hpp>

#include <string>
#include <string_view>

namespace ration::cli {

/// Seconds with three decimals, rounded, e.g. "0.999s".
std::string seconds_text(Duration span);

/// In the largest unit that divides it, e.g. "1s", "500ms", "2min", "24h".
std::string span_text(Duration span);

/// As long as somebody would say it: "0.512s", "59.6s", "12min 30s", "5h 3min", "12d 4h".
std::string wait_text(Duration span);

/// "1 grant", "2 grants".
std::string count_text(std::int64_t count, std::string const& noun);

/// With its digits in groups, e.g. "1 234 567".
std::string grouped(std::int64_t number);

/// How many bytes the UTF-8 character at the front has; 0 if it is none. Requires: not empty.
std::size_t utf8_size(std::string_view text);

/// Filled up with blanks, by characters and not by bytes.
std::string left_aligned(std::string text, std::size_t width);
std::string right_aligned(std::string const& text, std::size_t width);

}  // namespace ration::cli
