#pragma once

#include "client/context.hpp"
#include "core/hash_store.hpp"
#include "core/sweep_times.hpp"

#include <ration/expiring_hash.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace ration::client {

/// A hash of a client: its store, and the sweeper.
///
/// It sweeps for as long as the client has it open, by one alarm. On an executor of the user's that alarm would keep his
/// io_context from running out of work; there calls sweep when it is time, unless somebody listens for what expires or
/// wants it removed at its moment.
class Hash : public std::enable_shared_from_this<Hash> {
public:
    using Ttl = std::optional<Duration>;

    static std::shared_ptr<Hash> open(std::shared_ptr<Context> context, std::string name,
                                      HashOptions const& options);
    Hash(std::shared_ptr<Context> context, std::string name, HashOptions const& options);
    ~Hash();

    std::string const& name() const noexcept { return name_; }
    HashOptions const& options() const noexcept { return options_; }
    std::shared_ptr<Context> const& context() const noexcept { return context_; }

    void put(std::vector<core::HashPut> puts, core::Reply<std::vector<bool>> reply);
    void get(std::vector<std::string> fields, core::Reply<std::vector<std::optional<std::string>>> reply);
    void state(std::string field, core::Reply<core::FieldState> reply);
    void remove(std::vector<std::string> fields, core::Reply<std::size_t> reply);
    void size(core::Reply<std::size_t> reply);
    void expire(std::string field, Ttl ttl, core::Reply<bool> reply);
    void clear(core::Reply<core::Unit> reply);
    void page(std::optional<std::string> from, core::Reply<core::HashPage> reply);
    void for_each(ExpiringHash::Visitor visit, core::Reply<core::Unit> reply);
    void strategy(core::Reply<HashStrategy> reply);
    void on_expired(ExpiringHash::Listener listener, core::Reply<core::Unit> reply);

    void close();  ///< no more sweeps

private:
    template <class T, class Action>
    void run(core::Reply<T> reply, Action action);
    void visit_page(ExpiringHash::Visitor visit, std::optional<std::string> from,
                    core::Reply<core::Unit> reply);

    bool has_timer() const;
    void look();
    void sweep_by(Duration pause);
    void set_alarm();
    template <class T>
    core::Reply<T> then_sweep(Duration ttl, core::Reply<T> reply);
    void sweep_if_due();
    void sweep();
    void swept(core::Result<core::Swept> result);
    void tell_listeners(std::vector<core::HashEntry> entries);
    bool is_closed() const;

    std::shared_ptr<Context> const context_;
    std::string const name_;
    HashOptions const options_;
    std::shared_ptr<core::HashStore> const store_;

    std::mutex mutable mutex_;
    std::vector<std::shared_ptr<ExpiringHash::Listener>> listeners_;
    std::unique_ptr<core::Watch> watch_;
    std::unique_ptr<Alarm> alarm_;
    core::SweepTimes times_;
    bool closed_ = false;
};

}  // namespace ration::client
