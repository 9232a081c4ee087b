#include "redis/support/resp_frame.hpp"

#include <charconv>
#include <cstdint>
#include <optional>

namespace ration::redis_test {

namespace {

struct Head {
    char kind = 0;
    std::int64_t number = 0;  ///< of bytes or elements; -1 is nil
    std::size_t size = 0;     ///< with its line end
};

std::optional<Head> head_of(std::string_view bytes)
{
    auto const end = bytes.find("\r\n");
    if (end == bytes.npos) return std::nullopt;
    Head head{.size = end + 2};
    if (end == 0) return head;
    head.kind = bytes.front();
    std::from_chars(bytes.data() + 1, bytes.data() + end, head.number);
    return head;
}

/// How many values follow the head.
std::int64_t elements_of(Head const& head)
{
    switch (head.kind) {
    case '*':
    case '~':
    case '>': return head.number;
    case '%': return head.number * 2;
    case '|': return head.number * 2 + 1;  // attributes, and the value that has them
    default: return 0;
    }
}

bool is_bulk(char kind)
{
    return kind == '$' || kind == '=' || kind == '!';
}

}  // namespace

std::size_t frame_size(std::string_view bytes)
{
    auto const head = head_of(bytes);
    if (!head) return 0;
    auto size = head->size;
    if (is_bulk(head->kind) && head->number >= 0) size += static_cast<std::size_t>(head->number) + 2;
    if (size > bytes.size()) return 0;
    for (auto left = elements_of(*head); left > 0; --left) {
        auto const element = frame_size(bytes.substr(size));
        if (element == 0) return 0;
        size += element;
    }
    return size;
}

bool is_push(std::string_view frame)
{
    return frame.starts_with('>');
}

std::string command_of(std::string_view request)
{
    auto const array = head_of(request);
    if (!array || array->kind != '*') return {};
    auto const name = head_of(request.substr(array->size));
    if (!name || name->kind != '$' || name->number < 0) return {};
    return std::string{request.substr(array->size + name->size, static_cast<std::size_t>(name->number))};
}

}  // namespace ration::redis_test
