#include "client/hash.hpp"

#include "client/reply.hpp"
#include "core/sweep_pace.hpp"

#include <algorithm>

namespace ration::client {

using core::Reply;
using core::Result;
using core::Unit;

std::shared_ptr<Hash> Hash::open(std::shared_ptr<Context> context, std::string name,
                                 HashOptions const& options)
{
    auto hash = std::make_shared<Hash>(std::move(context), std::move(name), options);
    auto watch = hash->store_->watch([weak = hash->weak_from_this()] {
        if (auto const self = weak.lock()) self->look();
    });
    {
        std::lock_guard const lock{hash->mutex_};  // somebody may be looking already
        hash->watch_ = std::move(watch);
    }
    // What others left behind is found, too. A store that is not here must not be called while opening.
    if (hash->context_->store().replies_inside()) {
        hash->sweep();
    } else {
        hash->sweep_by(options.shortest_sweep);
    }
    return hash;
}

Hash::Hash(std::shared_ptr<Context> context, std::string name, HashOptions const& options)
    : context_{std::move(context)},
      name_{std::move(name)},
      options_{options},
      store_{context_->store().hash(name_, options_)}
{}

Hash::~Hash()
{
    context_->forget_hash(name_);
}

void Hash::close()
{
    std::unique_ptr<core::Watch> watch;  // ends without the lock
    std::lock_guard const lock{mutex_};
    closed_ = true;
    if (alarm_) alarm_->clear();
    watch = std::move(watch_);
}

// ---- calls ----

/// Runs `action(reply)` unless the client is closed.
template <class T, class Action>
void Hash::run(Reply<T> reply, Action action)
{
    checked(*context_, std::nullopt, std::move(reply), std::move(action));
    if (!has_timer()) sweep_if_due();
}

void Hash::put(std::vector<core::HashPut> puts, Reply<std::vector<bool>> reply)
{
    std::optional<Problem> problem;
    Ttl shortest;
    for (auto const& put : puts) {
        if (!put.ttl) continue;
        if (auto wrong = check_ttl(*put.ttl)) problem = std::move(wrong);
        shortest = std::min(shortest.value_or(*put.ttl), *put.ttl);
    }
    if (problem) {
        reply(Result<std::vector<bool>>::failed(problem->code, problem->detail));
        return;
    }
    if (shortest) expect_expiry(*shortest);
    run(std::move(reply),
        [&](Reply<std::vector<bool>> inner) { store_->put(std::move(puts), std::move(inner)); });
}

void Hash::get(std::vector<std::string> fields, Reply<std::vector<std::optional<std::string>>> reply)
{
    run(std::move(reply), [&](auto inner) { store_->get(std::move(fields), std::move(inner)); });
}

void Hash::state(std::string field, Reply<core::FieldState> reply)
{
    run(std::move(reply), [&](auto inner) { store_->state(std::move(field), std::move(inner)); });
}

void Hash::remove(std::vector<std::string> fields, Reply<std::size_t> reply)
{
    run(std::move(reply), [&](auto inner) { store_->remove(std::move(fields), std::move(inner)); });
}

void Hash::size(Reply<std::size_t> reply)
{
    run(std::move(reply), [&](auto inner) { store_->size(std::move(inner)); });
}

void Hash::expire(std::string field, Ttl ttl, Reply<bool> reply)
{
    if (auto const problem = ttl ? check_ttl(*ttl) : std::nullopt) {
        reply(Result<bool>::failed(problem->code, problem->detail));
        return;
    }
    if (ttl) expect_expiry(*ttl);
    run(std::move(reply), [&](auto inner) { store_->expire(std::move(field), ttl, std::move(inner)); });
}

void Hash::clear(Reply<Unit> reply)
{
    run(std::move(reply), [&](auto inner) { store_->clear(std::move(inner)); });
}

void Hash::page(std::optional<std::string> from, Reply<core::HashPage> reply)
{
    run(std::move(reply), [&](auto inner) { store_->page(std::move(from), std::move(inner)); });
}

void Hash::strategy(Reply<HashStrategy> reply)
{
    run(std::move(reply), [&](auto inner) { store_->strategy(std::move(inner)); });
}

/// Visits on the client's executor, whatever thread the pages come on.
void Hash::for_each(ExpiringHash::Visitor visit, Reply<Unit> reply)
{
    visit_page(std::move(visit), std::nullopt, std::move(reply));
}

void Hash::visit_page(ExpiringHash::Visitor visit, std::optional<std::string> from, Reply<Unit> reply)
{
    auto visited = [self = shared_from_this(), visit = std::move(visit),
                    reply = std::move(reply)](Result<core::HashPage> result) mutable {
        if (result.error) {
            reply(Result<Unit>::failed(*result.error, std::move(result.detail)));
            return;
        }
        auto const executor = self->context_->executor();
        boost::asio::post(executor, [self = std::move(self), visit = std::move(visit),
                                     page = std::move(result.value), reply = std::move(reply)]() mutable {
            bool const go_on = std::all_of(page.entries.begin(), page.entries.end(), [&](auto const& entry) {
                return visit(entry.field, entry.value);
            });
            if (go_on && page.next) {
                self->visit_page(std::move(visit), std::move(page.next), std::move(reply));
            } else {
                reply({});
            }
        });
    };
    page(std::move(from), std::move(visited));
}

void Hash::on_expired(ExpiringHash::Listener listener, Reply<Unit> reply)
{
    if (!listener) {
        reply(Result<Unit>::failed(Errc::invalid_argument, "the callback of on_expired is empty; give one"));
        return;
    }
    auto known = [self = shared_from_this(),
                  shared = std::make_shared<ExpiringHash::Listener>(std::move(listener)),
                  reply = std::move(reply)](Result<HashStrategy> result) mutable {
        if (result.error) {
            reply(Result<Unit>::failed(*result.error, std::move(result.detail)));
            return;
        }
        if (result.value == HashStrategy::native) {
            reply(
                Result<Unit>::failed(Errc::invalid_argument,
                                     "with the strategy native the server drops what expires without a word, "
                                     "so on_expired would never be called; open it with sorted_set or "
                                     "delay_queue"));
            return;
        }
        {
            std::lock_guard const lock{self->mutex_};
            self->listeners_.push_back(std::move(shared));
        }
        self->sweep_by(self->options_.shortest_sweep);
        reply({});
    };
    strategy(std::move(known));
}

// ---- the sweeper ----

bool Hash::has_timer() const
{
    if (context_->owns_io_thread() || options_.strategy == HashStrategy::delay_queue) return true;
    std::lock_guard const lock{mutex_};
    return !listeners_.empty();
}

/// Something may be due earlier than we know.
void Hash::look()
{
    if (options_.strategy == HashStrategy::delay_queue) {
        sweep();
    } else {
        sweep_by(Duration{});
    }
}

/// Sees that the next sweep is not later than that.
void Hash::sweep_by(Duration pause)
{
    bool const by_timer = has_timer();
    Time const now = context_->clock().now();
    std::lock_guard const lock{mutex_};
    Time const moment = pause < Time::max() - now ? now + pause : Time::max();
    if (closed_ || moment >= next_) return;
    next_ = moment;
    if (!by_timer) return;
    if (!alarm_) {
        alarm_ = context_->make_alarm([weak = weak_from_this()] {
            if (auto const self = weak.lock()) self->sweep();
        });
    }
    alarm_->set(moment);
}

/// A field of ours will be due then; nobody else tells us.
void Hash::expect_expiry(Duration ttl)
{
    if (options_.strategy != HashStrategy::delay_queue) sweep_by(std::max(ttl, options_.shortest_sweep));
}

void Hash::sweep_if_due()
{
    {
        std::lock_guard const lock{mutex_};
        if (context_->clock().now() < next_) return;
    }
    sweep();
}

void Hash::sweep()
{
    core::Sweep wanted{options_.sweep_batch, false};
    {
        std::lock_guard const lock{mutex_};
        if (closed_ || context_->closed()) return;
        if (std::exchange(sweeping_, true)) {
            look_again_ = true;
            return;
        }
        next_ = Time::max();
        wanted.with_entries = !listeners_.empty();
    }
    store_->sweep(
        wanted, [self = shared_from_this()](Result<core::Swept> result) { self->swept(std::move(result)); });
}

void Hash::swept(Result<core::Swept> result)
{
    // Whatever is wrong with the store is told to whoever uses the hash. The sweeper tries again later.
    std::optional<Duration> pause = options_.longest_sweep;
    bool look_again = false;
    {
        std::lock_guard const lock{mutex_};
        sweeping_ = false;
        look_again = std::exchange(look_again_, false);
        if (!result.error) {
            bool const is_told = watch_ != nullptr;
            pause = core::pause_after(result.value, options_, options_.strategy, is_told);
        }
    }
    if (!result.value.entries.empty()) tell_listeners(std::move(result.value.entries));
    if (look_again) pause = Duration{};
    if (pause) sweep_by(*pause);
}

void Hash::tell_listeners(std::vector<core::HashEntry> entries)
{
    std::lock_guard const lock{mutex_};
    auto const all = std::make_shared<std::vector<core::HashEntry> const>(std::move(entries));
    boost::asio::post(context_->executor(), [all, listeners = listeners_] {
        for (auto const& [field, value] : *all) {
            for (auto const& listener : listeners) (*listener)(field, value);
        }
    });
}

}  // namespace ration::client
