#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace ration::bench {

/// The least any limiter in this process has to do: read the clock, change one shared word.
///
/// Until the change succeeds, because a compare-and-swap that failed has decided nothing.
class alignas(64) Floor {
public:
    std::int64_t step() noexcept
    {
        std::int64_t const now = std::chrono::steady_clock::now().time_since_epoch().count();
        std::int64_t seen = word_.load(std::memory_order_relaxed);
        while (
            !word_.compare_exchange_weak(seen, now, std::memory_order_acq_rel, std::memory_order_relaxed)) {}
        return seen;
    }

private:
    std::atomic<std::int64_t> word_{0};
};

}  // namespace ration::bench
