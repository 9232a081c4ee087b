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
    sweep_if_due();
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
    if (shortest) reply = then_sweep(*shortest, std::move(reply));
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
    if (ttl) reply = then_sweep(*ttl, std::move(reply));
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
            self->set_alarm();  // until now calls may have swept
        }
        self->sweep_by(self->options_.shortest_sweep);
        reply({});
    };
    strategy(std::move(known));
}

// ---- the sweeper ----

/// Under the lock.
bool Hash::has_timer() const
{
    return context_->owns_io_thread() || options_.strategy == HashStrategy::delay_queue
           || !listeners_.empty();
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
    Time const now = context_->clock().now();
    Time const moment = pause < Time::max() - now ? now + pause : Time::max();
    std::lock_guard const lock{mutex_};
    if (times_.ask_by(moment)) set_alarm();
}

/// Under the lock.
void Hash::set_alarm()
{
    if (closed_ || !has_timer() || times_.next() == Time::max()) return;
    if (!alarm_) {
        alarm_ = context_->make_alarm([weak = weak_from_this()] {
            if (auto const self = weak.lock()) self->sweep();
        });
    }
    alarm_->set(times_.next());
}

/// A field of ours will be due that long after it was put, and nobody else tells us. Before the reply a sweep could
/// overtake the put, and nobody would come back for the field. A put that failed may have been carried out.
template <class T>
Reply<T> Hash::then_sweep(Duration ttl, Reply<T> reply)
{
    if (options_.strategy == HashStrategy::delay_queue) return reply;
    return [self = shared_from_this(), ttl, reply = std::move(reply)](Result<T> result) mutable {
        self->sweep_by(std::max(ttl, self->options_.shortest_sweep));
        reply(std::move(result));
    };
}

void Hash::sweep_if_due()
{
    {
        std::lock_guard const lock{mutex_};
        if (has_timer() || context_->clock().now() < times_.next()) return;
    }
    sweep();
}

void Hash::sweep()
{
    core::Sweep wanted{options_.sweep_batch, false};
    {
        std::lock_guard const lock{mutex_};
        if (closed_ || context_->closed() || !times_.begin()) return;
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
        look_again = times_.end();
        if (!result.error) {
            bool const is_told = watch_ != nullptr;
            pause = core::pause_after(result.value, options_, options_.strategy, is_told);
        }
    }
    if (!result.value.entries.empty()) tell_listeners(std::move(result.value.entries));
    if (look_again) pause = Duration{};
    if (pause) sweep_by(*pause);
}

/// What a listener uses may be gone when the client is closed, or nobody has the hash open any more.
void Hash::tell_listeners(std::vector<core::HashEntry> entries)
{
    std::lock_guard const lock{mutex_};
    if (closed_) return;
    auto tell = [weak = weak_from_this(), entries = std::move(entries), listeners = listeners_] {
        for (auto const& [field, value] : entries) {
            for (auto const& listener : listeners) {
                auto const self = weak.lock();
                if (!self || self->is_closed()) return;
                (*listener)(field, value);
            }
        }
    };
    boost::asio::post(context_->executor(), std::move(tell));
}

bool Hash::is_closed() const
{
    std::lock_guard const lock{mutex_};
    return closed_;
}

}  // namespace ration::client
