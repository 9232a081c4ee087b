#pragma once

#include "core/store.hpp"
#include "memory/entry.hpp"
#include "memory/keyed_memory.hpp"
#include "memory/memory_hash.hpp"
#include "memory/memory_queue.hpp"
#include "memory/shelf.hpp"

#include <ration/clock.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace ration::memory {

/// The embedded store: everything in this process.
class MemoryStore final : public core::Store, public std::enable_shared_from_this<MemoryStore> {
public:
    /// The store that all who give this name share; an empty name is a new store of one's own. Throws Error if
    /// it runs with another clock already.
    static std::shared_ptr<MemoryStore> open(std::string const& name, std::shared_ptr<Clock> clock);

    explicit MemoryStore(std::shared_ptr<Clock> clock) : clock_{std::move(clock)} {}

    std::shared_ptr<core::LimiterStore> limiter(std::string const& name, std::string const& client_id,
                                                LimiterOptions const& options) override;
    std::shared_ptr<core::KeyedStore> keyed(std::string const& name, KeyedOptions const& options) override;
    std::shared_ptr<core::HashStore> hash(std::string const& name, HashOptions const& options) override;
    std::shared_ptr<core::QueueStore> queue(std::string const& name, QueueOptions const& options) override;
    core::StoreCounts counts() const override;
    bool replies_inside() const noexcept override { return true; }
    void probe(core::UniqueFunction<void(bool)> reply) override { reply(true); }
    void close() override {}  // nothing is ever out

    Clock const& clock() const noexcept { return *clock_; }

    /// Moves config and state of `from` to another name.
    core::Result<core::Unit> rename(std::shared_ptr<Entry> const& from, std::string const& to);

    /// Where that client's grants are kept.
    std::shared_ptr<Entry::ClientState> client_state(Entry& entry, std::string const& client_id);

private:
    std::shared_ptr<Entry> entry(std::string const& name);
    void drop_unused();

    std::shared_ptr<Clock> const clock_;
    std::mutex mutable mutex_;
    std::unordered_map<std::string, std::shared_ptr<Entry>> entries_;
    std::unordered_map<std::string, std::shared_ptr<KeyedMemory>> keyed_;
    Shelf<HashData> hashes_;
    Shelf<QueueData> queues_;
    std::size_t sweep_at_ = 64;  // how many entries make it worth looking for unused ones
    core::StoreCounts past_{};   // of entries that are gone
};

}  // namespace ration::memory
