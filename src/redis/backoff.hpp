#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>

namespace ration::redis {

/// How long to wait before the next attempt to connect: any span up to a bound that doubles. Clients that
/// lost the same server at the same moment so come back spread out.
class Backoff {
public:
    using Span = std::chrono::microseconds;
    static constexpr Span first{20'000};
    static constexpr Span most{500'000};  // a server that is back is found within a second

    explicit Backoff(std::uint32_t seed) : random_{seed} {}

    Span next()
    {
        std::uniform_int_distribution<Span::rep> any{0, bound_.count()};
        bound_ = std::min(2 * bound_, most);
        return Span{any(random_)};
    }

    void reset() { bound_ = first; }

private:
    Span bound_ = first;
    std::minstd_rand random_;
};

}  // namespace ration::redis
