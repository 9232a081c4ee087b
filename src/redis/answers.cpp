#include "redis/answers.hpp"

#include "core/token_bucket.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ration::redis {

namespace {

using core::Answer;
using core::Batch;
using core::Outcome;

// Where the values stand. A token bucket says what is missing instead of what is free, and its parts.
constexpr std::size_t kind_at = 1, capacity_at = 2, free_at = 3, reset_at = 4, granted_reset_at = 5,
                      granted_at = 6, retries_at = 7;
constexpr std::size_t missing_at = 3, parts_at = 4, ahead_at = 5, permits_at = 7, interval_at = 8;
constexpr std::int64_t token_bucket_kind = 4;

Outcome exceeds(Permits capacity)
{
    return {Errc::permits_exceed_rate, {.remaining = capacity}, {}};
}

/// Works out decision by decision what the script has decided as a whole, for the three algorithms that free permits in
/// lumps.
class LumpReplay {
public:
    explicit LumpReplay(Values values)
        : values_{values}, capacity_{integer_at(values, capacity_at)}, free_{integer_at(values, free_at)}
    {}

    Outcome decide(Permits n)
    {
        if (n > capacity_) return exceeds(capacity_);
        Duration const reset{integer_at(values_, granted_ > 0 ? granted_reset_at : reset_at)};
        if (n > free_) return {{}, {false, std::max<Permits>(free_, 0), retry_after(n), reset}, {}};
        free_ -= n;
        granted_ += n;
        return {{}, {true, free_, {}, Duration{integer_at(values_, granted_reset_at)}}, {}};
    }

    Permits granted() const { return granted_; }

private:
    // Neighbours that ask the same of the same state share one time.
    Duration retry_after(Permits n)
    {
        if (n != last_n_ || granted_ != last_granted_) ++retries_;
        last_n_ = n;
        last_granted_ = granted_;
        return Duration{integer_at(values_, retries_at + retries_ - 1)};
    }

    Values values_;
    Permits capacity_;
    Permits free_;
    Permits granted_ = 0;
    std::size_t retries_ = 0;
    Permits last_n_ = 0;
    Permits last_granted_ = -1;
};

/// The same for a token bucket: its own code says, from the state the script found.
class BucketReplay {
public:
    explicit BucketReplay(Values values)
        : capacity_{integer_at(values, capacity_at)},
          params_{Rate::per(integer_at(values, permits_at), Duration{integer_at(values, interval_at)})
                      .with_burst(capacity_)},
          cell_{now_ + Duration{integer_at(values, ahead_at)}, integer_at(values, missing_at),
                integer_at(values, parts_at)}
    {}

    Outcome decide(Permits n)
    {
        if (n > capacity_) return exceeds(capacity_);
        Decision const decision = cell_.take(params_, now_, n);
        if (decision.granted) granted_ += n;
        return {{}, decision, {}};
    }

    Permits granted() const { return granted_; }

private:
    Time const now_{Duration{1}};  // any; only differences count
    Permits capacity_;
    core::TokenBucketParams params_;
    core::TokenBucketCell cell_;
    Permits granted_ = 0;
};

template <class Replay>
std::optional<Answer> replayed(Batch const& batch, Values values)
{
    Replay replay{values};
    Answer answer{core::evaluate(batch, [&](Permits n) { return replay.decide(n); }),
                  integer_at(values, capacity_at)};
    if (replay.granted() != integer_at(values, granted_at)) return std::nullopt;
    return answer;
}

bool is_bucket(Values values)
{
    return integer_at(values, kind_at) == token_bucket_kind;
}

void unpack(std::string_view packed, std::vector<Value>& values)
{
    auto const number = [&values](std::int64_t value) {
        values.push_back({Value::Kind::integer, value, {}});
    };
    values.clear();
    if (packed.empty()) return;
    auto const status = Status{static_cast<unsigned char>(packed.front())};
    packed.remove_prefix(1);
    number(static_cast<std::int64_t>(status));
    if (status == Status::incompatible || status == Status::failed) {
        values.push_back({Value::Kind::text, 0, std::string{packed}});
        return;
    }
    for (; packed.size() >= sizeof(double); packed.remove_prefix(sizeof(double))) {
        double value{};
        std::memcpy(&value, packed.data(), sizeof value);
        number(static_cast<std::int64_t>(value));
    }
}

}  // namespace

Status status_of(Values values)
{
    return values.empty() ? Status::incompatible : Status{values[0].integer};
}

std::string text_at(Values values, std::size_t index)
{
    return index < values.size() ? values[index].text : std::string{};
}

std::int64_t integer_at(Values values, std::size_t index)
{
    return index < values.size() ? values[index].integer : 0;
}

std::string packed(Batch const& batch)
{
    constexpr std::size_t run_size = sizeof(double) + sizeof(std::uint32_t) + 1;
    static_assert(std::endian::native == std::endian::little, "the scripts read little-endian");
    std::string text(1 + batch.runs.size() * run_size, batch.head_blocks ? '1' : '0');
    char* at = text.data() + 1;
    for (core::Run const& run : batch.runs) {
        // Exact up to 2^53, and what is above any rate stays so.
        auto const n = static_cast<double>(run.n);
        std::memcpy(at, &n, sizeof n);
        std::memcpy(at + sizeof n, &run.count, sizeof run.count);
        at[run_size - 1] = run.patient ? '\1' : '\0';
        at += run_size;
    }
    return text;
}

std::optional<Answer> decode_answer(Batch const& batch, Values values)
{
    return is_bucket(values) ? replayed<BucketReplay>(batch, values) : replayed<LumpReplay>(batch, values);
}

std::vector<Value> unpacked(std::vector<Value> reply)
{
    if (reply.size() != 1 || reply.front().kind != Value::Kind::text) return reply;
    std::vector<Value> values;
    unpack(reply.front().text, values);
    return values;
}

void unpack_keyed(std::string_view packed, Rate const& rate, std::vector<Value>& values)
{
    unpack(packed, values);
    if (!is_bucket(values)) return;
    values.push_back({Value::Kind::integer, rate.permits(), {}});
    values.push_back({Value::Kind::integer, rate.interval().count(), {}});
}

Outcome decode_look(Permits n, Values values)
{
    if (is_bucket(values)) return BucketReplay{values}.decide(n);
    return LumpReplay{values}.decide(n);
}

Permits decode_available(Values values)
{
    Permits const free = is_bucket(values) ? integer_at(values, capacity_at) - integer_at(values, missing_at)
                                           : integer_at(values, free_at);
    return std::max<Permits>(free, 0);
}

}  // namespace ration::redis
