#pragma once

// What the scripts take and say, in the core's terms. Formats: the head comments in src/redis/lua.

#include "core/batch.hpp"
#include "redis/command.hpp"
#include "redis/status.hpp"

#include <ration/rate.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ration::redis {

/// The values of one reply, or of one key's part of it.
using Values = std::span<Value const>;

/// One text, as acquire packs what it decided, is ok.
Status status_of(Values values);

/// The text at `index`, or an empty one.
std::string text_at(Values values, std::size_t index);
std::int64_t integer_at(Values values, std::size_t index);

/// A batch as the scripts read it.
std::string packed(core::Batch const& batch);

/// The reply of acquire: if something was decided, it came as one text.
std::vector<Value> unpacked(std::vector<Value> reply);

/// What each request of the batch is told. Nothing if the script's reply does not add up to what it says was granted.
/// Requires: status_of(values) == ok.
std::optional<core::Answer> decode_answer(core::Batch const& batch, Values values);

/// The reply of keyed_acquire for one key, as acquire gives it for a limiter of that rate.
void unpack_keyed(std::string_view packed, Rate const& rate, std::vector<Value>& values);

/// The same for one request that took nothing.
core::Outcome decode_look(Permits n, Values values);

/// How many permits are free. Requires: the reply to a look, status ok.
Permits decode_available(Values values);

}  // namespace ration::redis
