#include "core/take_queue.hpp"

#include <algorithm>

namespace ration::core {

void TakeQueue::join(Taker& taker)
{
    // Behind others who wait, a patient one waits for what they wait for.
    if (takers_.empty() || !taker.patient) ask_ = true;
    if (!taker.patient) ++leaving_;
    if (taker.deadline != Taker::no_deadline) deadlines_.emplace(taker.deadline, &taker);
    taker.order_ = ++last_order_;
    taker.place_ = takers_.insert(takers_.end(), &taker);
}

void TakeQueue::cancel(Taker& taker)
{
    if (!is_asked_for(taker)) {
        complete(taker, Outcome::failed(Errc::cancelled));
    } else if (!std::exchange(taker.cancelled_, true) && taker.patient) {
        ++leaving_;
    }
}

void TakeQueue::answered(Taken taken, Time now)
{
    for (Item& item : taken.items) {
        if (!takers_.empty()) complete(*takers_.front(), {{}, {}, std::move(item)});
    }
    moment_ = taken.next_in && *taken.next_in < Time::max() - now ? now + *taken.next_in : Time::max();
    if (taken.items.size() >= count_) {  // there may be more for those behind
        calling_ = false;
        ask_ = true;
        return;
    }
    for (auto place = takers_.begin(); leaving_ > 0 && place != takers_.end();) {
        Taker& taker = **place++;
        if (!is_asked_for(taker)) break;
        if (taker.cancelled_) {
            complete(taker, Outcome::failed(Errc::cancelled));
        } else if (!taker.patient) {
            complete(taker, {});
        }
    }
    calling_ = false;
    end_expired(now);
}

void TakeQueue::failed(Errc error, std::string const& detail)
{
    while (!takers_.empty() && is_asked_for(*takers_.front()))
        complete(*takers_.front(), Outcome::failed(error, detail));
    calling_ = false;
    moment_ = Time::max();
    ask_ = true;
}

void TakeQueue::woken(Time now)
{
    if (now >= moment_) ask_ = true;
}

void TakeQueue::end(Errc error, std::string const& detail)
{
    while (!takers_.empty()) complete(*takers_.front(), Outcome::failed(error, detail));
}

TakeQueue::Action TakeQueue::next(Time now)
{
    if (calling_ || takers_.empty()) return Nothing{};
    if (ask_ || now >= moment_) {
        ask_ = false;
        calling_ = true;
        last_asked_ = last_order_;
        count_ = std::min(takers_.size(), max_batch);
        return Call{count_};
    }
    end_expired(now);
    if (takers_.empty()) return Nothing{};
    return Wait{deadlines_.empty() ? moment_ : std::min(moment_, deadlines_.begin()->first)};
}

void TakeQueue::complete(Taker& taker, Outcome outcome)
{
    if (!taker.patient || taker.cancelled_) --leaving_;
    if (taker.deadline != Taker::no_deadline) deadlines_.erase({taker.deadline, &taker});
    takers_.erase(taker.place_);
    completed_.push_back({&taker, std::move(outcome)});
}

/// Requires: no call is out, and the last one found nothing more.
void TakeQueue::end_expired(Time now)
{
    while (!deadlines_.empty() && deadlines_.begin()->first <= now) complete(*deadlines_.begin()->second, {});
}

}  // namespace ration::core
