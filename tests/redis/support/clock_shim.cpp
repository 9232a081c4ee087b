// Preloaded into a server, gives it the time that a test wants: the other end of ServerClock.
//
// libfaketime cannot do it: it looks up the real functions when first called, which allocates, and the server's
// allocator asks for the time while it initialises. So nothing here allocates or looks up anything; the real time comes
// straight from the kernel. Only the time of day is ours: what measures spans (timers, the event loop) runs on.

#include "redis/support/clock_page.hpp"

#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

using ration::redis_test::ClockPage;

constexpr std::int64_t second = 1'000'000;

// Null until the constructor below ran, and without a file: the real time.
std::atomic<ClockPage const*> page{nullptr};

[[gnu::constructor]] void map_page() noexcept
{
    char const* const path = std::getenv(ration::redis_test::clock_page_variable);
    if (path == nullptr) return;
    int const file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    void* const memory = ::mmap(nullptr, sizeof(ClockPage), PROT_READ, MAP_SHARED, file, 0);
    ::close(file);
    if (memory != MAP_FAILED) page.store(static_cast<ClockPage const*>(memory));
}

int kernel_clock(clockid_t clock, timespec* result) noexcept
{
    return static_cast<int>(::syscall(SYS_clock_gettime, clock, result));
}

std::int64_t now() noexcept
{
    auto const* const shared = page.load();
    if (shared != nullptr) {
        if (auto const frozen = shared->frozen.load(); frozen != 0) return frozen;
    }
    timespec real{};
    kernel_clock(CLOCK_REALTIME, &real);
    auto const microseconds = real.tv_sec * second + real.tv_nsec / 1000;
    return shared == nullptr ? microseconds : microseconds + shared->offset.load();
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] int clock_gettime(clockid_t clock, timespec* result) noexcept
{
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return kernel_clock(clock, result);
    auto const time = now();
    result->tv_sec = time / second;
    result->tv_nsec = time % second * 1000;
    return 0;
}

[[gnu::visibility("default")]] int gettimeofday(timeval* result, void* /*zone*/) noexcept
{
    auto const time = now();
    result->tv_sec = time / second;
    result->tv_usec = time % second;
    return 0;
}

[[gnu::visibility("default")]] time_t time(time_t* result) noexcept
{
    auto const seconds = now() / second;
    if (result != nullptr) *result = seconds;
    return seconds;
}
}
