#pragma once

// A limiter's config as the fields of a hash: Redisson's for the two algorithms that it has, our own for the others
// (docs/redis-layout.md).

#include "core/store.hpp"
#include "redis/answers.hpp"

#include <string_view>

namespace ration::redis {

/// Whole milliseconds, never less: nothing vanishes before its time. What lasts a thousand years lasts for ever.
std::string millis_up(Duration span);

std::optional<Algorithm> algorithm_named(std::string_view name);

/// Kept in a layout of our own and in microseconds, not in Redisson's and in milliseconds.
bool is_own_layout(Algorithm algorithm);

/// "unit every zone": which calendar a rate goes by. Requires: rate.is_calendar().
std::string calendar_text(Rate const& rate);

/// Its rate, from the words of that text. Throws Error for what is no calendar.
Rate calendar_rate(Permits permits, std::string_view unit, std::string_view every, std::string_view zone);

/// Fields and values in turn, as HGETALL has them. `assumed`: the algorithm where the fields do not say.
core::Result<LimiterConfig> decode_config(Values fields, std::optional<Algorithm> assumed);

/// The arguments of configure.lua that say what is wanted: from the algorithm to keep_alive.
std::vector<std::string> config_arguments(core::WantedConfig const& wanted);

/// What cannot be kept in Redis exactly, if anything: the sentence that says so.
std::optional<std::string> inexact_in_redis(core::WantedConfig const& wanted);
std::optional<std::string> inexact_in_redis(Algorithm algorithm, Rate const& rate);

}  // namespace ration::redis
