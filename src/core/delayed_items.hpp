#pragma once

#include "core/queue_store.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace ration::core {

/// The items of a delay queue, and who has leased them until when. Pure: time is an argument.
///
/// Items of the same moment come in the order in which they were offered. One whose lease has run out is due since then.
class DelayedItems {
public:
    std::string offer(std::string value, Time due);

    /// `lease`: for how long, or nothing: it is gone when taken.
    Taken take(std::size_t count, std::optional<Duration> lease, Time now);

    bool ack(std::string_view id, Time now);  ///< false: not leased
    bool cancel(std::string_view id, Time now);
    std::optional<Item> peek(Time now);
    std::size_t size(Time now);

    /// When the next item will be due or come back; nothing if there is none.
    std::optional<Time> earliest() const;

    bool empty() const noexcept { return values_.empty(); }

private:
    using Number = std::uint64_t;
    using Schedule = std::map<std::pair<Time, Number>, Number>;  // the second number is the item's

    struct Content {
        std::string value;
        Schedule::iterator place;  // in waiting_ or leased_
        bool is_leased = false;
    };

    std::unordered_map<Number, Content>::iterator find(std::string_view id);
    void return_unacked(Time now);

    std::unordered_map<Number, Content> values_;
    Schedule waiting_;
    Schedule leased_;  // by the end of the lease
    Number last_ = 0;
};

}  // namespace ration::core
