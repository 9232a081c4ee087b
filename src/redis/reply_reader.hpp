#pragma once

#include "redis/command.hpp"

#include <boost/redis/adapter/any_adapter.hpp>
#include <boost/redis/resp3/node.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ration::redis {

/// A reply as it is read from the wire.
struct RawReply {
    std::vector<Value> values{};
    std::optional<std::string> error{};  ///< the first error in it
};

/// Adds one node of a reply.
void add(RawReply& reply, boost::redis::resp3::node_view const& node);

/// Lets Boost.Redis read straight into `reply`, which must outlive the request. An error in the reply is
/// content, not a failure of the request.
boost::redis::any_adapter read_into(RawReply& reply);

}  // namespace ration::redis
