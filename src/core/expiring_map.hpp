#pragma once

#include "core/hash_store.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ration::core {

/// Fields with values, some of which expire. Pure: time is an argument, and may go back.
///
/// A field with a moment is there before that moment and absent from it on, whether it has been removed or not. Ordered by
/// field, so that a walk over it can stop anywhere and go on later.
class ExpiringMap {
public:
    static constexpr Time never = Time::max();

    /// False: `if_absent`, and it is there.
    bool put(std::string_view field, std::string value, Time until, bool if_absent, Time now);

    std::string const* get(std::string_view field, Time now) const;

    /// When it expires, or never. Nothing: absent.
    std::optional<Time> until(std::string_view field, Time now) const;

    /// Gives a field that is there another moment. False: absent.
    bool set_until(std::string_view field, Time until, Time now);

    bool remove(std::string_view field, Time now);  ///< one that has expired is left for `sweep`
    void clear();

    /// Fields that are there. Costs what has expired and was not removed yet.
    std::size_t size(Time now) const;

    /// Up to `count` of the fields from `from` on that are there, in order.
    HashPage page(std::optional<std::string> const& from, std::size_t count, Time now) const;

    /// Removes up to `limit` fields that have expired, those first that expired first.
    std::vector<HashEntry> sweep(std::size_t limit, Time now);

    /// The earliest moment of all fields, removed or not; nothing if none has one.
    std::optional<Time> earliest() const;

    bool empty() const noexcept { return fields_.empty(); }

private:
    struct Content {
        std::string value;
        Time until = never;
    };
    using Fields = std::map<std::string, Content, std::less<>>;

    Fields::const_iterator find(std::string_view field, Time now) const;
    void reset_until(Fields::value_type& entry, Time until);

    Fields fields_;
    std::set<std::pair<Time, std::string_view>>
        moments_;  // of fields that expire; the texts are those of fields_
};

}  // namespace ration::core
