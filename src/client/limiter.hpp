#pragma once

#include "client/queue_driver.hpp"
#include "client/sentences.hpp"
#include "memory/memory_limiter.hpp"

#include <memory>
#include <string>

namespace ration::client {

/// A named limiter of a client: its store, its queue, and the checks before either is asked.
class Limiter : public std::enable_shared_from_this<Limiter> {
public:
    Limiter(std::shared_ptr<Context> context, std::string name, LimiterOptions const& options);
    ~Limiter();

    std::string const& name() const noexcept { return name_; }
    LimiterOptions const& options() const noexcept { return options_; }

    // ---- a source of permits ----

    std::shared_ptr<Context> const& context() const noexcept { return context_; }
    bool is_sound() const noexcept { return true; }
    std::optional<Problem> problem() const { return std::nullopt; }
    Decision decide_now(core::Ask ask, core::AtOnce& at_once) const
    {
        return store_->decide_now(ask, at_once);
    }
    memory::MemoryLimiter* embedded() const noexcept { return embedded_; }

    /// Keeps the limiter too: while somebody waits, whoever opens the name anew joins the same queue.
    std::shared_ptr<QueueDriver> driver() const { return {shared_from_this(), driver_.get()}; }

    std::string describe() const { return describe_limiter(name_); }

    // ---- beside the queue ----

    using Expected = std::optional<Algorithm>;
    void try_set_rate(core::WantedConfig const& wanted, core::Reply<bool> reply);
    void set_rate(core::WantedConfig const& wanted, core::Reply<core::Unit> reply);
    void ensure_rate(core::WantedConfig const& wanted, core::Reply<EnsureResult> reply);
    void update_rate(core::WantedConfig const& wanted, core::Reply<bool> reply);
    void peek(Permits n, Expected expected, core::Reply<Decision> reply);
    void release(Permits n, Expected expected, core::Reply<core::Unit> reply);
    void available_permits(Expected expected, core::Reply<Permits> reply);
    void config(Expected assumed, core::Reply<LimiterConfig> reply);
    void exists(core::Reply<bool> reply);
    void remove(core::Reply<bool> reply);
    void expire_after(Duration span, core::Reply<bool> reply);
    void expire_at(std::chrono::system_clock::time_point moment, core::Reply<bool> reply);
    void clear_expiry(core::Reply<bool> reply);
    void remaining_time_to_live(core::Reply<std::optional<Duration>> reply);
    void rename(std::string const& to, core::Reply<core::Unit> reply);
    void migrate(core::Reply<std::int64_t> reply);

private:
    std::shared_ptr<core::PermitStore> permits() const;
    void configure(core::ConfigureMode mode, core::WantedConfig const& wanted,
                   core::Reply<core::Configured> reply);

    std::shared_ptr<Context> const context_;
    std::string const name_;
    LimiterOptions const options_;
    std::shared_ptr<core::LimiterStore> const store_;
    memory::MemoryLimiter* const embedded_;  // store_, if it is in this process
    std::shared_ptr<QueueDriver> const driver_;
};

}  // namespace ration::client
