#pragma once

// The processor's tick counter, where it can serve as a clock.

#include <cstdint>

#if defined(__x86_64__) && defined(__linux__)
#    include <cpuid.h>
#    include <x86intrin.h>

#    include <fstream>
#    include <string>
#endif

namespace ration::core {

#if defined(__x86_64__) && defined(__linux__)

/// Requires: has_steady_ticks(). May be read some instructions early: there is no barrier, which would cost as much again.
inline std::uint64_t read_ticks() noexcept
{
    return __rdtsc();
}

/// True if the counter runs at one pace and alike on all processors: it says so itself, and the system keeps its own time
/// by it, which it does only as long as it has found it so.
inline bool has_steady_ticks()
{
    constexpr unsigned power_management = 0x8000'0007;
    constexpr unsigned invariant = 1U << 8;
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid(power_management, &a, &b, &c, &d) == 0 || (d & invariant) == 0) return false;
    std::string source;
    std::ifstream{"/sys/devices/system/clocksource/clocksource0/current_clocksource"} >> source;
    return source == "tsc";
}

#else

inline std::uint64_t read_ticks() noexcept
{
    return 0;
}

inline bool has_steady_ticks()
{
    return false;
}

#endif

}  // namespace ration::core
