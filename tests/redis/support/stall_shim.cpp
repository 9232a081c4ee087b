// Preloaded into a test (make test-stalled), lets its threads stall where they meet others: at locks, and before and after
// they read, write or wait. So a thread is held up for milliseconds in places that it else passes in nanoseconds, and what
// hangs, crashes or is told late then does so in minutes instead of once a year in production.
//
//     RATION_STALL_EVERY  a thread stalls at one of so many calls, 200 unless set, but not all the time
//     RATION_STALL_MS     the longest stall, 50 unless set; half of them are fifty times shorter
//
// Servers and child processes that the test starts stall too. Nothing here allocates: a server's allocator takes locks.

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

constexpr std::int64_t millisecond = 1'000'000;
constexpr std::int64_t second = 1000 * millisecond;

std::int64_t setting(char const* name, std::int64_t otherwise) noexcept
{
    char const* const text = std::getenv(name);
    auto const value = text == nullptr ? 0 : std::atoll(text);
    return value > 0 ? value : otherwise;
}

thread_local std::uint64_t random_state = 0;
thread_local std::int64_t runs_until = 0;

std::int64_t now() noexcept
{
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * second + time.tv_nsec;
}

/// Below `limit`. xorshift64, seeded by the time: how threads interleave cannot be repeated anyway.
std::int64_t random_below(std::int64_t limit) noexcept
{
    if (random_state == 0) random_state = static_cast<std::uint64_t>(now()) * 0x9e3779b97f4a7c15U + 1;
    random_state ^= random_state << 13U;
    random_state ^= random_state >> 7U;
    random_state ^= random_state << 17U;
    return static_cast<std::int64_t>(random_state % static_cast<std::uint64_t>(limit));
}

void stall_now_and_then() noexcept
{
    static std::int64_t const one_of = setting("RATION_STALL_EVERY", 200);
    static std::int64_t const longest = setting("RATION_STALL_MS", 50) * millisecond;
    if (random_below(one_of) != 0 || now() < runs_until) return;
    int const error = errno;
    auto const span = random_below(random_below(2) == 0 ? longest : longest / 50);
    timespec const rest{span / second, span % second};
    ::clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, nullptr);
    runs_until = now() + span / 2;  // who calls often gets on, too
    errno = error;
}

/// The function of that name that would have been called without us.
template <class Function>
class Real {
public:
    constexpr explicit Real(char const* name) : name_{name} {}

    template <class... Arguments>
    auto operator()(Arguments... arguments) noexcept
    {
        auto* function = function_.load(std::memory_order_relaxed);
        if (function == nullptr) {
            function = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name_));
            function_.store(function, std::memory_order_relaxed);
        }
        return function(arguments...);
    }

private:
    char const* name_;
    std::atomic<Function*> function_{nullptr};
};

template <class Function, class... Arguments>
auto between_stalls(Real<Function>& real, Arguments... arguments) noexcept
{
    stall_now_and_then();
    auto const result = real(arguments...);
    stall_now_and_then();
    return result;
}

constinit Real<int(pthread_mutex_t*)> real_lock{"pthread_mutex_lock"};
constinit Real<int(pthread_mutex_t*)> real_unlock{"pthread_mutex_unlock"};
constinit Real<int(int, epoll_event*, int, int)> real_epoll_wait{"epoll_wait"};
constinit Real<ssize_t(int, msghdr const*, int)> real_sendmsg{"sendmsg"};
constinit Real<ssize_t(int, msghdr*, int)> real_recvmsg{"recvmsg"};
constinit Real<ssize_t(int, void const*, std::size_t, int)> real_send{"send"};
constinit Real<ssize_t(int, void*, std::size_t, int)> real_recv{"recv"};
constinit Real<ssize_t(int, void const*, std::size_t)> real_write{"write"};

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept
{
    return between_stalls(real_lock, mutex);
}
int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept
{
    return between_stalls(real_unlock, mutex);
}

int epoll_wait(int epoll, epoll_event* events, int count, int timeout)
{
    return between_stalls(real_epoll_wait, epoll, events, count, timeout);
}
ssize_t sendmsg(int socket, msghdr const* message, int flags)
{
    return between_stalls(real_sendmsg, socket, message, flags);
}
ssize_t recvmsg(int socket, msghdr* message, int flags)
{
    return between_stalls(real_recvmsg, socket, message, flags);
}
ssize_t send(int socket, void const* data, std::size_t size, int flags)
{
    return between_stalls(real_send, socket, data, size, flags);
}
ssize_t recv(int socket, void* data, std::size_t size, int flags)
{
    return between_stalls(real_recv, socket, data, size, flags);
}
ssize_t write(int file, void const* data, std::size_t size)
{
    return between_stalls(real_write, file, data, size);
}

}  // extern "C"
#pragma GCC visibility pop
