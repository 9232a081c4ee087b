#pragma once

#include "core/store.hpp"
#include "redis/calendar_windows.hpp"
#include "redis/script_call.hpp"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace ration::redis {

/// The keys of a keyed limiter in Redis: one key of state each, the rate in code.
///
/// Batches of different keys that gather while calls are out go several to a call. Each is decided by itself; sharing a
/// call changes no answer.
class RedisKeyed final : public core::KeyedStore, public std::enable_shared_from_this<RedisKeyed> {
public:
    /// A call takes this many keys at most, and this many calls are out at once: more would only make the batches smaller.
    static constexpr std::size_t keys_per_call = 64;
    static constexpr std::size_t calls_at_once = 4;

    /// `where`: the store's URL as it may be shown.
    RedisKeyed(std::shared_ptr<Connection> connection, Duration command_timeout, std::string where,
               std::string name, KeyedOptions const& options);

    Decision decide_now(std::string_view key, core::Ask ask, core::AtOnce& at_once) override;
    std::shared_ptr<core::PermitStore> permits(std::string const& key) override;
    void peek(std::string_view key, Permits n, core::Reply<Decision> reply) override;
    void release(std::string_view key, Permits n, core::Reply<core::Unit> reply) override;
    void available(std::string_view key, core::Reply<Permits> reply) override;
    void reset(std::string_view key, core::Reply<bool> reply) override;

    /// Not known: the keys expire by themselves, in Redis.
    std::size_t size() const override { return 0; }
    void sweep() override {}

private:
    class Key;

    struct Waiting {
        std::shared_ptr<Key const> key;
        core::Batch batch;
        Deadline deadline;
        core::UniqueFunction<void(core::CallResult)> reply;
    };
    using Calls = std::vector<Waiting>;

    void enqueue(Waiting waiting);
    void send_waiting();
    void send(Calls calls);
    void deliver(Calls calls, Reply reply);
    std::optional<core::CallResult> decoded(Waiting const& call, Values values);
    template <class T, class Decode>
    void run(Script const& script, std::string_view key, Permits n, core::Reply<T> reply, Decode decode);

    std::vector<std::string> rate_arguments();
    void learn_windows(Values values);
    Deadline deadline_after(Duration waited) const;

    std::shared_ptr<Connection> const connection_;
    Duration const command_timeout_;
    std::string const where_;
    std::string const name_;
    KeyedOptions const options_;
    std::vector<std::string> const fixed_arguments_;  // algorithm, permits, interval, capacity

    std::mutex mutex_;
    std::deque<Waiting> waiting_;
    std::size_t out_ = 0;                      // calls
    std::optional<CalendarWindows> calendar_;  // once the server has told its time
};

}  // namespace ration::redis
