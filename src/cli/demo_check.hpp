#pragma once

// Whether grants kept the promise of their algorithm. Independent of src/core: it looks only at the moments.

#include "cli/demo_state.hpp"

#include <string>

namespace ration::cli {

struct CheckResult {
    bool holds = true;
    Permits most = 0;     ///< in the fullest span, or window
    Permits limit = 0;    ///< what it may hold; for a token bucket, what one interval may hold
    std::string promise;  ///< in words, with what was found, e.g. "no span of 1s held more than 5 (most: 5)"
};

/// Requires: grants in the order of their moments, each of one permit.
CheckResult check_grants(LimiterConfig const& config, std::vector<DemoGrant> const& grants);

/// The whole sentence, e.g. "checked: 25 grants, no span of 1s held more than 5 (most: 5)".
std::string check_sentence(CheckResult const& result, std::size_t grants);

}  // namespace ration::cli
