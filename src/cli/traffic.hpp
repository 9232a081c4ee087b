#pragma once

// When requests come: made by a shape, or read from a file. Pure but for the file; the same seed makes the same traffic.

#include <ration/rate.hpp>
#include <ration/types.hpp>

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ration::cli {

enum class Shape : std::uint8_t {
    steady,  ///< one after the other, evenly
    bursty,  ///< crowds at random moments
    on_off,  ///< twice as many for a while, then none
    daily,   ///< few at night, most in the afternoon
};

std::optional<Shape> shape_named(std::string_view name);

struct Traffic {
    std::vector<Time> arrivals{};  ///< sorted
    Time begin{};
    Duration length{};
    std::string description{};  ///< e.g. "bursty, 15/s on average"
};

struct TrafficPlan {
    Shape shape = Shape::steady;
    double per_second = 1;  ///< on average
    Duration length{};
    Duration interval{};  ///< of the rate, which gives bursts and pauses their length
    double crowd = 1;     ///< how many come in a burst, on average
    std::uint64_t seed = 1;
};

/// More than this many are too many to look at.
constexpr std::size_t most_arrivals = 20'000'000;

/// Throws UsageError for too many.
Traffic make_traffic(TrafficPlan const& plan);

/// A moment per line: seconds with or without a fraction, from anywhere, or 2026-01-31T12:34:56.789Z. Blank lines and
/// those that begin with # are skipped. Throws UsageError with the line that is none.
Traffic read_traffic(std::istream& lines, std::string const& name);

}  // namespace ration::cli
