#pragma once

#include "core/store.hpp"

namespace ration::memory {

/// Counts the decisions that never saw a queue.
struct Tally {
    std::uint64_t granted = 0;
    std::uint64_t denied = 0;

    core::StoreCounts counts() const noexcept { return {.granted = granted, .denied = denied}; }

    /// The decision that `decide` makes. A patient request that is refused goes to the queue, which counts it.
    template <class Decide>
    Decision counted(bool patient, core::AtOnce& at_once, Decide decide)
    {
        Decision decision = decide();
        if (decision.granted) {
            ++granted;
        } else if (!at_once.error()) {
            if (patient) {
                at_once.must_queue();
            } else {
                ++denied;
            }
        }
        return decision;
    }
};

}  // namespace ration::memory
