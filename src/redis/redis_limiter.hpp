#pragma once

#include "core/store.hpp"
#include "redis/calendar_windows.hpp"
#include "redis/script_call.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace ration::redis {

/// One limiter in Redis, as one client sees it. Each operation is one script or one command.
class RedisLimiter final : public core::LimiterStore, public std::enable_shared_from_this<RedisLimiter> {
public:
    RedisLimiter(std::shared_ptr<Connection> connection, Duration command_timeout, std::string name,
                 std::string client_id, LimiterOptions const& options);

    Decision decide_now(core::Ask ask, core::AtOnce& at_once) override;
    void shut_gate() override {}  // nothing is ever decided beside the queue
    void open_gate() override {}
    void call(core::Batch const& batch, core::UniqueFunction<void(core::CallResult)> reply) override;

    void configure(core::ConfigureMode mode, core::WantedConfig const& wanted,
                   core::Reply<core::Configured> reply) override;
    void peek(Permits n, std::optional<Algorithm> expected, core::Reply<Decision> reply) override;
    void release(Permits n, std::optional<Algorithm> expected, core::Reply<core::Unit> reply) override;
    void available(std::optional<Algorithm> expected, core::Reply<Permits> reply) override;
    void config(std::optional<Algorithm> assumed, core::Reply<LimiterConfig> reply) override;
    void exists(core::Reply<bool> reply) override;
    void remove(core::Reply<bool> reply) override;
    void expire(core::Expiry expiry, core::Reply<bool> reply) override;
    void time_to_live(core::Reply<std::optional<Duration>> reply) override;
    void rename(std::string const& to, core::Reply<core::Unit> reply) override;
    void migrate(core::Reply<std::int64_t> reply) override;

private:
    template <class T, class Decode>
    void run(Script const& script, std::function<std::vector<std::string>()> arguments,
             std::optional<Algorithm> expected, core::Reply<T> reply, Decode decode);
    template <class T, class Decode>
    void plain(std::vector<std::string>&& words, core::Reply<T> reply, Decode decode);
    template <class T, class Decode>
    void look(Permits n, std::optional<Algorithm> expected, core::Reply<T> reply, Decode decode);
    std::vector<std::string> acquire_arguments(std::string const& batch, std::string const& expected);
    void acquire(core::Batch const& batch, Deadline deadline,
                 core::UniqueFunction<void(core::CallResult)> reply);
    core::CallResult decoded(core::Batch const& batch, redis::Reply reply);

    Deadline deadline_after(Duration waited) const;
    std::string seen_rate() const;
    void saw_rate(Permits rate);
    void forget_seen();
    std::string calendar() const;
    std::string windows();
    void learn_windows(Values values);

    std::shared_ptr<Connection> const connection_;
    Duration const command_timeout_;
    std::string const name_;
    std::string const client_id_;
    LimiterOptions const options_;
    std::vector<std::string> const keys_;
    std::atomic<bool> needs_all_keys_{false};  // once it was found to be per client

    std::mutex mutable mutex_;
    std::optional<Permits> seen_rate_;  // for which the stored number of free permits is known to be right
    std::optional<CalendarWindows> calendar_;  // once the limiter was found to be a calendar_window
};

}  // namespace ration::redis
