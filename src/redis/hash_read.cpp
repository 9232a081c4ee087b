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

std::vector<std::vector<std::string>> read_steps(bool natively, std::vector<std::string> const& keys,
                                                 std::vector<std::string> const& fields)
{
    std::vector<std::vector<std::string>> steps;
    steps.reserve(3);
    if (natively) {
        steps.push_back({"STRLEN", keys[1]});
    } else {
        steps.push_back({"ZRANGE", keys[1], "0", "0", "WITHSCORES"});
        steps.push_back({"TIME"});
    }
    auto& read = steps.emplace_back();
    read.reserve(2 + fields.size());
    read.insert(read.end(), {"HMGET", keys[0]});
    read.insert(read.end(), fields.begin(), fields.end());
    return steps;
}

std::optional<FoundFields> decode_read(bool natively, std::size_t count, std::vector<Value>& values)
{
    // OK, QUEUED, QUEUED, length, values; or OK, QUEUED, QUEUED, QUEUED, [field, moment,] seconds, microseconds, values
    std::size_t const before = natively ? 4 : 6;
    if (values.size() < before + count) return std::nullopt;
    auto const first = values.size() - count;
    if (!natively && first > before) {
        auto const moment_ms = number_in<double>(values[first - 3].text);
        auto const now_ms = number_in<std::int64_t>(values[first - 2].text) * 1000
                            + number_in<std::int64_t>(values[first - 1].text) / 1000;
        if (moment_ms <= static_cast<double>(now_ms)) return std::nullopt;
    }
    FoundFields found;
    found.reserve(count);
    for (auto i = first; i < values.size(); ++i) {
        bool const is_there = values[i].kind == Value::Kind::text;
        found.push_back(is_there ? std::optional{std::move(values[i].text)} : std::nullopt);
    }
    return found;
}

}  // namespace ration::redis
