#pragma once

// Arguments as people type them. Each function throws UsageError with a sentence that names the option.

#include <ration/types.hpp>

#include <string>

namespace ration::cli {

std::int64_t parse_count(std::string const& option, std::string const& text, std::int64_t least,
                         std::int64_t most);

/// A number and ms, s, m, h or d, e.g. "500ms"; more than zero, at most `most`.
Duration parse_span(std::string const& option, std::string const& text, Duration most);

/// The same, and "0" or "0s" are fine.
Duration parse_span_or_zero(std::string const& option, std::string const& text, Duration most);

/// As many permits as a rate may have.
Permits parse_permits(std::string const& text);

RateType parse_type(std::string const& option, std::string const& text);

Algorithm parse_algorithm(std::string const& option, std::string const& text);

}  // namespace ration::cli
