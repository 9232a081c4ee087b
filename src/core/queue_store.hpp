#pragma once

// What a store offers for delay queues. It knows no waiting: it hands out what is due, and says when to ask again.

#include "core/hash_store.hpp"
#include "core/result.hpp"

#include <ration/queue_options.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ration::core {

/// After a span, or at a moment of the store's clock on the wall.
using Due = std::variant<Duration, Time>;

struct Taken {
    std::vector<Item> items{};
    std::optional<Duration>
        next_in{};  ///< until the next one is due, zero if one is; none: the queue is empty
};

/// One queue as one client sees it.
class QueueStore {
public:
    virtual ~QueueStore() = default;

    /// Replies the new item's id.
    virtual void offer(std::string value, Due due, Reply<std::string> reply) = 0;

    /// Hands out up to `count` items that are due, in order of their time, in one atomic step. With Acknowledge::manual
    /// they are leased.
    virtual void take(std::size_t count, Reply<Taken> reply) = 0;

    virtual void ack(std::string id, Reply<bool> reply) = 0;
    virtual void cancel(std::string id, Reply<bool> reply) = 0;
    virtual void peek(Reply<std::optional<Item>> reply) = 0;
    virtual void size(Reply<std::size_t> reply) = 0;

    /// As HashStore::watch. An error ends whoever waits with it.
    virtual std::unique_ptr<Watch> watch(std::function<void(Result<Unit>)> look) = 0;
};

}  // namespace ration::core
