#pragma once

#include "core/store.hpp"

namespace ration::memory {

/// Counts the decisions that never saw a queue.
struct Tally : core::StoreCounts {
    /// False if the outcome is not final: a patient request was refused and goes to the queue, which counts it.
    bool count(core::Outcome const& outcome, bool patient) noexcept
    {
        if (outcome.error) [[unlikely]] return true;
        if (outcome.decision.granted) {
            ++granted;
            return true;
        }
        if (patient) return false;
        ++denied;
        return true;
    }
};

}  // namespace ration::memory
