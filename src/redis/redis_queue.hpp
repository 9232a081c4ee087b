#pragma once

#include "core/queue_store.hpp"
#include "redis/answers.hpp"
#include "redis/connection.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ration::redis {

/// A delay queue in Redis: ids by their time under the plain key of its name, and beside it values and leases
/// (docs/redis-layout.md).
class RedisQueue final : public core::QueueStore, public std::enable_shared_from_this<RedisQueue> {
public:
    RedisQueue(std::shared_ptr<Connection> connection, Duration command_timeout, std::string const& name,
               QueueOptions const& options);

    void offer(std::string value, core::Due due, core::Reply<std::string> reply) override;
    void take(std::size_t count, core::Reply<core::Taken> reply) override;
    void ack(std::string id, core::Reply<bool> reply) override;
    void cancel(std::string id, core::Reply<bool> reply) override;
    void peek(core::Reply<std::optional<Item>> reply) override;
    void size(core::Reply<std::size_t> reply) override;
    std::unique_ptr<core::Watch> watch(std::function<void(core::Result<core::Unit>)> look) override;

private:
    template <class T, class Decode>
    void run(Script const& script, std::vector<std::string> arguments, core::Reply<T> reply, Decode decode);
    std::string next_id_end();

    std::shared_ptr<Connection> const connection_;
    Duration const command_timeout_;
    std::vector<std::string> const keys_;  // the queue, values, leases
    std::string const lease_;              // in µs; empty: none
    std::string const own_;                // what no other client's ids have
    std::atomic<std::uint64_t> offers_{0};
};

}  // namespace ration::redis
