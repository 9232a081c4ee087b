#include "redis/reply_reader.hpp"

#include <charconv>

namespace ration::redis {
namespace {

using boost::redis::any_adapter;
using boost::redis::resp3::node_view;
using boost::redis::resp3::type;

Value integer_of(std::string_view digits)
{
    Value value{Value::Kind::integer, 0, {}};
    std::from_chars(digits.data(), digits.data() + digits.size(), value.integer);
    return value;
}

}  // namespace

void add(RawReply& reply, node_view const& node)
{
    switch (node.data_type) {
    case type::array:
    case type::set:
    case type::map:
    case type::push:
    case type::attribute:
        if (node.depth == 0) reply.values.reserve(node.aggregate_size);
        return;
    case type::simple_error:
    case type::blob_error:
        if (!reply.error) reply.error.emplace(node.value);
        return;
    case type::number: reply.values.push_back(integer_of(node.value)); return;
    case type::boolean: reply.values.push_back({Value::Kind::integer, node.value == "t" ? 1 : 0, {}}); return;
    case type::null: reply.values.emplace_back(); return;
    case type::simple_string:
    case type::blob_string:
    case type::verbatim_string:
    case type::doublean:
    case type::big_number:
    case type::streamed_string:
    case type::streamed_string_part:
    case type::invalid: reply.values.push_back({Value::Kind::text, 0, std::string{node.value}}); return;
    }
}

any_adapter read_into(RawReply& reply)
{
    return any_adapter{any_adapter::impl_t{
        [&reply](any_adapter::parse_event event, node_view const& node, boost::system::error_code&) {
            if (event == any_adapter::parse_event::node) add(reply, node);
        }}};
}

}  // namespace ration::redis
