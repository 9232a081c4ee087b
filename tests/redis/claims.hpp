#pragma once

#include <ration/rate.hpp>

#include <algorithm>
#include <chrono>
#include <vector>

namespace ration::redis_test {

/// A grant as its receiver saw it: made between these moments. Survives what a server does not.
struct Claim {
    std::chrono::steady_clock::time_point before;
    std::chrono::steady_clock::time_point after;
    Permits permits = 0;
};

/// The most that was granted, beyond doubt, in any span shorter than the interval.
inline Permits most_in_an_interval(std::vector<Claim> claims, Rate const& rate)
{
    using std::chrono::milliseconds;
    std::sort(claims.begin(), claims.end(), [](auto const& a, auto const& b) { return a.before < b.before; });
    Permits most = 0;
    for (auto first = claims.begin(); first != claims.end(); ++first) {
        auto const end = first->before + rate.interval() - milliseconds{1};  // the server counts whole ones
        Permits sum = 0;
        for (auto each = first; each != claims.end() && each->before < end; ++each) {
            if (each->after < end) sum += each->permits;
        }
        most = std::max(most, sum);
    }
    return most;
}

}  // namespace ration::redis_test
