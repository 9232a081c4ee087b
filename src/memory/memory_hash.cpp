#include "memory/memory_hash.hpp"

#include "core/conflict.hpp"

#include <algorithm>

namespace ration::memory {

using core::ExpiringMap;
using core::Reply;
using core::Result;

namespace {

constexpr std::size_t fields_per_page = 256;

Time moment_after(Time now, std::optional<Duration> ttl)
{
    return ttl && *ttl < ExpiringMap::never - now ? now + *ttl : ExpiringMap::never;
}

}  // namespace

MemoryHash::MemoryHash(std::shared_ptr<HashData> data, std::shared_ptr<Clock> clock,
                       HashOptions const& options)
    : data_{std::move(data)}, clock_{std::move(clock)}, strategy_{options.strategy}
{}

/// Requires the lock.
bool MemoryHash::is_native() const
{
    if (strategy_ != HashStrategy::automatic) return strategy_ == HashStrategy::native;
    return data_->map.earliest() && data_->is_native;
}

/// Replies what `action(map, now)` returns, or that this hash is another's kind. Tells those who watch if a field is due
/// earlier than any was before.
template <class T, class Action>
void MemoryHash::run(Reply<T> reply, Action action)
{
    Result<T> result;
    bool is_earlier = false;
    {
        std::lock_guard const lock{data_->mutex};
        auto& map = data_->map;
        auto const before = map.earliest();
        bool const native = is_native();
        if (before && data_->is_native != native) {
            result = Result<T>::failed(Errc::config_conflict, core::removed_otherwise(data_->is_native));
        } else {
            data_->is_native = native;
            result.value = action(map, clock_->now());
            is_earlier = map.earliest().value_or(Time::max()) < before.value_or(Time::max());
        }
    }
    if (is_earlier) data_->watchers->tell();
    reply(std::move(result));
}

void MemoryHash::put(std::vector<core::HashPut> puts, Reply<std::vector<bool>> reply)
{
    run(std::move(reply), [&](ExpiringMap& map, Time now) {
        std::vector<bool> made;
        for (auto& [field, value, ttl, if_absent] : puts)
            made.push_back(map.put(field, std::move(value), moment_after(now, ttl), if_absent, now));
        return made;
    });
}

void MemoryHash::get(std::vector<std::string> fields, Reply<std::vector<std::optional<std::string>>> reply)
{
    run(std::move(reply), [&](ExpiringMap& map, Time now) {
        std::vector<std::optional<std::string>> values;
        for (auto const& field : fields) {
            auto const* const value = map.get(field, now);
            values.push_back(value ? std::optional{*value} : std::nullopt);
        }
        return values;
    });
}

void MemoryHash::state(std::string field, Reply<core::FieldState> reply)
{
    run(std::move(reply), [&](ExpiringMap& map, Time now) -> core::FieldState {
        auto const until = map.until(field, now);
        if (!until) return {};
        if (*until == ExpiringMap::never) return {.exists = true};
        return {.exists = true, .ttl = *until - now};
    });
}

void MemoryHash::remove(std::vector<std::string> fields, Reply<std::size_t> reply)
{
    run(std::move(reply), [&](ExpiringMap& map, Time now) {
        return static_cast<std::size_t>(std::count_if(
            fields.begin(), fields.end(), [&](auto const& field) { return map.remove(field, now); }));
    });
}

void MemoryHash::size(Reply<std::size_t> reply)
{
    run(std::move(reply), [](ExpiringMap& map, Time now) { return map.size(now); });
}

void MemoryHash::expire(std::string field, std::optional<Duration> ttl, Reply<bool> reply)
{
    run(std::move(reply), [&](ExpiringMap& map, Time now) {
        if (!ttl && map.until(field, now) == ExpiringMap::never) return false;
        return map.set_until(field, moment_after(now, ttl), now);
    });
}

void MemoryHash::clear(Reply<core::Unit> reply)
{
    run(std::move(reply), [](ExpiringMap& map, Time) {
        map.clear();
        return core::Unit{};
    });
}

void MemoryHash::page(std::optional<std::string> from, Reply<core::HashPage> reply)
{
    run(std::move(reply), [&](ExpiringMap& map, Time now) { return map.page(from, fields_per_page, now); });
}

void MemoryHash::sweep(core::Sweep const& sweep, Reply<core::Swept> reply)
{
    run(std::move(reply), [&](ExpiringMap& map, Time now) {
        core::Swept swept;
        swept.entries = map.sweep(sweep.limit, now);
        swept.removed = swept.entries.size();
        if (!sweep.with_entries) swept.entries.clear();
        if (auto const next = map.earliest()) swept.next_in = std::max(*next - now, Duration{});
        return swept;
    });
}

void MemoryHash::strategy(Reply<HashStrategy> reply)
{
    auto strategy = strategy_;
    if (strategy == HashStrategy::automatic) {
        std::lock_guard const lock{data_->mutex};
        strategy = is_native() ? HashStrategy::native : HashStrategy::sorted_set;
    }
    reply({{}, {}, strategy});
}

std::unique_ptr<core::Watch> MemoryHash::watch(std::function<void()> look)
{
    return data_->watchers->add(std::move(look));
}

}  // namespace ration::memory
