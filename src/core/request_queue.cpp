#include "core/request_queue.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>

namespace ration::core {

namespace {

constexpr Duration instant{1};  // no refusal passes at the very moment it was made
constexpr Duration first_spacing = std::chrono::milliseconds{2};
constexpr Duration last_spacing = std::chrono::milliseconds{20};

/// now + wait, without wrapping for a wait of "for ever".
Time after(Time now, Duration wait) noexcept
{
    return wait > Time::max() - now ? Time::max() : now + wait;
}

}  // namespace

// ---- what happened ----

void RequestQueue::join(Request& request, Time now)
{
    request.joined_ = now;
    request.waits_ = request.patient && request.deadline > now;  // no time to wait: exactly one attempt
    if (auto const denied = denial_behind_head(now); denied && !request.waits_) {
        // What can never pass is told so, not to come later.
        bool const never = capacity_ > 0 && request.n > capacity_;
        completed_.push_back({&request, never
                                            ? Outcome{Errc::permits_exceed_rate, {.remaining = capacity_}, {}}
                                            : Outcome{std::nullopt, *denied, {}}});
        return;
    }
    if (request.can_expire()) deadlines_.emplace(request.deadline, &request);
    request.previous_ = back_;
    (back_ ? back_->next_ : front_) = &request;
    back_ = &request;
    ++size_;
    if (!request.waits_) ++impatient_;
    // Behind somebody who waits there is nothing to ask: their moment comes first.
    if (!blocker_ || !request.waits_) ask_ = true;
}

void RequestQueue::cancel(Request& request)
{
    if (request.in_flight_) {
        request.cancelled_ = true;
    } else {
        complete(request, Outcome::failed(Errc::cancelled));
    }
}

void RequestQueue::answered(Answer const& answer, Time now, std::size_t number)
{
    CallOut const call = take_back(number);
    overlap_.decided(answer.outcomes.size(), now);
    asked_ = call.left;
    failing_since_.reset();
    if (answer.capacity > 0) capacity_ = answer.capacity;
    blocker_ = nullptr;
    moment_ = Time::max();

    std::size_t kept = 0;
    Request* request = call.first;
    for (std::size_t place = 0; place < call.size; ++place) {
        Request& current = *request;
        request = current.next_;
        current.in_flight_ = false;
        if (place >= answer.outcomes.size()) {  // not evaluated: keeps its place
            if (current.cancelled_) complete(current, Outcome::failed(Errc::cancelled));
            continue;
        }
        Outcome const& outcome = answer.outcomes[place];
        bool const refused = !outcome.error && !outcome.decision.granted;
        Time const moment = after(now, std::max(outcome.decision.retry_after, instant));
        if (refused && current.waits_ && current.cancelled_) {
            complete(current, Outcome::failed(Errc::cancelled));
        } else if (refused && current.waits_ && moment <= current.deadline) {
            keep_waiting(current, moment);
            reset_ = after(now, outcome.decision.reset_after);
            basis_ = outcome.decision.basis;
            ++kept;
        } else {
            complete(current, outcome);  // a patient refusal too: never wait in vain
        }
    }

    wake_ = std::min(after(now, max_wait), contested_ ? after(moment_, random_spacing()) : moment_);
    if (head_) wake_ = std::min(wake_, head_->deadline);  // in spite of the spacing
    deny_expired(now);
    ask_ = changed_ || (!blocker_ && size_ - in_flight_ > kept);
    if (blocker_ && !ask_) deny_impatient(now);
}

void RequestQueue::lost(Time now, Detail const& detail, std::size_t number)
{
    CallOut const call = take_back(number);
    failing_since_.reset();
    Request* request = call.first;
    for (std::size_t place = 0; place < call.size; ++place) {
        Request& current = *request;
        request = current.next_;
        current.in_flight_ = false;
        if (!current.waits_) {
            complete(current, {Errc::outcome_unknown, {}, detail});
        } else if (current.cancelled_) {
            complete(current, Outcome::failed(Errc::cancelled));
        }
    }
    deny_expired(now);
    head_moment_ = Time::max();  // refused next, it may be because of the lost call: not contested by others
    ask_ = true;
}

void RequestQueue::failed(Errc error, Time now, Detail const& detail, std::size_t number)
{
    CallOut const call = take_back(number);
    if (error == Errc::store_unavailable && !failing_since_) failing_since_ = call.left;
    Request* request = call.first;
    for (std::size_t place = 0; place < call.size; ++place) {
        Request& current = *request;
        request = current.next_;
        complete(current, current.cancelled_ ? Outcome::failed(Errc::cancelled) : Outcome{error, {}, detail});
    }
    deny_expired(now);
    ask_ = true;
}

void RequestQueue::turned() noexcept
{
    if (phase_ == Phase::turning) phase_ = Phase::resting;
}

void RequestQueue::woken(Time now)
{
    if (calls_out() > 0) return;
    // A head whose moment is past its deadline was denied long ago. This one's has come: it is asked, even if
    // the timer was a little late.
    deny_expired(now, head_);
}

void RequestQueue::ask_again() noexcept
{
    ask_ = true;
    changed_ = true;
}

void RequestQueue::end(Errc error)
{
    while (front_) complete(*front_, Outcome::failed(error));
    for (CallOut& call : calls_) call.size = 0;
    in_flight_ = 0;
}

// ---- what to do next ----

RequestQueue::Action RequestQueue::next(Time now)
{
    if (call_is_full()) return gather(now);
    if (phase_ == Phase::answered) {
        phase_ = Phase::turning;
        return Turn{};
    }
    if (phase_ == Phase::turning) return Nothing{};
    if (size_ == 0) {
        overlap_.rest();
        return Nothing{};
    }
    if (calls_out() > 0 && !may_overlap()) return Nothing{};
    if (calls_out() > 0 || ask_ || now >= wake_) return gather(now);
    return Wait{deadlines_.empty() ? wake_ : std::min(wake_, deadlines_.begin()->first)};
}

void RequestQueue::take_completed(std::vector<Completion>& to)
{
    if (to.empty()) {
        to.swap(completed_);  // and its memory is used again
        return;
    }
    to.insert(to.end(), std::make_move_iterator(completed_.begin()),
              std::make_move_iterator(completed_.end()));
    completed_.clear();
}

std::optional<Decision> RequestQueue::denial_behind_head(Time now) const noexcept
{
    bool const asked_now = calls_out() > 0 || ask_ || now >= wake_;
    if (!blocker_ || asked_now) return std::nullopt;
    return denial(now);
}

// ---- how ----

/// Nobody here waits, so nobody can be overtaken. Few are better off with those who come next.
bool RequestQueue::may_overlap() const noexcept
{
    std::size_t const unasked = size_ - in_flight_;
    return calls_out() == 1 && is_crowd() && unasked >= std::max(min_half, in_flight_ / 2);
}

/// Takes from the front, equal neighbours as one run, up to and including the first who will have to wait: behind it nobody
/// could pass, and its answer says for how long. Of a crowd it takes half.
RequestQueue::Call RequestQueue::gather(Time now)
{
    std::size_t const number = calls_[0].is_out ? 1 : 0;
    std::size_t const most = is_crowd() ? std::min((size_ + 1) / 2, max_batch) : max_batch;
    Request* first = front_;
    while (first->in_flight_) first = first->next_;
    CallOut& call = calls_[number] = {true, first, 0, now};

    Batch batch;
    batch.head_blocks = !contested_;
    batch.expected = first->expected;
    Permits room = capacity_ > 0 ? capacity_ : std::numeric_limits<Permits>::max();
    for (Request* request = first; request && call.size < most; request = request->next_) {
        if (request->in_flight_ || request->expected != batch.expected) break;
        batch.waited = std::max(batch.waited, waited_for_store(*request, now));
        auto& runs = batch.runs;
        if (runs.empty() || runs.back().n != request->n || runs.back().patient != request->waits_) {
            runs.push_back({request->n, request->waits_, 0});
        }
        ++runs.back().count;
        request->in_flight_ = true;
        ++call.size;
        // A contested head takes no room: one that needs all of it would still block those behind.
        if (contested_ && request == front_) continue;
        if (request->n <= room) {
            room -= request->n;
        } else if (request->waits_) {
            break;
        }
    }
    in_flight_ += call.size;
    ask_ = false;
    changed_ = false;
    phase_ = Phase::resting;
    return {std::move(batch), number};
}

/// The call that has come back.
RequestQueue::CallOut RequestQueue::take_back(std::size_t number)
{
    CallOut const call = std::exchange(calls_.at(number), {});
    assert(call.is_out);
    phase_ = Phase::answered;
    in_flight_ -= call.size;
    return call;
}

/// Since when it could have had an answer: who waits for permits does not wait for the store, unless that is in trouble.
Duration RequestQueue::waited_for_store(Request const& request, Time now) const noexcept
{
    if (!request.waits_) return now - request.joined_;
    return failing_since_ ? now - std::max(request.joined_, *failing_since_) : Duration{};
}

void RequestQueue::keep_waiting(Request& request, Time moment)
{
    if (&request == front_) {
        if (head_ == &request && asked_ >= head_moment_) {
            contested_ = true;
            spacing_ = std::clamp(2 * spacing_, first_spacing, last_spacing);
        }
        head_ = &request;
        head_moment_ = moment;
    }
    if (&request != head_ || !contested_) blocker_ = &request;
    moment_ = std::min(moment_, moment);
}

/// Impatient requests never stay behind one that waits. They joined lately, so they are near the back.
void RequestQueue::deny_impatient(Time now)
{
    for (Request* request = back_; impatient_ > 0 && request;) {
        Request& current = *request;
        request = current.previous_;
        if (!current.waits_) complete(current, {std::nullopt, denial(now)});
    }
}

void RequestQueue::deny_expired(Time now, Request const* spared)
{
    for (auto next = deadlines_.begin(); next != deadlines_.end() && next->first <= now;) {
        Request& request = *(next++)->second;  // complete() erases it
        if (&request != spared) complete(request, {std::nullopt, denial(now)});
    }
}

Duration RequestQueue::random_spacing()
{
    return Duration{std::uniform_int_distribution<Duration::rep>{0, spacing_.count()}(random_)};
}

Decision RequestQueue::denial(Time now) const noexcept
{
    Decision decision;
    if (head_ && moment_ != Time::max()) {
        decision.retry_after = std::max({Duration{}, moment_ - now, wake_ - now});
        decision.reset_after = std::max(Duration{}, reset_ - now);
        decision.basis = basis_;
    }
    return decision;
}

void RequestQueue::complete(Request& request, Outcome const& outcome)
{
    unlink(request);
    completed_.push_back({&request, outcome});
}

void RequestQueue::unlink(Request& request) noexcept
{
    (request.previous_ ? request.previous_->next_ : front_) = request.next_;
    (request.next_ ? request.next_->previous_ : back_) = request.previous_;
    --size_;
    if (!request.waits_) --impatient_;
    if (request.can_expire()) deadlines_.erase({request.deadline, &request});
    if (&request == head_) {
        head_ = nullptr;
        contested_ = false;
        spacing_ = {};
        ask_ = true;
    }
    if (&request == blocker_) {
        blocker_ = nullptr;
        ask_ = true;
    }
}

}  // namespace ration::core
