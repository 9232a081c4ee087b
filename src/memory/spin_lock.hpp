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

    bool try_lock() noexcept { return held_.exchange(1, std::memory_order_acquire) == 0; }

    void unlock() noexcept { held_.store(0, std::memory_order_release); }

private:
    /// Tries again only after a while, about what a cache line needs from one core to another and back: each try takes it
    /// away from whoever works with it, who serves many in that time. For the same reason it does not look first.
    void wait_for_it() noexcept
    {
        constexpr int shortest = 8;  // pauses, some 0.2 µs
        constexpr int longest = 16;
        constexpr int looks = 50;
        constexpr int yields = 50;
        for (int look = 0, pauses = shortest;; ++look) {
            if (look < looks) {
                for (int i = 0; i < pauses; ++i) pause();
                pauses = std::min(2 * pauses, longest);
            } else if (look < looks + yields) {
                std::this_thread::yield();
            } else {
                std::this_thread::sleep_for(std::chrono::microseconds{50});
            }
            if (try_lock()) return;
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
