#pragma once

#include <time.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ration::bench {

/// How long single operations took: on the clock, and on the processor. The second leaves out the time in which
/// a busy machine ran something else, but also waiting for a lock.
class Latencies {
public:
    /// Room for so many, touched beforehand: a page fault of ours would look like a slow operation.
    explicit Latencies(std::size_t capacity) : elapsed_(capacity), busy_(capacity) {}

    template <class Operation>
    void time(Operation operation)
    {
        std::int64_t const busy_begin = read(CLOCK_THREAD_CPUTIME_ID);
        std::int64_t const begin = read(CLOCK_MONOTONIC);
        operation();
        std::int64_t const end = read(CLOCK_MONOTONIC);
        std::int64_t const busy_end = read(CLOCK_THREAD_CPUTIME_ID);
        if (count_ == elapsed_.size()) return;
        elapsed_[count_] = static_cast<std::uint32_t>(end - begin);
        busy_[count_++] = static_cast<std::uint32_t>(busy_end - busy_begin);
    }

    /// p50, p99, p99.9, p99.99 and max, as two lines. Sorts.
    void print(std::string const& what);

    static void print_heading();

private:
    static std::int64_t read(clockid_t clock)
    {
        timespec reading{};
        clock_gettime(clock, &reading);
        return reading.tv_sec * 1'000'000'000 + reading.tv_nsec;
    }

    std::vector<std::uint32_t> elapsed_;
    std::vector<std::uint32_t> busy_;
    std::size_t count_ = 0;
};

}  // namespace ration::bench
