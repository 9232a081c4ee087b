#include "memory/memory_store.hpp"

#include "core/conflict.hpp"
#include "memory/memory_limiter.hpp"

#include <algorithm>

namespace ration::memory {

std::shared_ptr<MemoryStore> MemoryStore::open(std::string const& name, std::shared_ptr<Clock> clock)
{
    if (name.empty()) return std::make_shared<MemoryStore>(std::move(clock));

    static std::mutex mutex;
    static std::unordered_map<std::string, std::weak_ptr<MemoryStore>> shared;
    std::lock_guard const lock{mutex};
    std::erase_if(shared, [](auto const& entry) { return entry.second.expired(); });
    auto& known = shared[name];
    auto store = known.lock();
    if (!store) {
        store = std::make_shared<MemoryStore>(std::move(clock));
        known = store;
    } else if (store->clock_ != clock) {
        throw Error{Errc::invalid_argument,
                    "the store \"memory:" + name + "\" is already in use with another "
                        + "ClientOptions::clock; all its clients must be given the same"};
    }
    return store;
}

std::shared_ptr<core::LimiterStore> MemoryStore::limiter(std::string const& name,
                                                         std::string const& client_id,
                                                         LimiterOptions const& options)
{
    return std::make_shared<MemoryLimiter>(shared_from_this(), entry(name), client_id,
                                           options.log_resolution);
}

std::shared_ptr<Entry> MemoryStore::entry(std::string const& name)
{
    std::lock_guard const lock{mutex_};
    if (entries_.size() >= sweep_at_) drop_unused();
    auto& entry = entries_[name];
    if (!entry) entry = std::make_shared<Entry>();
    return entry;
}

/// Looks at all entries each time their number has doubled, so opening one stays cheap on average.
void MemoryStore::drop_unused()
{
    Time const now = clock_->now();
    std::erase_if(entries_, [&](auto const& named) {
        auto const& entry = named.second;
        std::lock_guard const lock{*entry};
        if (entry.use_count() > 1 || entry->exists(now)) return false;
        past_ += entry->tally.counts();
        return true;
    });
    sweep_at_ = std::max<std::size_t>(64, 2 * entries_.size());
}

std::shared_ptr<Entry::ClientState> MemoryStore::client_state(Entry& entry, std::string const& client_id)
{
    Time const now = clock_->now();
    Time const wall = clock_->wall();
    std::lock_guard const lock{entry};
    bool const calendar = entry.config && entry.config->algorithm == Algorithm::calendar_window;
    entry.drop_idle_clients(calendar ? wall : now);
    auto& state = entry.clients[client_id];
    if (!state) state = std::make_shared<Entry::ClientState>();
    return state;
}

core::Result<core::Unit> MemoryStore::rename(std::shared_ptr<Entry> const& from, std::string const& to)
{
    using Result = core::Result<core::Unit>;
    auto const target = entry(to);
    Time const now = clock_->now();
    if (target == from)
        return Result::failed(Errc::config_conflict, "it has that name already; give another");

    std::scoped_lock const lock{*from, *target};
    if (!from->exists(now)) return Result::failed(Errc::not_initialized);
    if (target->exists(now)) {
        return Result::failed(Errc::config_conflict, core::already_exists(to));
    }
    target->config = from->config;
    target->expires_at = from->expires_at;
    target->state = std::move(from->state);
    for (auto& [id, client] : from->clients) {
        auto& moved = target->clients[id];
        if (!moved) moved = std::make_shared<Entry::ClientState>();
        moved->state = std::move(client->state);
    }
    from->clear();
    return {};
}

std::shared_ptr<core::KeyedStore> MemoryStore::keyed(std::string const& name, KeyedOptions const& options)
{
    std::lock_guard const lock{mutex_};
    std::erase_if(keyed_, [&](auto const& named) {
        if (named.first == name || named.second.use_count() > 1 || !named.second->drop_idle()) return false;
        past_ += named.second->counts();
        return true;
    });
    auto& store = keyed_[name];
    if (!store) {
        store = make_keyed_memory(options, clock_);
    } else if (store->options().rate != options.rate || store->options().algorithm != options.algorithm) {
        throw Error{Errc::config_conflict, "keyed limiter \"" + name + "\" is in use with the rate "
                                               + to_string(store->options().rate) + " ("
                                               + std::string{to_string(store->options().algorithm)}
                                               + "); all who share it must give the same"};
    }
    return store;
}

std::shared_ptr<core::HashStore> MemoryStore::hash(std::string const& name, HashOptions const& options)
{
    return std::make_shared<MemoryHash>(hashes_.at(name), clock_, options);
}

std::shared_ptr<core::QueueStore> MemoryStore::queue(std::string const& name, QueueOptions const& options)
{
    return std::make_shared<MemoryQueue>(queues_.at(name), clock_, options);
}

core::StoreCounts MemoryStore::counts() const
{
    std::lock_guard const lock{mutex_};
    core::StoreCounts sum = past_;
    for (auto const& [name, entry] : entries_) {
        std::lock_guard const entry_lock{*entry};
        sum += entry->tally.counts();
    }
    for (auto const& [name, keyed] : keyed_) sum += keyed->counts();
    return sum;
}

}  // namespace ration::memory
