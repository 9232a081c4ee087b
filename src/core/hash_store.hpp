#pragma once

// What a store offers for hashes whose fields expire. As with limiters (core/store.hpp) it knows no waiting and no
// executor, and every call may reply inside the call or later.

#include "core/result.hpp"

#include <ration/hash_options.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ration::core {

struct HashEntry {
    std::string field;
    std::string value;

    friend bool operator==(HashEntry const&, HashEntry const&) = default;
};

struct HashPut {
    std::string field;
    std::string value;
    std::optional<Duration> ttl{};  ///< above zero; none: it stays
    bool if_absent = false;
};

/// What is known of one field.
struct FieldState {
    bool exists = false;
    std::optional<Duration> ttl{};
};

/// Some of the fields. Where a store could not tell where to go on it would have to block.
struct HashPage {
    std::vector<HashEntry> entries{};
    std::optional<std::string> next{};  ///< where the next page begins; none: this is the last
};

struct Swept {
    std::size_t removed = 0;
    std::vector<HashEntry> entries{};  ///< what was removed, if that was asked for
    std::optional<Duration>
        next_in{};  ///< until the next field is due, zero if one is; none: no field has a TTL
};

/// How a sweep is to go.
struct Sweep {
    std::size_t limit;
    bool with_entries;  ///< somebody wants to know what was removed
};

/// What ends a watch when it is destroyed.
class Watch {
public:
    virtual ~Watch() = default;
};

/// One hash as one client sees it. Vectors are answered in their order.
class HashStore {
public:
    virtual ~HashStore() = default;

    /// For each put whether it was made, all in one atomic step if there are at most `most_in_one_step`.
    virtual void put(std::vector<HashPut> puts, Reply<std::vector<bool>> reply) = 0;
    virtual void get(std::vector<std::string> fields,
                     Reply<std::vector<std::optional<std::string>>> reply) = 0;
    virtual void state(std::string field, Reply<FieldState> reply) = 0;
    /// Replies how many were there.
    virtual void remove(std::vector<std::string> fields, Reply<std::size_t> reply) = 0;
    virtual void size(Reply<std::size_t> reply) = 0;
    /// No TTL: takes it away. Replies whether that changed anything.
    virtual void expire(std::string field, std::optional<Duration> ttl, Reply<bool> reply) = 0;
    virtual void clear(Reply<Unit> reply) = 0;
    /// From the beginning, or from where the last page said.
    virtual void page(std::optional<std::string> from, Reply<HashPage> reply) = 0;

    /// Removes what is due, a bounded part of it.
    virtual void sweep(Sweep const& sweep, Reply<Swept> reply) = 0;

    /// What the strategy of the options comes to: never `automatic`.
    virtual void strategy(Reply<HashStrategy> reply) = 0;

    /// Calls `look` whenever a field may have become due earlier than what was known before, whoever put it, until the watch
    /// is destroyed; on any thread. Null: nobody can tell.
    virtual std::unique_ptr<Watch> watch(std::function<void()> look) = 0;

    static constexpr std::size_t most_in_one_step = 500;
};

}  // namespace ration::core
