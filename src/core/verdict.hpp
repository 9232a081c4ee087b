#pragma once

#include <ration/decision.hpp>

namespace ration::core {

/// What an algorithm says to a request for permits: remaining >= 0, retry_after and reset_after are exact.
///
/// The very type that the caller gets, and always returned, never copied: so each field is written once, in the
/// caller's own object. A copy of what was just written stalls some 4 ns, a tenth of a whole call.
using Verdict = Decision;

}  // namespace ration::core
