#pragma once

#include <ration/rate.hpp>
#include <ration/types.hpp>

#include <optional>

namespace ration {

/// What goes with a rate when it is set.
struct RateOptions {
    RateType type = RateType::overall;
    Duration
        keep_alive{};  ///< the limiter vanishes when unused for this long; zero: never; else >= the interval
};

/// What is stored for a limiter.
struct LimiterConfig {
    Rate rate = Rate::per_second(1);
    RateType type = RateType::overall;
    Algorithm algorithm = Algorithm::sliding_log;
    Duration keep_alive{};

    friend bool operator==(LimiterConfig const&, LimiterConfig const&) = default;
};

/// What `ensure_rate` found.
enum class EnsureResult : std::uint8_t {
    created,    ///< there was no rate
    unchanged,  ///< it was the same; nothing was touched
    changed,    ///< it was another; replaced, and grants are forgotten
};

/// Which generation of Redisson's log to write in Redis. Reading understands them all.
enum class RedissonFormat : std::uint8_t {
    current,  ///< Redisson >= 3.17.0
    v3_16_4,  ///< 3.16.4 to 3.16.8
    v3_13_3,  ///< 3.13.3 to 3.16.3
};

/// What answers when the store cannot (it is down, too slow, or an answer got lost).
enum class OnStoreFailure : std::uint8_t {
    error,  ///< the call fails
    allow,  ///< granted unseen: the limit is off while the store is
    deny,   ///< denied unseen
    local,  ///< a local limiter of the last known rate divided by `local_share`
};

/// How one process uses a limiter; nothing of it is stored, but for the algorithm when a rate is set.
struct LimiterOptions {
    /// Empty: follow what is stored; a new limiter is a sliding_log, with a calendar rate a calendar_window,
    /// with a burst a token_bucket. Given and different from what is stored: config_conflict, except in
    /// set_rate and ensure_rate, which replace it.
    std::optional<Algorithm> algorithm{};

    // For Redis. The embedded store cannot fail, and ignores them.
    RedissonFormat redisson_format = RedissonFormat::current;
    OnStoreFailure on_store_failure = OnStoreFailure::error;
    Permits local_share = 1;  ///< how many processes share the limit; for OnStoreFailure::local

    /// Bounds the memory of a sliding_log: grants within this span of an entry's first grant share one entry
    /// and free up together, `interval` after the last of them. Zero: exact. At most one hour.
    Duration log_resolution{};

    friend bool operator==(LimiterOptions const&, LimiterOptions const&) = default;
};

/// What a keyed limiter is made of. The rate lives in code; only the state of each key is stored.
struct KeyedOptions {
    Rate rate;
    Algorithm algorithm = Algorithm::token_bucket;

    /// More keys in use than this, and a new key fails with too_many_keys: a key in use is never dropped, or
    /// its limit would be forgotten. Idle keys are dropped on their own and do not count for long. In Redis there is
    /// no such bound: keys expire by themselves.
    std::size_t max_keys = 100'000'000;

    // For Redis. The embedded store cannot fail, and ignores them.
    OnStoreFailure on_store_failure = OnStoreFailure::error;
    Permits local_share = 1;

    friend bool operator==(KeyedOptions const&, KeyedOptions const&) = default;
};

}  // namespace ration
