#pragma once

// Arguments as people type them. Each function throws UsageError with a sentence that names the option.

#include <ration/types.hpp>

#include <string>

namespace ration::cli {

std::int64_t parse_count(std::string const& option, std::string const& text, std::int64_t least,
                         std::int64_t most);

/// A number and ms, s, m or h, e.g. "500ms"; more than zero, at most `most`.
Duration parse_span(std::string const& option, std::string const& text, Duration most);

Algorithm parse_algorithm(std::string const& option, std::string const& text);

}  // namespace ration::cli
