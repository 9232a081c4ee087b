#include "latency.hpp"

#include <algorithm>
#include <cstdio>

namespace ration::bench {

void Latencies::print_heading()
{
    std::printf("\n%-46s %9s %9s %9s %9s %9s  (us)\n", "one operation at a time", "p50", "p99", "p99.9",
                "p99.99", "max");
}

void Latencies::print(std::string const& what)
{
    if (count_ == 0) return;
    for (auto* nanoseconds : {&elapsed_, &busy_}) {
        auto const end = nanoseconds->begin() + static_cast<std::ptrdiff_t>(count_);
        std::sort(nanoseconds->begin(), end);
        std::printf("%-46s", nanoseconds == &elapsed_ ? what.c_str() : "  on the processor");
        for (double const part : {0.5, 0.99, 0.999, 0.9999, 1.0}) {
            auto const rank = static_cast<std::size_t>(part * static_cast<double>(count_));
            std::printf(" %9.2f", (*nanoseconds)[std::min(rank, count_ - 1)] / 1e3);
        }
        std::printf("\n");
    }
}

}  // namespace ration::bench
