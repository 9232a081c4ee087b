#include "client/queue.hpp"

#include "client/reply.hpp"
#include "client/take_waiters.hpp"

#include <utility>

namespace ration::client {

using core::Reply;
using core::Result;
using core::TakeQueue;
using core::Unit;

Queue::Queue(std::shared_ptr<Context> context, std::string name, QueueOptions const& options)
    : context_{std::move(context)},
      name_{std::move(name)},
      options_{options},
      store_{context_->store().queue(name_, options_)}
{}

Queue::~Queue()
{
    context_->forget_queue(name_);
}

// ---- beside those who wait ----

void Queue::offer(std::string value, core::Due due, Reply<std::string> reply)
{
    checked(*context_, std::nullopt, std::move(reply),
            [&](auto inner) { store_->offer(std::move(value), due, std::move(inner)); });
}

void Queue::ack(std::string id, Reply<bool> reply)
{
    checked(*context_, std::nullopt, std::move(reply),
            [&](auto inner) { store_->ack(std::move(id), std::move(inner)); });
}

void Queue::cancel(std::string id, Reply<bool> reply)
{
    checked(*context_, std::nullopt, std::move(reply),
            [&](auto inner) { store_->cancel(std::move(id), std::move(inner)); });
}

void Queue::peek(Reply<std::optional<Item>> reply)
{
    checked(*context_, std::nullopt, std::move(reply), [&](auto inner) { store_->peek(std::move(inner)); });
}

void Queue::size(Reply<std::size_t> reply)
{
    checked(*context_, std::nullopt, std::move(reply), [&](auto inner) { store_->size(std::move(inner)); });
}

// ---- taking ----

std::optional<Problem> Queue::problem_with(Duration timeout) const
{
    if (auto problem = check_timeout(timeout)) return problem;
    if (context_->closed()) return Problem{Errc::client_closed};
    return std::nullopt;
}

void Queue::prepare(TakeWaiter& waiter, Duration timeout) const
{
    waiter.patient = timeout > Duration{};
    Time const now = context_->clock().now();
    if (waiter.patient && timeout < Time::max() - now) waiter.deadline = now + timeout;
}

TakeQueue::Outcome Queue::take(Duration timeout, std::stop_token const& stop)
{
    if (auto problem = problem_with(timeout))
        return TakeQueue::Outcome::failed(problem->code, std::move(problem->detail));
    if (context_->would_deadlock()) return TakeQueue::Outcome::failed(Errc::would_deadlock);
    auto const waiter = BlockingTaker::make();
    prepare(*waiter, timeout);
    submit(*waiter);
    if (waiter->is_done()) return std::move(waiter->outcome());

    // Who does not want to wait only lets another thread finish what it does with the queue.
    bool const would_deadlock = waiter->patient && context_->on_io_thread();
    if (would_deadlock) cancel_wait(*waiter);
    std::stop_callback const on_stop{stop, [&] { cancel_wait(*waiter); }};
    if (!context_->await(*waiter)) {
        cancel_wait(*waiter);  // or, if its call is out, whenever that comes back
        auto const problem = problem_of(context_->nobody_runs_it(), 0);
        return TakeQueue::Outcome::failed(problem.code, problem.detail);
    }
    auto outcome = std::move(waiter->outcome());
    if (would_deadlock && outcome.error == Errc::cancelled) outcome.error = Errc::would_deadlock;
    return outcome;
}

template <class T>
void Queue::start_take(Duration timeout, detail::Handler<T> handler)
{
    if (auto const problem = problem_with(timeout)) {
        context_->post<T>(std::move(handler), make_error_code(problem->code), T{});
        return;
    }
    auto const waiter = std::make_shared<AsyncTaker<T>>(shared_from_this(), std::move(handler));
    prepare(*waiter, timeout);
    waiter->submit();
}

void Queue::async_take(Duration timeout, detail::Handler<Item> handler)
{
    start_take(timeout, std::move(handler));
}

void Queue::async_take(Duration timeout, detail::Handler<std::optional<Item>> handler)
{
    start_take(timeout, std::move(handler));
}

void Queue::submit(TakeWaiter& waiter)
{
    if (waiter.patient && !context_->admit_waiter()) {
        waiter.complete(TakeQueue::Outcome::failed(Errc::queue_full));
        return;
    }
    std::unique_lock lock{mutex_};
    if (closed_) {
        lock.unlock();
        if (waiter.patient) context_->dismiss_waiter();
        waiter.complete(TakeQueue::Outcome::failed(Errc::client_closed));
        return;
    }
    // Before it asks: what is offered after that must not be missed.
    if (waiter.patient && !watch_) {
        watch_ = store_->watch([weak = weak_from_this()](Result<Unit> const& notice) {
            if (auto const self = weak.lock()) self->look(notice);
        });
    }
    waiter.queued_ = true;
    queue_.join(waiter);
    run(lock);
}

void Queue::cancel_wait(TakeWaiter& waiter)
{
    std::unique_lock lock{mutex_};
    collect();  // its outcome may be there already, while another thread is on the way to hand it out
    if (!waiter.queued_) return;
    queue_.cancel(waiter);
    run(lock);
}

void Queue::close()
{
    std::unique_lock lock{mutex_};
    closed_ = true;
    queue_.end(Errc::client_closed, {});
    run(lock);
}

/// An earlier item may be there, or nobody will tell us if one comes.
void Queue::look(Result<Unit> const& notice)
{
    std::unique_lock lock{mutex_};
    if (notice.error) {
        queue_.end(*notice.error, notice.detail);
        watch_.reset();  // whoever comes next tries again
    } else {
        queue_.noticed();
    }
    run(lock);
}

// ---- doing what the queue says ----

/// Goes on until the queue has nothing to do or has to wait for a reply, a notice or the alarm.
void Queue::run(std::unique_lock<std::mutex>& lock)
{
    if (std::exchange(running_, true)) return;
    for (bool more = true; more;) {
        deliver(lock);
        auto const action = queue_.next(context_->clock().now());
        if (auto const* wanted = std::get_if<TakeQueue::Call>(&action)) {
            call(lock, wanted->count);
        } else {
            if (auto const* pause = std::get_if<TakeQueue::Wait>(&action)) wait(pause->until);
            collect();
            more = !completed_.empty();
        }
    }
    running_ = false;
    count_waiting();
    if (queue_.size() == 0) rest();
}

void Queue::rest()
{
    if (std::exchange(alarm_at_, Time::max()) != Time::max()) alarm_->clear();
    // A user's io_context must be able to run out of work.
    if (closed_ || !context_->owns_io_thread()) watch_.reset();
}

void Queue::count_waiting()
{
    auto const now = queue_.size();
    context_->count_waiting(std::exchange(waiting_, now), now);
}

/// Takes over who has left the queue; from here on it is too late to cancel them.
void Queue::collect()
{
    for (auto& completion : queue_.take_completed()) {
        auto& waiter = static_cast<TakeWaiter&>(*completion.taker);
        waiter.queued_ = false;
        if (waiter.patient) context_->dismiss_waiter();
        completed_.push_back(std::move(completion));
    }
}

void Queue::deliver(std::unique_lock<std::mutex>& lock)
{
    for (collect(); !completed_.empty(); collect()) {
        auto completed = std::exchange(completed_, {});
        count_waiting();  // before they hear of it
        lock.unlock();
        for (auto& [taker, outcome] : completed)
            static_cast<TakeWaiter&>(*taker).complete(std::move(outcome));
        lock.lock();
    }
}

void Queue::call(std::unique_lock<std::mutex>& lock, std::size_t count)
{
    // Unlocked, because the reply may come inside the call, and others may join meanwhile.
    lock.unlock();
    store_->take(count, [self = shared_from_this()](Result<core::Taken> result) {
        std::unique_lock reply_lock{self->mutex_};
        if (result.error) {
            self->queue_.failed(*result.error, result.detail);
        } else {
            self->queue_.answered(std::move(result.value), self->context_->clock().now());
        }
        self->run(reply_lock);
    });
    lock.lock();
}

void Queue::wait(Time until)
{
    if (until == alarm_at_) return;
    if (!alarm_) {
        alarm_ = context_->make_alarm([weak = weak_from_this()] {
            auto const self = weak.lock();
            if (!self) return;
            std::unique_lock lock{self->mutex_};
            self->alarm_at_ = Time::max();
            self->queue_.woken(self->context_->clock().now());
            self->run(lock);
        });
    }
    alarm_at_ = until;
    if (until == Time::max()) {
        alarm_->clear();
    } else {
        alarm_->set(until);
    }
}

}  // namespace ration::client
