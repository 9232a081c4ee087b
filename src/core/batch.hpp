#pragma once

#include "core/outcome.hpp"

#include <cstdint>
#include <vector>

namespace ration::core {

/// `count` equal requests, one behind the other.
struct Run {
    Permits n;
    bool patient;  ///< is ready to wait, so nobody behind may overtake it
    std::uint32_t count;

    friend bool operator==(Run const&, Run const&) = default;
};

/// What one store call asks: requests in order of arrival.
struct Batch {
    std::vector<Run> runs;
    /// Normally the first patient refusal ends the call. False: the very first request is passed over like an
    /// impatient one, because another process was quicker than it at its own moment (rule 6).
    bool head_blocks = true;
};

/// What the store said: one outcome per request, in order, as far as it went. It ends early at the first
/// patient refusal that blocks; what stands behind it was not evaluated and is not in here.
struct Answer {
    std::vector<Outcome> outcomes;
    Permits capacity = 0;  ///< the most that can pass at once; 0: unknown
};

/// Goes through a batch as every store must. `decide(n)` takes permits now or refuses.
template <class Decide>
std::vector<Outcome> evaluate(Batch const& batch, Decide decide)
{
    std::vector<Outcome> outcomes;
    for (Run const& run : batch.runs) {
        for (std::uint32_t i = 0; i < run.count; ++i) {
            bool const is_head = outcomes.empty();
            Outcome const& outcome = outcomes.emplace_back(decide(run.n));
            bool const refused = !outcome.error && !outcome.decision.granted;
            if (refused && run.patient && (batch.head_blocks || !is_head)) return outcomes;
        }
    }
    return outcomes;
}

}  // namespace ration::core
