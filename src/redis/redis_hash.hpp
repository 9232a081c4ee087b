#pragma once

#include "core/hash_store.hpp"
#include "redis/answers.hpp"
#include "redis/connection.hpp"
#include "redis/gathering.hpp"
#include "redis/hash_read.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ration::redis {

/// A hash in Redis: the plain key of its name, and beside it when its fields expire (docs/redis-layout.md).
///
/// Puts, and gets, that come while others are out share calls.
class RedisHash final : public core::HashStore, public std::enable_shared_from_this<RedisHash> {
public:
    static std::shared_ptr<RedisHash> make(std::shared_ptr<Connection> connection, Duration command_timeout,
                                           std::string const& name, HashOptions const& options);
    RedisHash(std::shared_ptr<Connection> connection, Duration command_timeout, std::string const& name,
              HashOptions const& options);

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
    using Found = FoundFields;

    /// How the scripts call it; `unknown`: the server has to be asked.
    enum class Kind : char { unknown = 0, sorted_set = 'z', delay_queue = 'q', native = 'n' };

    /// A script call, made again if the hash turns out to be of another kind and `automatic` may follow.
    struct Call;

    static Kind kind_of(HashStrategy strategy);
    void gather();
    template <class T, class Decode>
    void run(Script const& script, std::vector<std::string> arguments, Deadline deadline,
             core::Reply<T> reply, Decode decode);
    void start(std::shared_ptr<Call> call);
    void send(std::shared_ptr<Call> call, Kind kind);
    void find_kind(Deadline deadline, core::Reply<Kind> reply);
    void read(std::vector<std::string> fields, Deadline deadline, core::Reply<Found> reply);
    void read_by_script(std::vector<std::string> fields, Deadline deadline, core::Reply<Found> reply);
    void get_pieces(std::shared_ptr<std::vector<std::string>> fields, std::shared_ptr<Found> found,
                    core::Reply<Found> reply);
    void remove_pieces(std::shared_ptr<std::vector<std::string>> fields, std::size_t from,
                       std::size_t removed, core::Reply<std::size_t> reply);
    Deadline deadline() const { return std::chrono::steady_clock::now() + command_timeout_; }

    std::shared_ptr<Connection> const connection_;
    Duration const command_timeout_;
    std::vector<std::string> const keys_;  // the hash, and when its fields expire
    HashStrategy const strategy_;
    std::atomic<Kind> kind_;
    std::atomic<bool> some_expired_{false};  // and was there still when we last looked
    std::atomic<bool> may_transact_{true};
    std::shared_ptr<Gathering<core::HashPut, bool>> puts_;
    std::shared_ptr<Gathering<std::string, std::optional<std::string>>> gets_;
};

}  // namespace ration::redis
