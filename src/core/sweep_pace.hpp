#pragma once

#include "core/hash_store.hpp"

#include <algorithm>
#include <optional>

namespace ration::core {

/// How long to wait before the next sweep, after one that came to `swept`; nothing: until somebody watching says so.
///
/// A full batch goes on at once. Otherwise the strategy decides. sorted_set sweeps when the next field is due, but not more
/// often than its shortest period, and not less often than its longest: another process may have put a field that expires
/// earlier. Whoever hears of that (`is_told`) need not look. delay_queue is always told, and waits for nothing else.
inline std::optional<Duration> pause_after(Swept const& swept, HashOptions const& options,
                                           HashStrategy strategy, bool is_told)
{
    bool const is_due = swept.next_in && *swept.next_in <= Duration{};
    if (is_due && swept.removed >= options.sweep_batch) return Duration{};
    Duration const shortest =
        strategy == HashStrategy::delay_queue ? std::chrono::milliseconds{1} : options.shortest_sweep;
    if (is_told) {
        if (!swept.next_in) return std::nullopt;
        return strategy == HashStrategy::delay_queue ? *swept.next_in : std::max(*swept.next_in, shortest);
    }
    return std::clamp(swept.next_in.value_or(options.longest_sweep), shortest, options.longest_sweep);
}

}  // namespace ration::core
