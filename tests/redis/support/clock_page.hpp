#pragma once

#include <atomic>
#include <cstdint>

namespace ration::redis_test {

/// What a test and the server it started share: a mapped file. All zero is the real time.
struct ClockPage {
    std::atomic<std::int64_t> frozen{0};  ///< microseconds since 1970 that it is, exactly; 0 if time runs
    std::atomic<std::int64_t> offset{0};  ///< microseconds that a running clock is ahead of the real time
};

// Two processes use it, so it must need no lock.
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

/// Names the file to the server.
inline constexpr char const* clock_page_variable = "RATION_TEST_CLOCK";

}  // namespace ration::redis_test
