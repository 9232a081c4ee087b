#include "redis/sight.hpp"

#include "core/quote.hpp"
#include "core/token_bucket.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace ration::redis {

namespace {

using std::chrono::milliseconds;

[[noreturn]] void reject(std::string const& why)
{
    throw Error{Errc::incompatible_data, why};
}

/// Numbers with single blanks between them, all of the text.
template <std::size_t Count>
std::optional<std::array<std::int64_t, Count>> numbers(std::string_view text)
{
    std::array<std::int64_t, Count> values{};
    for (std::size_t i = 0; i < Count; ++i) {
        if (i > 0) {
            if (!text.starts_with(' ')) return std::nullopt;
            text.remove_prefix(1);
        }
        auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), values[i]);
        if (error != std::errc{}) return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    if (!text.empty()) return std::nullopt;
    return values;
}

std::optional<Permits> free_in_value(RawState const& raw)
{
    if (!raw.value) return std::nullopt;
    auto const number = numbers<1>(*raw.value);
    if (!number) reject("its value is " + core::quoted(*raw.value) + ", not a number of permits");
    return number->front();
}

/// Permits are the last four bytes of a member, in every generation.
Permits permits_of(std::string const& member)
{
    auto const size = member.size();
    if (size != 8 && size != 13 && size != 20 && size != 21)
        reject("its log has a member that no version of Redisson writes");
    std::uint32_t permits = 0;
    std::memcpy(&permits, member.data() + size - sizeof permits, sizeof permits);
    return permits;
}

Duration positive(Duration span)
{
    return std::max(span, Duration{});
}

StateSight see_log(Rate const& rate, RawState const& raw, Time now)
{
    StateSight sight;
    for (auto const& member : raw.live) {
        Duration const at{std::llround(member.score_ms * 1000)};
        sight.log.push_back({Time{at}, permits_of(member.bytes)});
        sight.in_use += sight.log.back().permits;
    }
    auto const value = free_in_value(raw);
    Permits lost = 0;  // in use since nobody knows when: the next call writes them down as granted then
    if (!raw.all_read) {
        sight.exact = false;
        sight.in_use = std::max(sight.in_use, rate.permits() - value.value_or(0));
    } else if (raw.members == 0 && value && *value < rate.permits()) {
        lost = rate.permits() - *value;
        sight.in_use = lost;
    }
    Permits free = rate.permits() - sight.in_use;
    sight.available = std::max<Permits>(free, 0);
    for (auto const& entry : sight.log) {
        if (free > 0) break;
        free += entry.permits;
        sight.next_permit = positive(entry.at + rate.interval() - now);
    }
    if (free <= 0 && lost > 0) sight.next_permit = rate.interval();
    if (!sight.log.empty()) sight.reset = positive(sight.log.back().at + rate.interval() - now);
    if (lost > 0) sight.reset = rate.interval();
    return sight;
}

/// `left`: until all are free again, at once.
StateSight see_window(Permits rate, Permits used, Duration left)
{
    StateSight sight;
    if (used <= 0) {
        sight.available = rate;
        return sight;
    }
    sight.available = std::max<Permits>(rate - used, 0);
    sight.in_use = used;
    sight.reset = left;
    if (sight.available == 0) sight.next_permit = left;
    return sight;
}

StateSight see_fixed_window(Rate const& rate, RawState const& raw)
{
    auto const free = raw.value_ttl_ms == 0 ? std::nullopt : free_in_value(raw);
    Duration left = milliseconds{raw.value_ttl_ms};
    if (left < Duration{} || left > rate.interval()) left = rate.interval();
    return see_window(rate.permits(), rate.permits() - free.value_or(rate.permits()), left);
}

StateSight see_calendar_window(Rate const& rate, RawState const& raw, Time now)
{
    if (!raw.state) return see_window(rate.permits(), 0, {});
    auto const fields = numbers<2>(*raw.state);
    if (!fields) reject("its state is " + core::quoted(*raw.state) + ", not that of a calendar_window");
    Time const end{Duration{(*fields)[1]}};
    return see_window(rate.permits(), end > now ? (*fields)[0] : 0, positive(end - now));
}

/// Updated in µs, permits missing, parts that came back: three doubles, which are whole numbers.
std::array<std::int64_t, 3> bucket_numbers(std::string const& state)
{
    static_assert(std::endian::native == std::endian::little, "the scripts write little-endian");
    constexpr double exact = 9007199254740992.0;  // 2^53
    std::array<double, 3> doubles{};
    std::array<std::int64_t, 3> numbers{};
    bool good = state.size() == sizeof doubles;
    if (good) std::memcpy(doubles.data(), state.data(), sizeof doubles);
    for (std::size_t i = 0; good && i < doubles.size(); ++i) {
        good = doubles.at(i) >= 0 && doubles.at(i) <= exact && std::trunc(doubles.at(i)) == doubles.at(i);
        if (good) numbers.at(i) = static_cast<std::int64_t>(doubles.at(i));
    }
    if (!good) reject("its state, " + std::to_string(state.size()) + " bytes, is not that of a token_bucket");
    return numbers;
}

StateSight see_bucket(Rate const& rate, RawState const& raw, Time now)
{
    core::TokenBucketParams const params{rate};
    core::TokenBucketCell cell;
    if (raw.state) {
        auto const [updated, missing, parts] = bucket_numbers(*raw.state);
        cell = {Time{Duration{updated}}, missing, parts < params.whole ? parts : 0};
    }
    StateSight sight;
    sight.available = cell.available(params, now);
    sight.in_use = rate.capacity() - sight.available;
    sight.next_permit = cell.look(params, now, 1).retry_after;
    sight.reset = sight.in_use == 0 ? Duration{} : cell.look(params, now, rate.capacity()).retry_after;
    return sight;
}

}  // namespace

std::string_view to_string(Generation generation) noexcept
{
    switch (generation) {
    case Generation::ration: return "ration";
    case Generation::redisson: return "redisson";
    case Generation::redisson_2_12: return "redisson-2.12";
    case Generation::redisson_3_13_3: return "redisson-3.13.3";
    case Generation::redisson_3_16_4: return "redisson-3.16.4";
    case Generation::redisson_3_17: return "redisson-3.17";
    case Generation::redisson_3_21: return "redisson-3.21";
    case Generation::mixed: return "mixed";
    }
    return "unknown";
}

StateSight see_state(LimiterConfig const& config, RawState const& raw, Time now)
{
    switch (config.algorithm) {
    case Algorithm::sliding_log: return see_log(config.rate, raw, now);
    case Algorithm::fixed_window: return see_fixed_window(config.rate, raw);
    case Algorithm::calendar_window: return see_calendar_window(config.rate, raw, now);
    case Algorithm::token_bucket: break;
    }
    return see_bucket(config.rate, raw, now);
}

std::optional<Generation> generation_of(std::vector<RawState::Member> const& members)
{
    std::optional<Generation> seen;
    for (auto const& member : members) {
        Generation generation = Generation::redisson_3_21;
        if (member.bytes.size() == 8) generation = Generation::redisson_3_13_3;
        if (member.bytes.size() == 20) generation = Generation::redisson_3_16_4;
        if (member.bytes.size() == 13) generation = Generation::redisson_3_17;
        if (seen && *seen != generation) return Generation::mixed;
        seen = generation;
    }
    return seen;
}

bool looks_like_counter(RawState const& raw, std::optional<Duration> limiter_ttl)
{
    return raw.members == 0 && raw.value && raw.value_ttl_ms >= 0 && !limiter_ttl;
}

}  // namespace ration::redis
