#pragma once

// What a limiter looks like from outside: read from its keys by ordinary commands, without a script and without a trace.
// Pure: inspector.cpp fetches, this reckons. It reads whatever is there, Java's limiters and those of old versions too
// (docs/redis-layout.md).

#include <ration/limiter_options.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ration::redis {

/// Whose layout the data has, as far as it shows. Redisson's versions are the first that wrote it.
enum class Generation : std::uint8_t {
    ration,           ///< a layout of ration's own
    redisson,         ///< Redisson's, or ration's in the same bytes; no grant is there that would tell more
    redisson_2_12,    ///< up to 3.13.2: a counter
    redisson_3_13_3,  ///< up to 3.16.3: a log with members of 8 bytes
    redisson_3_16_4,  ///< up to 3.16.8: of 20
    redisson_3_17,    ///< up to 3.20.1: of 13
    redisson_3_21,    ///< until today, and what ration writes: of 21
    mixed,            ///< members of several
};

/// "redisson-3.21" and so on.
std::string_view to_string(Generation generation) noexcept;

/// A call that was granted something.
struct LogEntry {
    Time at{};
    Permits permits = 0;

    friend bool operator==(LogEntry const&, LogEntry const&) = default;
};

/// The keys of one state, as they were read.
struct RawState {
    struct Member {
        std::string bytes;
        double score_ms = 0;
    };

    std::optional<std::string> value{};  ///< sliding_log, fixed_window
    std::int64_t value_ttl_ms = -2;      ///< as PTTL says it
    std::optional<std::string> state{};  ///< token_bucket, calendar_window
    std::int64_t members = 0;            ///< in the log, expired ones included
    std::vector<Member> live{};          ///< those that have not expired, oldest first
    bool all_read = true;                ///< `live` has all of them; they may be too many
};

struct StateSight {
    Permits available = 0;
    Permits in_use = 0;
    Duration next_permit{};  ///< until one is free; zero if one is
    Duration reset{};        ///< until all are free
    bool exact =
        true;  ///< false: the log is too long to read; a few that have expired may still count as in use
    std::vector<LogEntry> log{};  ///< a sliding_log's grants of this window, oldest first
};

/// Requires: config.algorithm is what the state was kept by. Throws Error (incompatible_data) for what is none.
StateSight see_state(LimiterConfig const& config, RawState const& raw, Time now);

/// The generation that the members of a log show; nothing if there are none.
std::optional<Generation> generation_of(std::vector<RawState::Member> const& members);

/// Redisson's hash does not say it: up to 3.13.2 it counts in a fixed window, whose key has a time to live although the
/// limiter has none.
bool looks_like_counter(RawState const& raw, std::optional<Duration> limiter_ttl);

}  // namespace ration::redis
