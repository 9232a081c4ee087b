#include "client/queue_driver.hpp"

#include <algorithm>
#include <utility>

namespace ration::client {

namespace {

/// Room for what one call completes, and for those denied meanwhile.
constexpr std::size_t most_kept = 2 * core::RequestQueue::max_batch;

/// Different for each queue, so that contested heads of several processes do not retry in step.
std::uint32_t random_seed()
{
    thread_local std::minstd_rand generator{std::random_device{}()};
    return static_cast<std::uint32_t>(generator());
}

/// Whoever answers inside the call has one out at most, and calls that carry many keys are out in any number.
core::Overlap overlap_of(core::PermitStore const& store, bool replies_inside)
{
    return replies_inside || store.shares_calls() ? core::Overlap::never() : core::Overlap::learned();
}

}  // namespace

QueueDriver::QueueDriver(std::shared_ptr<Context> context, std::shared_ptr<core::PermitStore> store,
                         std::shared_ptr<void> owner)
    : context_{std::move(context)},
      store_{std::move(store)},
      owner_{std::move(owner)},
      replies_inside_{context_->store().replies_inside()},
      queue_{random_seed(), overlap_of(*store_, replies_inside_)}
{}

QueueDriver::~QueueDriver()
{
    context_->leave(*this, counts_);
}

std::shared_ptr<QueueDriver> QueueDriver::make(std::shared_ptr<Context> context,
                                               std::shared_ptr<core::PermitStore> store,
                                               std::shared_ptr<void> owner)
{
    auto driver = std::make_shared<QueueDriver>(std::move(context), std::move(store), std::move(owner));
    driver->context_->enroll(*driver);
    if (driver->context_->closed()) driver->close();  // the one who closed the client may have missed it
    return driver;
}

void QueueDriver::submit(Waiter& waiter)
{
    if (waiter.patient && !context_->admit_waiter()) {
        waiter.complete(core::Outcome::failed(Errc::queue_full), Handlers::post);
        return;
    }
    std::unique_lock lock{mutex_};
    if (closed_) {
        lock.unlock();
        if (waiter.patient) context_->dismiss_waiter();
        waiter.complete(core::Outcome::failed(Errc::client_closed), Handlers::post);
        return;
    }
    if (!std::exchange(gate_shut_, true)) store_->shut_gate();
    waiter.queued_ = true;
    queue_.join(waiter, context_->clock().now());
    run(lock, Handlers::post);
}

void QueueDriver::cancel(Waiter& waiter)
{
    std::unique_lock lock{mutex_};
    collect();  // its outcome may be there already, while another thread is on the way to hand it out
    if (!waiter.queued_) return;
    queue_.cancel(waiter);
    run(lock, Handlers::post);
}

void QueueDriver::ask_again()
{
    std::unique_lock lock{mutex_};
    queue_.ask_again();
    run(lock, Handlers::post);
}

void QueueDriver::close()
{
    std::unique_lock lock{mutex_};
    closed_ = true;
    queue_.end(Errc::client_closed);
    run(lock, Handlers::post);
}

std::optional<Decision> QueueDriver::denial_behind_head()
{
    std::lock_guard const lock{mutex_};
    return queue_.denial_behind_head(context_->clock().now());
}

QueueCounts QueueDriver::counts() const
{
    std::lock_guard const lock{mutex_};
    return counts_;
}

/// Goes on until the queue has nothing to do or has to wait for a reply, a turn or the alarm.
void QueueDriver::run(std::unique_lock<std::mutex>& lock, Handlers handlers)
{
    if (std::exchange(running_, true)) return;
    for (bool more = !call_first(lock); more;) {
        deliver(lock, handlers);
        auto const action = queue_.next(context_->clock().now());
        if (auto const* wanted = std::get_if<core::RequestQueue::Call>(&action)) {
            call(lock, *wanted);
        } else if (std::holds_alternative<core::RequestQueue::Turn>(action)) {
            let_handlers_run();
        } else if (auto const* pause = std::get_if<core::RequestQueue::Wait>(&action)) {
            wait(pause->until);
            more = false;
        } else {
            more = false;
        }
    }
    running_ = false;
    count_waiting(queue_.size());
    if (queue_.size() == 0) {
        if (std::exchange(alarm_at_, Time::max()) != Time::max()) alarm_->clear();
        if (std::exchange(gate_shut_, false)) store_->open_gate();
    }
}

void QueueDriver::count_waiting(std::size_t waiting)
{
    context_->count_waiting(std::exchange(waiting_, waiting), waiting);
}

/// Takes over who has left the queue; from here on it is too late to cancel them.
void QueueDriver::collect()
{
    auto const known = completed_.size();
    queue_.take_completed(completed_);
    for (auto i = known; i < completed_.size(); ++i) {
        auto const& [request, outcome] = completed_[i];
        auto& waiter = static_cast<Waiter&>(*request);
        waiter.queued_ = false;
        if (waiter.patient) context_->dismiss_waiter();
        if (!outcome.error) counts_.add(outcome.decision);
    }
}

void QueueDriver::deliver(std::unique_lock<std::mutex>& lock, Handlers handlers)
{
    for (collect(); !completed_.empty(); collect()) {
        delivering_.swap(completed_);
        count_waiting(std::min(waiting_, queue_.size()));  // before they hear of it
        lock.unlock();
        bool all_reacted = true;
        for (auto const& [request, outcome] : delivering_)
            all_reacted &= static_cast<Waiter&>(*request).complete(outcome, handlers);
        delivering_.clear();
        if (delivering_.capacity() > most_kept) delivering_.shrink_to_fit();
        lock.lock();
        all_reacted_ = all_reacted_ && all_reacted;
    }
}

/// A full call leaves before those who were served hear of it: then the store works on one half of a crowd while the
/// handlers of the other run. The executor has a turn in between, because it writes to the socket.
bool QueueDriver::call_first(std::unique_lock<std::mutex>& lock)
{
    collect();
    if (completed_.empty() || replies_inside_ || !queue_.call_is_full()) return false;
    auto const action = queue_.next(context_->clock().now());
    call(lock, std::get<core::RequestQueue::Call>(action));
    go_on_after_a_turn();
    return true;
}

void QueueDriver::call(std::unique_lock<std::mutex>& lock, core::RequestQueue::Call const& wanted)
{
    auto const& [batch, number] = wanted;
    if (!store_->shares_calls()) {
        ++counts_.calls;
        if (batch.is_plural()) ++counts_.batches;
    }
    // Unlocked, because the reply may come inside the call, and others may join meanwhile.
    lock.unlock();
    store_->call(batch, [self = shared_from_this(), call = number](core::CallResult const& result) {
        self->on_result(call, result);
    });
    lock.lock();
    if (queue_.calls_out() > 1) let_it_be_written();
}

void QueueDriver::on_result(std::size_t call, core::CallResult const& result)
{
    std::unique_lock lock{mutex_};
    if (is_being_written_) {
        early_.emplace_back(call, result);
        return;
    }
    take_result(call, result);
    run(lock, Handlers::run_here);
}

void QueueDriver::take_result(std::size_t call, core::CallResult const& result)
{
    Time const now = context_->clock().now();
    if (auto const* answer = std::get_if<core::Answer>(&result)) {
        queue_.answered(*answer, now, call);
    } else if (auto const& none = std::get<core::NoAnswer>(result); none.error == Errc::outcome_unknown) {
        queue_.lost(now, none.detail, call);
    } else {
        queue_.failed(none.error, now, none.detail, call);
    }
}

/// Answers to two calls may arrive together. When the first has sent its callers back, their call has to be on its way before the
/// handlers of the second run: else the two would be written together, and stay together for ever.
void QueueDriver::let_it_be_written()
{
    if (std::exchange(is_being_written_, true)) return;
    boost::asio::post(context_->executor(), [weak = weak_from_this()] {
        auto const self = weak.lock();
        if (!self) return;
        std::unique_lock lock{self->mutex_};
        self->is_being_written_ = false;
        while (!self->early_.empty() && !self->is_being_written_) {
            auto const [call, result] = std::move(self->early_.front());
            self->early_.erase(self->early_.begin());
            self->take_result(call, result);
            self->run(lock, Handlers::run_here);
        }
    });
}

/// The next call leaves when those who were just served had the chance to come again: sent at once, it would split the
/// callers into two cohorts and halve the batches. A store that replies inside the call has no cohorts; and a handler that
/// ran where it was completed has had its chance.
void QueueDriver::let_handlers_run()
{
    if (std::exchange(all_reacted_, true) || replies_inside_ || closed_) {
        queue_.turned();
    } else {
        go_on_after_a_turn();
    }
}

void QueueDriver::go_on_after_a_turn()
{
    // Weak: an io_context must not own itself by way of a handler that never runs.
    boost::asio::post(context_->executor(), [weak = weak_from_this()] {
        auto const self = weak.lock();
        if (!self) return;
        std::unique_lock lock{self->mutex_};
        self->queue_.turned();
        self->run(lock, Handlers::run_here);
    });
}

void QueueDriver::wait(Time until)
{
    if (until == alarm_at_) return;
    if (!alarm_) {
        alarm_ = context_->make_alarm([weak = weak_from_this()] {
            if (auto const self = weak.lock()) self->on_alarm();
        });
    }
    alarm_at_ = until;
    alarm_->set(until);
}

void QueueDriver::on_alarm()
{
    std::unique_lock lock{mutex_};
    alarm_at_ = Time::max();
    queue_.woken(context_->clock().now());
    run(lock, Handlers::run_here);
}

}  // namespace ration::client
