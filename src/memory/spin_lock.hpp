#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace ration::memory {

/// A lock for a few dozen instructions, four bytes small so that it lies in one cache line with what it guards.
///
/// Why not std::mutex: its 40 bytes push the state into a second line, and it pays a second atomic operation on
/// unlock. A waiter that meets a sleeping owner gives up its core, then sleeps itself.
class SpinLock {
public:
    void lock() noexcept
    {
        if (!try_lock()) [[unlikely]]
            wait_for_it();
    }

    bool try_lock() noexcept
    {
        std::uint32_t expected = 0;
        return held_.compare_exchange_strong(expected, 1, std::memory_order_acquire,
                                             std::memory_order_relaxed);
    }

    void unlock() noexcept { held_.store(0, std::memory_order_release); }

private:
    /// Looks again after longer and longer pauses: each look takes the cache line away from whoever works with it, who
    /// would have served many in that time.
    void wait_for_it() noexcept
    {
        constexpr int longest = 16;  // pauses; more brings no more
        constexpr int looks = 50;
        constexpr int yields = 50;
        for (int look = 0, pauses = 1;; ++look) {
            if (look < looks) {
                for (int i = 0; i < pauses; ++i) pause();
                pauses = std::min(2 * pauses, longest);
            } else if (look < looks + yields) {
                std::this_thread::yield();
            } else {
                std::this_thread::sleep_for(std::chrono::microseconds{50});
            }
            if (held_.load(std::memory_order_relaxed) == 0 && try_lock()) return;
        }
    }

    static void pause() noexcept
    {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }

    std::atomic<std::uint32_t> held_{0};
};

}  // namespace ration::memory
