#include "memory/keyed_memory.hpp"

#include "core/calendar_window.hpp"
#include "core/fixed_window.hpp"
#include "core/sliding_log.hpp"
#include "core/token_bucket.hpp"
#include "memory/spin_lock.hpp"
#include "memory/tally.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace ration::memory {

using core::AtOnce;
using core::Outcome;
using core::Result;

namespace {

/// A key whose hash is known, so that it is computed once for the shard and for the place in it.
struct HashedKey {
    explicit HashedKey(std::string_view text) : key{text}, hash{std::hash<std::string_view>{}(text)} {}

    std::string_view key;
    std::size_t hash;
};

struct KeyHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const noexcept { return std::hash<std::string_view>{}(key); }
    std::size_t operator()(HashedKey const& key) const noexcept { return key.hash; }
};

struct KeyEqual {
    using is_transparent = void;
    static std::string_view text(std::string_view key) noexcept { return key; }
    static std::string_view text(HashedKey const& key) noexcept { return key.key; }
    bool operator()(auto const& a, auto const& b) const noexcept { return text(a) == text(b); }
};

/// Many cells under one rate, in shards that are locked, grown and swept one by one.
///
/// Why shards of plain maps: a map grows all at once, so what one operation can cost is what one shard holds.
/// Ten million keys are about ten thousand a shard.
template <class Algorithm>
class KeyedCells final : public KeyedMemory, public std::enable_shared_from_this<KeyedCells<Algorithm>> {
public:
    KeyedCells(KeyedOptions const& options, std::shared_ptr<Clock> clock)
        : options_{options}, params_{options.rate}, clock_{std::move(clock)}
    {}

    Decision decide_now(std::string_view key, core::Ask ask, AtOnce& at_once) override
    {
        HashedKey const hashed{key};
        Decision decision = decide_now(hashed, ask, at_once);
        if (at_once.error() == Errc::too_many_keys) [[unlikely]] {
            find_room();
            at_once = {};
            decision = decide_now(hashed, ask, at_once);
        }
        return decision;
    }

    Decision decide_now(HashedKey const& hashed, core::Ask ask, AtOnce& at_once)
    {
        Shard& shard = shard_of(hashed);
        Time const now = time();
        std::lock_guard const lock{shard.lock};
        if (shard.shut && shard.shut->contains(hashed)) [[unlikely]] {
            if (ask.n > options_.rate.capacity()) {
                at_once.fail(Errc::permits_exceed_rate);
                return {.remaining = options_.rate.capacity()};
            }
            at_once.must_queue();
            return {};
        }
        return shard.tally.counted(ask.patient, at_once,
                                   [&] { return decide(shard, hashed, now, ask.n, at_once); });
    }

    std::shared_ptr<core::PermitStore> permits(std::string const& key) override
    {
        return std::make_shared<KeyPermits>(this->shared_from_this(), key);
    }

    void peek(std::string_view key, Permits n, core::Reply<Decision> reply) override
    {
        if (n > options_.rate.capacity()) {
            reply({Errc::permits_exceed_rate, {}, {.remaining = options_.rate.capacity()}});
            return;
        }
        reply(
            {{}, {}, with_cell(key, [&](Cell const& cell, Time now) { return cell.look(params_, now, n); })});
    }

    void release(std::string_view key, Permits n, core::Reply<core::Unit> reply) override
    {
        with_cell(key, [&](Cell& cell, Time now) { cell.release(params_, now, n); });
        reply({});
    }

    void available(std::string_view key, core::Reply<Permits> reply) override
    {
        reply({{}, {}, with_cell(key, [&](Cell const& cell, Time now) {
                   return cell.available(params_, now);
               })});
    }

    void reset(std::string_view key, core::Reply<bool> reply) override
    {
        HashedKey const hashed{key};
        Shard& shard = shard_of(hashed);
        std::size_t erased = 0;
        {
            std::lock_guard const lock{shard.lock};
            erased = shard.cells.erase(hashed);
        }
        size_.fetch_sub(erased, std::memory_order_relaxed);
        reply({{}, {}, erased > 0});
    }

    std::size_t size() const override { return size_.load(std::memory_order_relaxed); }

    void sweep() override
    {
        constexpr std::size_t shards_a_step = 16;
        for (std::size_t i = 0; i < shards_a_step; ++i) {
            Shard& shard = shards_[next_to_sweep_.fetch_add(1, std::memory_order_relaxed) % shard_count];
            Time const now = time();
            std::lock_guard const lock{shard.lock};
            drop_idle(shard, now);
        }
    }

    KeyedOptions const& options() const noexcept override { return options_; }

    core::StoreCounts counts() const override
    {
        core::StoreCounts sum;
        for (std::size_t i = 0; i < shard_count; ++i) {
            std::lock_guard const lock{shards_[i].lock};
            sum += shards_[i].tally.counts();
        }
        return sum;
    }

    bool drop_idle() override
    {
        Time const now = time();
        for (std::size_t i = 0; i < shard_count; ++i) {
            std::lock_guard const lock{shards_[i].lock};
            drop_idle(shards_[i], now);
        }
        return size() == 0;
    }

private:
    using Cell = typename Algorithm::Cell;

    static constexpr std::size_t shard_count = 1024;

    /// Keys somebody waits for, and in how many queues.
    using ShutGates = boost::unordered_flat_map<std::string, std::uint32_t, KeyHash, KeyEqual>;

    struct alignas(64) Shard {
        SpinLock mutable lock;
        std::uint32_t inserted = 0;  // since it was last swept
        boost::unordered_flat_map<std::string, Cell, KeyHash, KeyEqual> cells;
        std::unique_ptr<ShutGates> shut;  // null most of the time
        Tally tally;
    };

    /// One key, driven by a request queue.
    class KeyPermits final : public core::PermitStore {
    public:
        KeyPermits(std::shared_ptr<KeyedCells> owner, std::string const& key)
            : owner_{std::move(owner)}, key_{key}, hashed_{key_}
        {}

        void shut_gate() override
        {
            Shard& shard = owner_->shard_of(hashed_);
            std::lock_guard const lock{shard.lock};
            if (!shard.shut) shard.shut = std::make_unique<ShutGates>();
            ++(*shard.shut)[key_];
        }

        void open_gate() override
        {
            Shard& shard = owner_->shard_of(hashed_);
            std::lock_guard const lock{shard.lock};
            auto const gate = shard.shut->find(hashed_);
            if (--gate->second == 0) shard.shut->erase(gate);
            if (shard.shut->empty()) shard.shut.reset();
        }

        void call(core::Batch const& batch, core::UniqueFunction<void(core::CallResult)> reply) override
        {
            core::Answer answer{.outcomes = {}, .capacity = owner_->options_.rate.capacity()};
            if (owner_->size() >= owner_->options_.max_keys) owner_->find_room();
            Shard& shard = owner_->shard_of(hashed_);
            Time const now = owner_->time();
            {
                std::lock_guard const lock{shard.lock};
                answer.outcomes = core::evaluate(batch, [&](Permits n) {
                    AtOnce at_once;
                    Decision const decision = owner_->decide(shard, hashed_, now, n, at_once);
                    return Outcome{at_once.error(), decision, {}};
                });
            }
            reply(std::move(answer));
        }

    private:
        std::shared_ptr<KeyedCells> const owner_;
        std::string const key_;
        HashedKey const hashed_;
    };

    // The map mixes the hash itself and begins at the other end.
    Shard& shard_of(HashedKey const& key) noexcept { return shards_[(key.hash >> 32) % shard_count]; }

    Time time() const noexcept
    {
        return options_.algorithm == ration::Algorithm::calendar_window ? clock_->wall() : clock_->now();
    }

    // Requires the shard's lock.
    Decision decide(Shard& shard, HashedKey const& key, Time now, Permits n, AtOnce& at_once)
    {
        Permits const capacity = options_.rate.capacity();
        if (n > capacity) [[unlikely]] {
            at_once.fail(Errc::permits_exceed_rate);
            return {.remaining = capacity};
        }
        auto found = shard.cells.find(key);
        if (found == shard.cells.end()) {
            if (!make_room(shard, now)) [[unlikely]] {
                at_once.fail(Errc::too_many_keys);
                return {};
            }
            found = shard.cells.emplace(key.key, Cell{}).first;
        }
        return found->second.take(params_, now, n);
    }

    // Requires the shard's lock. Sweeps a shard each time half of it is new, so memory follows the keys in use
    // even if nobody else sweeps.
    bool make_room(Shard& shard, Time now)
    {
        constexpr std::size_t smallest = 64;
        bool const full = size() >= options_.max_keys;
        if (full || ++shard.inserted > std::max(smallest, shard.cells.size() / 2)) drop_idle(shard, now);
        if (size_.fetch_add(1, std::memory_order_relaxed) < options_.max_keys) return true;
        size_.fetch_sub(1, std::memory_order_relaxed);
        return false;
    }

    // Looks for idle keys in other shards too, since nobody else may be sweeping; a bounded step, from where the
    // last one ended.
    void find_room()
    {
        constexpr std::size_t enough_seen = 2000;
        std::size_t seen = 0;
        for (std::size_t i = 0; i < shard_count && seen < enough_seen && size() >= options_.max_keys; ++i) {
            Shard& shard = shards_[next_to_sweep_.fetch_add(1, std::memory_order_relaxed) % shard_count];
            Time const now = time();
            std::lock_guard const lock{shard.lock};
            seen += shard.cells.size();
            drop_idle(shard, now);
        }
    }

    // Requires the shard's lock.
    void drop_idle(Shard& shard, Time now)
    {
        Time const idle_since = now - patience_;
        auto const dropped = erase_if(
            shard.cells, [&](auto const& entry) { return entry.second.is_idle(params_, idle_since); });
        shard.inserted = 0;
        size_.fetch_sub(dropped, std::memory_order_relaxed);
        if (dropped > 0 && shard.cells.size() < shard.cells.bucket_count() / 8) shard.cells.rehash(0);
    }

    // Runs `action(cell, now)` on the key's cell or on a fresh one, under the lock.
    template <class Action>
    auto with_cell(std::string_view key, Action action)
    {
        HashedKey const hashed{key};
        Shard& shard = shard_of(hashed);
        Time const now = time();
        std::lock_guard const lock{shard.lock};
        auto const found = shard.cells.find(hashed);
        Cell fresh{};
        return action(found == shard.cells.end() ? fresh : found->second, now);
    }

    KeyedOptions const options_;
    typename Algorithm::Params const params_;
    // The clock on the wall may be set back over a boundary; the window before it must not be forgotten by then.
    Duration const patience_ = options_.rate.is_calendar() ? std::chrono::hours{1} : std::chrono::hours{0};
    std::shared_ptr<Clock> const clock_;
    std::unique_ptr<Shard[]> const shards_ = std::make_unique<Shard[]>(shard_count);
    std::atomic<std::size_t> size_{0};
    std::atomic<std::size_t> next_to_sweep_{0};
};

}  // namespace

std::shared_ptr<KeyedMemory> make_keyed_memory(KeyedOptions const& options, std::shared_ptr<Clock> clock)
{
    switch (options.algorithm) {
    case Algorithm::sliding_log:
        return std::make_shared<KeyedCells<core::SlidingLog>>(options, std::move(clock));
    case Algorithm::fixed_window:
        return std::make_shared<KeyedCells<core::FixedWindow>>(options, std::move(clock));
    case Algorithm::calendar_window:
        return std::make_shared<KeyedCells<core::CalendarWindow>>(options, std::move(clock));
    case Algorithm::token_bucket: break;
    }
    return std::make_shared<KeyedCells<core::TokenBucket>>(options, std::move(clock));
}

}  // namespace ration::memory
