#pragma once

// What a store offers: the seam between the API and where state lives.
//
// A store knows algorithms and config. It knows no waiting, no executor and no handler: those are the client
// layer's, once for all stores. Every call may reply inside the call (the embedded store does) or later.

#include "core/batch.hpp"
#include "core/hash_store.hpp"
#include "core/outcome.hpp"
#include "core/queue_store.hpp"
#include "core/result.hpp"
#include "core/unique_function.hpp"

#include <ration/limiter_options.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace ration::core {

/// A request for permits before anybody has waited for it. So small that it travels in registers.
struct Ask {
    Permits n = 1;
    std::optional<Algorithm> algorithm = {};  ///< what the caller believes the limiter to be, if anything
    bool patient = false;                     ///< is ready to wait
};

/// How far a request came without a queue: it is decided, it failed, or it has to queue.
class AtOnce {
public:
    void fail(Errc error) noexcept { state_ = static_cast<int>(error); }
    void must_queue() noexcept { state_ = queue; }

    bool is_decided() const noexcept { return state_ == decided; }
    bool has_to_queue() const noexcept { return state_ == queue; }
    std::optional<Errc> error() const noexcept
    {
        if (state_ == decided || state_ == queue) return std::nullopt;
        return static_cast<Errc>(state_);
    }

private:
    static constexpr int decided = 0;  // no Errc is
    static constexpr int queue = -1;

    int state_ = decided;  // or an Errc
};

/// Takes permits: what a request queue drives. One limiter as one client sees it, or one key of a keyed limiter.
class PermitStore {
public:
    virtual ~PermitStore() = default;

    /// Between shut_gate and open_gate decide_now decides nothing: somebody waits.
    virtual void shut_gate() = 0;
    virtual void open_gate() = 0;

    /// Goes through the batch in order, all in one atomic step.
    virtual void call(Batch const& batch, UniqueFunction<void(CallResult)> reply) = 0;

    /// Several share a call to the store, so only that knows how many there are (Store::counts).
    virtual bool shares_calls() const noexcept { return false; }
};

/// How `configure` treats what is there already.
enum class ConfigureMode : std::uint8_t { if_absent, replace, if_different, keep_state };

/// What `configure` found and did.
enum class Configured : std::uint8_t {
    created,    ///< nothing was there
    unchanged,  ///< left alone
    changed,    ///< replaced or updated
    absent,     ///< keep_state only: nothing was there, and nothing was done
};

struct WantedConfig {
    Rate rate;
    RateOptions options;
    std::optional<Algorithm> algorithm;
};

/// Never: empty. Else after a span, or at a moment of the clock on the wall.
using Expiry = std::variant<std::monostate, Duration, Time>;

/// One limiter as one client sees it.
class LimiterStore : public PermitStore {
public:
    /// Decides at once if that is possible without a queue: the store is in this process, nobody waits, and a
    /// patient request need not either. `at_once` says if it was; the decision means something only then, except
    /// that with permits_exceed_rate `remaining` is the most the limiter can ever hold.
    virtual Decision decide_now(Ask ask, AtOnce& at_once) = 0;

    virtual void configure(ConfigureMode mode, WantedConfig const& wanted, Reply<Configured> reply) = 0;
    virtual void peek(Permits n, std::optional<Algorithm> expected, Reply<Decision> reply) = 0;
    virtual void release(Permits n, std::optional<Algorithm> expected, Reply<Unit> reply) = 0;
    virtual void available(std::optional<Algorithm> expected, Reply<Permits> reply) = 0;
    /// `assumed`: what it is where the data does not say (a counter of Redisson's).
    virtual void config(std::optional<Algorithm> assumed, Reply<LimiterConfig> reply) = 0;
    virtual void exists(Reply<bool> reply) = 0;
    virtual void remove(Reply<bool> reply) = 0;
    virtual void expire(Expiry expiry, Reply<bool> reply) = 0;
    virtual void time_to_live(Reply<std::optional<Duration>> reply) = 0;
    virtual void rename(std::string const& to, Reply<Unit> reply) = 0;

    /// Rewrites what is stored in formats of old; replies how many entries that were.
    virtual void migrate(Reply<std::int64_t> reply) = 0;
};

/// The state of many keys under one rate.
class KeyedStore {
public:
    virtual ~KeyedStore() = default;

    /// As LimiterStore::decide_now, for one key.
    virtual Decision decide_now(std::string_view key, Ask ask, AtOnce& at_once) = 0;

    /// The key as something a request queue can drive; for keys somebody waits for.
    virtual std::shared_ptr<PermitStore> permits(std::string const& key) = 0;

    virtual void peek(std::string_view key, Permits n, Reply<Decision> reply) = 0;
    virtual void release(std::string_view key, Permits n, Reply<Unit> reply) = 0;
    virtual void available(std::string_view key, Reply<Permits> reply) = 0;
    virtual void reset(std::string_view key, Reply<bool> reply) = 0;
    virtual std::size_t size() const = 0;

    /// Drops idle keys from the next piece of the store; a bounded step, to be called now and then.
    virtual void sweep() = 0;
};

struct StoreCounts {
    std::uint64_t granted = 0;
    std::uint64_t denied = 0;
    std::uint64_t shared_calls = 0;    ///< for those who share calls
    std::uint64_t shared_batches = 0;  ///< of these, with more than one request
    std::uint64_t lost_answers = 0;
    std::uint64_t reconnects = 0;

    StoreCounts& operator+=(StoreCounts const& other) noexcept
    {
        granted += other.granted;
        denied += other.denied;
        shared_calls += other.shared_calls;
        shared_batches += other.shared_batches;
        lost_answers += other.lost_answers;
        reconnects += other.reconnects;
        return *this;
    }
};

/// Where state lives.
class Store {
public:
    virtual ~Store() = default;
    virtual std::shared_ptr<LimiterStore> limiter(std::string const& name, std::string const& client_id,
                                                  LimiterOptions const& options) = 0;
    virtual std::shared_ptr<KeyedStore> keyed(std::string const& name, KeyedOptions const& options) = 0;
    virtual std::shared_ptr<HashStore> hash(std::string const& name, HashOptions const& options) = 0;
    virtual std::shared_ptr<QueueStore> queue(std::string const& name, QueueOptions const& options) = 0;

    /// Decisions that never saw a queue, calls that several queues share, and what went wrong on the way to the store.
    virtual StoreCounts counts() const = 0;

    /// True if calls reply inside the call, so that an answer needs no other thread.
    virtual bool replies_inside() const noexcept = 0;

    /// Says whether the store can be asked, without asking for anything.
    virtual void probe(UniqueFunction<void(bool)> reply) = 0;

    /// Answers whatever is still out with client_closed, at once.
    virtual void close() = 0;
};

}  // namespace ration::core
