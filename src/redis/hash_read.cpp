#include "redis/hash_read.hpp"

#include <charconv>
#include <string_view>

namespace ration::redis {
namespace {

template <class Number>
Number number_in(std::string_view text)
{
    Number number{};
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

}  // namespace

std::vector<std::vector<std::string>> read_steps(ReadBy by, std::vector<std::string> const& keys,
                                                 std::vector<std::string> const& fields)
{
    auto const of_fields = [&](char const* command, std::string const& key) {
        std::vector<std::string> words;
        words.reserve(2 + fields.size());
        words.insert(words.end(), {command, key});
        words.insert(words.end(), fields.begin(), fields.end());
        return words;
    };
    std::vector<std::vector<std::string>> steps;
    steps.reserve(4);
    if (by == ReadBy::server) {
        steps.push_back({"STRLEN", keys[1]});
    } else {
        steps.push_back({"ZRANGE", keys[1], "0", "0", "WITHSCORES"});
        steps.push_back({"TIME"});
        if (by == ReadBy::all_moments) steps.push_back(of_fields("ZMSCORE", keys[1]));
    }
    steps.push_back(of_fields("HMGET", keys[0]));
    return steps;
}

std::optional<ReadFields> decode_read(ReadBy by, std::size_t count, std::vector<Value>& values)
{
    // server:        OK, QUEUED twice, length, values
    // first_moment:  OK, QUEUED three times, [field, moment,] seconds, microseconds, values
    // all_moments:   OK, QUEUED four times, [field, moment,] seconds, microseconds, moments, values
    bool const with_moments = by == ReadBy::all_moments;
    std::size_t const before = by == ReadBy::server ? 4 : with_moments ? 7 : 6;
    std::size_t const least = before + (with_moments ? 2 : 1) * count;
    bool const has_first = by != ReadBy::server && values.size() == least + 2;
    if (values.size() != least && !has_first) return std::nullopt;
    auto const first_value = values.size() - count;
    auto const first_moment = with_moments ? first_value - count : first_value;

    double now_ms = 0;
    ReadFields read;
    if (has_first) {
        auto const now_us = number_in<std::int64_t>(values[first_moment - 2].text) * 1'000'000
                            + number_in<std::int64_t>(values[first_moment - 1].text);
        auto const whole_ms = now_us / 1000;
        now_ms = static_cast<double>(whole_ms);
        read.some_expired = number_in<double>(values[first_moment - 3].text) <= now_ms;
        if (read.some_expired && !with_moments) return read;
    }
    auto& found = read.found.emplace();
    found.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        auto& value = values[first_value + i];
        bool is_there = value.kind == Value::Kind::text;
        if (read.some_expired) {
            auto const& moment = values[first_moment + i];
            if (moment.kind == Value::Kind::text && number_in<double>(moment.text) <= now_ms)
                is_there = false;
        }
        found.push_back(is_there ? std::optional{std::move(value.text)} : std::nullopt);
    }
    return read;
}

}  // namespace ration::redis
