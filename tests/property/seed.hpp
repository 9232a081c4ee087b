#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace ration::testing {

/// What a property test draws from. Fixed, so that every run tests the same; RATION_SEED=n tries another
/// walk. A failure must print it: SCOPED_TRACE(seed_text()).
inline std::uint64_t seed()
{
    char const* const text = std::getenv("RATION_SEED");
    return text != nullptr ? std::strtoull(text, nullptr, 10) : 20240229;
}

inline std::string seed_text()
{
    return "RATION_SEED=" + std::to_string(seed());
}

/// How many random things to try: fewer where a sanitizer makes each of them dear, and watches memory rather than answers.
constexpr int often(int count)
{
#if defined(__SANITIZE_ADDRESS__)
    return count / 4;
#else
    return count;
#endif
}

class Random {
public:
    explicit Random(std::uint64_t from = seed()) : engine_{from} {}

    /// From `low` to `high`, both included.
    template <class Integer>
    Integer between(Integer low, Integer high)
    {
        return static_cast<Integer>(std::uniform_int_distribution<std::int64_t>{
            static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)}(engine_));
    }

    /// From 1 to `most`, every magnitude as likely as any other: small ones come up, large ones too.
    std::int64_t magnitude(std::int64_t most)
    {
        std::int64_t bound = 1;
        for (auto doublings = between(0, 62); doublings > 0 && bound < most; --doublings) bound = bound * 2;
        return between<std::int64_t>(1, bound < most ? bound : most);
    }

    template <class Container>
    auto const& pick(Container const& from)
    {
        return from[between<std::size_t>(0, std::size(from) - 1)];
    }

    bool one_in(int n) { return between(1, n) == 1; }

private:
    std::mt19937_64 engine_;
};

}  // namespace ration::testing
