#pragma once

#include "redis/reply_reader.hpp"

#include <boost/redis/resp3/node.hpp>
#include <boost/system/error_code.hpp>

#include <utility>
#include <vector>

namespace ration::redis {

/// What a server sent of its own accord, as Boost.Redis reads it.
struct Pushes {
    std::vector<RawReply> complete{};
    RawReply current{};
};

/// How Boost.Redis wants to be told where to put it.
class PushAdapter {
public:
    explicit PushAdapter(Pushes& pushes) : pushes_{&pushes} {}

    void on_init() {}
    void on_node(boost::redis::resp3::node_view const& node, boost::system::error_code&)
    {
        add(pushes_->current, node);
    }
    void on_done() { pushes_->complete.push_back(std::exchange(pushes_->current, {})); }

private:
    Pushes* pushes_;
};

inline PushAdapter boost_redis_adapt(Pushes& pushes)
{
    return PushAdapter{pushes};
}

}  // namespace ration::redis
