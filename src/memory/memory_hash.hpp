#pragma once

#include "core/expiring_map.hpp"
#include "core/hash_store.hpp"
#include "memory/watchers.hpp"

#include <ration/clock.hpp>

#include <memory>
#include <mutex>
#include <string>

namespace ration::memory {

/// A hash, shared by all clients of a store that have it open.
struct HashData {
    std::mutex mutex;
    core::ExpiringMap map;
    bool is_native = false;  ///< what kind of clients gave fields a TTL; of no meaning while none has one
    std::shared_ptr<Watchers> const watchers = std::make_shared<Watchers>();

    bool is_empty()
    {
        std::lock_guard const lock{mutex};
        return map.empty();
    }
};

/// A hash of the embedded store, as one client sees it. `native` is what it is in Redis: fields vanish without a word.
class MemoryHash final : public core::HashStore {
public:
    MemoryHash(std::shared_ptr<HashData> data, std::shared_ptr<Clock> clock, HashOptions const& options);

    void put(std::vector<core::HashPut> puts, core::Reply<std::vector<bool>> reply) override;
    void get(std::vector<std::string> fields,
             core::Reply<std::vector<std::optional<std::string>>> reply) override;
    void state(std::string field, core::Reply<core::FieldState> reply) override;
    void remove(std::vector<std::string> fields, core::Reply<std::size_t> reply) override;
    void size(core::Reply<std::size_t> reply) override;
    void expire(std::string field, std::optional<Duration> ttl, core::Reply<bool> reply) override;
    void clear(core::Reply<core::Unit> reply) override;
    void page(std::optional<std::string> from, core::Reply<core::HashPage> reply) override;
    void sweep(core::Sweep const& sweep, core::Reply<core::Swept> reply) override;
    void strategy(core::Reply<HashStrategy> reply) override;
    std::unique_ptr<core::Watch> watch(std::function<void()> look) override;

private:
    template <class T, class Action>
    void run(core::Reply<T> reply, Action action);
    bool is_native() const;

    std::shared_ptr<HashData> const data_;
    std::shared_ptr<Clock> const clock_;
    HashStrategy const strategy_;
};

}  // namespace ration::memory
