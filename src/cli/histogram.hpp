#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace ration::cli {

/// How long things took: counted in steps of a sixteenth of a power of two, so that any percentile is right to about 6 %.
class Histogram {
public:
    using Span = std::chrono::nanoseconds;

    static constexpr std::size_t steps = 16;  // per power of two
    static constexpr std::size_t buckets = 48 * steps;

    void add(Span span)
    {
        auto const value = static_cast<std::uint64_t>(span.count() < 0 ? 0 : span.count());
        ++counts_[bucket_of(value)];
        ++count_;
        if (span > max_) max_ = span;
    }

    void add(Histogram const& other)
    {
        for (std::size_t i = 0; i < buckets; ++i) counts_[i] += other.counts_[i];
        count_ += other.count_;
        if (other.max_ > max_) max_ = other.max_;
    }

    std::uint64_t count() const { return count_; }
    Span max() const { return max_; }

    /// What `part` of all (0 to 1) did not exceed.
    Span percentile(double part) const
    {
        auto left = static_cast<std::uint64_t>(part * static_cast<double>(count_));
        for (std::size_t i = 0; i < buckets; ++i) {
            if (counts_[i] > left) return std::min(end_of(i), max_);
            left -= counts_[i];
        }
        return max_;
    }

    std::uint64_t count_in(std::size_t bucket) const { return counts_[bucket]; }

    /// The first span that a bucket does not hold any more.
    static Span end_of(std::size_t bucket)
    {
        if (bucket < steps) return Span{static_cast<std::int64_t>(bucket + 1)};
        auto const power = bucket / steps - 1;
        return Span{static_cast<std::int64_t>((bucket % steps + steps + 1) << power)};
    }

private:
    static std::size_t bucket_of(std::uint64_t value)
    {
        if (value < steps) return value;
        auto const power =
            static_cast<std::size_t>(std::bit_width(value)) - 5;  // so that 16 <= value >> power < 32
        auto const bucket = (power + 1) * steps + ((value >> power) - steps);
        return bucket < buckets ? bucket : buckets - 1;
    }

    std::array<std::uint64_t, buckets> counts_{};
    std::uint64_t count_ = 0;
    Span max_{};
};

}  // namespace ration::cli
