#pragma once

#include <ration/types.hpp>

namespace ration::core {

/// What an algorithm says to a request for permits. The rest of the code turns it into a Decision.
struct Verdict {
    bool granted;
    Permits remaining;     ///< free after this request, >= 0
    Duration retry_after;  ///< zero if granted; else the exact wait until the same request passes
    Duration reset_after;  ///< until all is free

    friend bool operator==(Verdict const&, Verdict const&) = default;
};

}  // namespace ration::core
