#pragma once

#include "client/queue_driver.hpp"
#include "client/sentences.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace ration::client {

/// A keyed limiter of a client: its store, a queue for each key somebody waits for, and the sweeper.
class KeyedLimiter : public std::enable_shared_from_this<KeyedLimiter> {
public:
    KeyedLimiter(std::shared_ptr<Context> context, std::string name, KeyedOptions const& options);
    ~KeyedLimiter();

    std::string const& name() const noexcept { return name_; }
    KeyedOptions const& options() const noexcept { return options_; }
    std::shared_ptr<Context> const& context() const noexcept { return context_; }
    std::size_t size() const { return store_->size(); }

    /// One key, as a source of permits for `take`. Lives for one call only.
    class Key {
    public:
        Key(KeyedLimiter& limiter, std::string_view key) noexcept : limiter_{limiter}, key_{key} {}

        std::shared_ptr<Context> const& context() const noexcept { return limiter_.context_; }
        bool is_sound() const noexcept { return !key_.empty() && key_.size() <= longest_name; }
        std::optional<Problem> problem() const { return check_key(key_); }
        Decision decide_now(core::Ask ask, core::AtOnce& at_once) const;
        std::shared_ptr<QueueDriver> driver() const { return limiter_.driver(std::string{key_}); }
        std::string describe() const { return describe_key(limiter_.name_, key_); }

    private:
        KeyedLimiter& limiter_;
        std::string_view key_;
    };

    void peek(std::string_view key, Permits n, core::Reply<Decision> reply);
    void release(std::string_view key, Permits n, core::Reply<core::Unit> reply);
    void available_permits(std::string_view key, core::Reply<Permits> reply);
    void reset(std::string_view key, core::Reply<bool> reply);

private:
    std::shared_ptr<QueueDriver> driver(std::string const& key);
    std::shared_ptr<core::PermitStore> permits(std::string const& key);
    std::shared_ptr<QueueDriver> driver_if_any(std::string_view key);
    void start_sweeping();
    void sweep();

    std::shared_ptr<Context> const context_;
    std::string const name_;
    KeyedOptions const options_;
    std::shared_ptr<core::KeyedStore> const store_;

    std::mutex mutex_;
    std::shared_ptr<core::KeyedStore> local_;  // while the store is down, if the options say so
    std::unordered_map<std::string, std::weak_ptr<QueueDriver>> drivers_;  // of keys somebody waits for
    std::size_t tidy_at_ = 64;  // how many make it worth looking for those that are gone
    std::unique_ptr<Alarm> sweep_alarm_;
    std::atomic<bool> sweeping_{false};
};

}  // namespace ration::client
