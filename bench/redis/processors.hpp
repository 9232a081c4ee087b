#pragma once

#include <sched.h>
#include <sys/resource.h>

#include <stdexcept>

namespace ration::bench {

/// The server gets one processor and the client another: left to the scheduler, a round trip varies fourfold.
struct Processors {
    unsigned server;
    unsigned client;
};

/// The first two of those this process may use.
inline Processors choose_processors()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    if (CPU_COUNT(&allowed) < 2) throw std::runtime_error{"this needs two processors"};
    unsigned first = 0;
    while (!CPU_ISSET(first, &allowed)) ++first;
    unsigned second = first + 1;
    while (!CPU_ISSET(second, &allowed)) ++second;
    return {first, second};
}

/// For this thread, and the threads and processes it starts from now on.
inline void pin_to(unsigned processor)
{
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(processor, &only);
    if (sched_setaffinity(0, sizeof only, &only) != 0) throw std::runtime_error{"cannot choose a processor"};
}

/// What this process has used so far, all threads together. Unlike the time on the clock it leaves out the neighbours.
inline double processor_seconds()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    auto const seconds = [](timeval const& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace ration::bench
