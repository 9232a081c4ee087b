// The request queue against a simple model: random callers, a naive store, virtual time.
//
// A run is a small world: callers join, give up and change the rate; calls take time, get lost or fail;
// another process takes permits from the same limiter, most often in the very moment before our head is
// asked. After every event the laws of docs/request-queue.md are checked, and at the end the world is left
// alone until it is quiet: then nobody may be forgotten and every permit must be accounted for.
//
// One more seed: set RATION_SEED to it. Seeds that once found something go into kept_seeds.

#include "core/request_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <iterator>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ration::core {
namespace {

using namespace std::chrono_literals;
using std::size_t;

/// A law was broken; the text says which.
struct Broken {
    std::string law;
};

void law(bool holds, char const* text)
{
    if (!holds) throw Broken{text};
}

/// A sliding log as naive as can be.
class NaiveStore {
public:
    NaiveStore(Permits rate, Duration interval) : rate_{rate}, interval_{interval} {}

    Outcome take(Permits n, Time now)
    {
        Outcome outcome;
        if (n > rate_) {
            outcome.error = Errc::permits_exceed_rate;
            outcome.decision.remaining = rate_;
            return outcome;
        }
        std::erase_if(grants_, [&](Grant const& grant) { return grant.at + interval_ <= now; });
        Permits used = 0;
        for (Grant const& grant : grants_) used += grant.n;
        outcome.decision.granted = used + n <= rate_;
        if (outcome.decision.granted) {
            grants_.push_back({now, n});
            used += n;
            check_window({now, n});
        } else {
            Permits missing = used + n - rate_;
            for (Grant const& grant : grants_) {
                missing -= grant.n;
                outcome.decision.retry_after = grant.at + interval_ - now;
                if (missing <= 0) break;
            }
        }
        outcome.decision.remaining = std::max<Permits>(0, rate_ - used);
        if (!grants_.empty()) outcome.decision.reset_after = grants_.back().at + interval_ - now;
        return outcome;
    }

    void set_rate(Permits rate)  ///< forgets the grants
    {
        rate_ = rate;
        grants_.clear();
        history_.clear();
    }

    void update_rate(Permits rate)  ///< keeps the grants, debt included
    {
        rate_ = rate;
        history_.clear();
    }

    Permits rate() const { return rate_; }

private:
    struct Grant {
        Time at;
        Permits n;
    };

    // By another road than take: from the history since the rate was last changed, which never forgets early.
    void check_window(Grant const& last)
    {
        history_.push_back(last);
        Permits sum = 0;
        for (auto grant = history_.rbegin(); grant != history_.rend(); ++grant) {
            if (grant->at <= last.at - interval_) break;
            sum += grant->n;
        }
        law(sum <= rate_, "the store over-admitted");
    }

    Permits rate_;
    Duration interval_;
    std::vector<Grant> grants_;
    std::vector<Grant> history_;
};

struct Caller : Request {
    int id = 0;
    bool waits = false;  // patient with time to wait, as the model sees it
    bool cancelled = false;
    Time promised = Time::max();  // when the store last said it could pass
    bool head = false;            // and it was at the front then
    bool contested = false;
    bool completed = false;
};

enum class Fate { answered, lost, failed };

/// A call on its way.
struct Out {
    std::vector<Caller*> callers;
    bool head_blocks;
    Time left;
    Time evaluated_at;
    Time arrives_at;
    Fate fate;
    bool executed;       // answered always, lost perhaps
    size_t stops_after;  // the store gives up early, as one with a budget may
    bool disowned = false;
    std::optional<Answer> answer;
};

/// What kind of world a seed makes.
struct Climate {
    Permits rate;
    Duration interval;
    Duration grid;  // times are multiples: a coarse grid makes coincidences
    Duration mean_gap;
    Duration mean_call;
    Duration max_timeout;
    int crowd;  // joins stop above
    int patient_percent, deadline_percent, lost_percent, failed_percent, short_percent, cancel_percent;
    int foreign_percent, change_percent, end_permille, late_percent;
    bool overlaps;  // has two calls out whenever it may
};

class World {
public:
    explicit World(std::uint32_t seed)
        : random_{seed},
          queue_{seed, is_crowded(seed) ? Overlap::always() : Overlap::never()},
          climate_{is_crowded(seed) ? some_crowded_climate() : some_climate()}
    {}

    void run(int steps)
    {
        for (step_ = 0; step_ < steps; ++step_) {
            Time const act_at = now_ + some_delay(climate_.mean_gap);
            if (!next_event_until(act_at)) {
                now_ = act_at;
                act();
            }
            check_state();
        }
        quiet_ = true;
        for (int left = 200 * (climate_.crowd + 10); !line_.empty(); --left, ++step_) {
            law(left > 0, "somebody was forgotten: the world is quiet and the queue does not drain");
            law(next_event_until(Time::max()), "somebody was forgotten: they wait and nothing is under way");
            check_state();
        }
        while (next_event_until(Time::max())) check_state();
        law(queue_.size() == 0, "size() is not zero although everybody has left");
        for (Caller const& caller : everybody_) law(caller.completed, "somebody was never completed");
        law(handed_out_ == received_ + lost_,
            "permits handed out != permits received + permits of lost calls");
    }

    std::string report() const
    {
        std::ostringstream out;
        out << "step " << step_ << ", t = " << now_.time_since_epoch().count() << " us, the last events:\n";
        for (std::string const& event : log_) out << "    " << event << '\n';
        return out.str();
    }

    // What the runs together must have seen, or they prove little.
    struct Seen {
        int granted, denied, cancelled, unknown, failed, past_head, spaced, calls, joined, overlapping;
        Seen& operator+=(Seen const& other)
        {
            granted += other.granted, denied += other.denied, cancelled += other.cancelled;
            unknown += other.unknown, failed += other.failed, past_head += other.past_head;
            spaced += other.spaced, calls += other.calls, joined += other.joined;
            overlapping += other.overlapping;
            return *this;
        }
    };
    Seen seen{};

private:
    static constexpr Duration max_late = 3ms;
    static constexpr Duration max_turn = 1ms;

    static bool is_crowded(std::uint32_t seed) { return seed % 4 == 0; }

    // ---- chance ----

    template <class T>
    T some(T from, T to)
    {
        return std::uniform_int_distribution<T>{from, to}(random_);
    }

    bool percent(int chance) { return some(1, 100) <= chance; }

    Duration some_delay(Duration mean)
    {
        if (percent(20)) return 0us;
        Duration const delay{some<Duration::rep>(0, 2 * mean.count())};
        return delay - delay % climate_.grid;
    }

    Climate some_climate()
    {
        Climate climate{};
        climate.rate = some<Permits>(1, 12);
        climate.interval = percent(90) ? some(5, 400) * 1ms : some(4'000, 20'000) * 1ms;
        climate.grid = percent(50) ? 1us : 1ms;
        climate.mean_gap = climate.interval / some(2, 40);
        climate.mean_call = percent(30) ? Duration{1us} : climate.interval / some(2, 100);
        climate.max_timeout = climate.interval * some(1, 10);
        climate.crowd = some(2, 40);
        climate.patient_percent = some(10, 95);
        climate.deadline_percent = some(0, 90);
        climate.lost_percent = some(0, 3) * 5;
        climate.failed_percent = some(0, 2) * 3;
        climate.short_percent = some(0, 2) * 4;
        climate.cancel_percent = some(0, 20);
        climate.foreign_percent = some(0, 4) * 15;
        climate.change_percent = some(0, 3);
        climate.end_permille = some(0, 3);
        climate.late_percent = some(0, 1) * 50;
        return climate;
    }

    /// Most do not wait, and many come while a call is out.
    Climate some_crowded_climate()
    {
        Climate climate = some_climate();
        climate.overlaps = true;
        climate.crowd = some(20, 120);
        climate.patient_percent = percent(50) ? 0 : some(1, 5);
        climate.mean_call = climate.interval / some(2, 20);
        climate.mean_gap = climate.mean_call / some(20, 200);
        return climate;
    }

    // ---- the world ----

    /// The next thing under way that is due by then happens. False: there is none.
    bool next_event_until(Time until)
    {
        enum class What { evaluation, arrival, turn, timer };
        std::optional<What> what;
        Time when = until;
        auto const consider = [&](What candidate, Time at) {
            if (at < when || (at == when && (!what || percent(50)))) what = candidate, when = at;
        };
        size_t number = 0;  // of the call, if it is one
        for (size_t i = 0; i < calls_.size(); ++i) {
            if (!calls_[i]) continue;
            Out const& out = *calls_[i];
            auto const before = std::pair{what, when};
            if (out.executed && !out.answer) consider(What::evaluation, out.evaluated_at);
            if (out.answer || !out.executed) consider(What::arrival, out.arrives_at);
            if (std::pair{what, when} != before) number = i;
        }
        if (turn_) consider(What::turn, *turn_);
        if (timer_) consider(What::timer, fires_);
        if (!what) return false;
        now_ = std::max(now_, when);
        switch (*what) {
        case What::evaluation: evaluate(*calls_[number]); break;
        case What::arrival: arrive(number); break;
        case What::turn:
            note("turned");
            turn_.reset();
            queue_.turned();
            settle();
            break;
        case What::timer:
            note("woken");
            timer_.reset();
            queue_.woken(now_);
            settle();
            law(!timer_ || *timer_ > now_, "busy loop: the timer was set to a moment that has passed");
            break;
        }
        return true;
    }

    void act()
    {
        if (some(1, 1000) <= climate_.end_permille) return end();
        if (percent(climate_.change_percent)) return change_rate();
        if (percent(climate_.foreign_percent / 4)) return foreign_process();
        if (!line_.empty() && percent(climate_.cancel_percent)) return cancel();
        if (line_.size() < static_cast<size_t>(climate_.crowd)) return join();
    }

    void join()
    {
        Caller& caller = everybody_.emplace_back();
        caller.id = static_cast<int>(everybody_.size());
        caller.n = percent(3) ? store_.rate() + 1 : some<Permits>(1, percent(60) ? 1 : store_.rate());
        caller.patient = percent(climate_.patient_percent);
        if (percent(climate_.deadline_percent)) caller.deadline = now_ + some_delay(climate_.max_timeout / 2);
        caller.waits = caller.patient && caller.deadline > now_;
        note("join #", caller.id, " n=", caller.n, caller.waits ? " patient" : " impatient");
        line_.push_back(&caller);
        ++seen.joined;
        if (!blocker_ || !caller.waits) news_ = true;
        bool const resting = timer_ && now_ < *timer_;
        queue_.join(caller, now_);
        settle();
        if (resting && blocker_) {
            law(caller.completed == !caller.waits,
                "an impatient caller behind one who waits is denied at once");
            law(calls_out() == 0, "a call left although somebody who waits stands in front of the newcomer");
        }
    }

    void cancel()
    {
        Caller& caller = *line_[some<size_t>(0, line_.size() - 1)];
        if (caller.cancelled) return;
        note("cancel #", caller.id);
        caller.cancelled = true;
        bool const asked = in_call(caller);
        queue_.cancel(caller);
        settle();
        law(caller.completed != asked, "cancelled: leaves at once, unless its call is out");
    }

    void change_rate()
    {
        Permits const rate = some<Permits>(1, 12);
        bool const forget = percent(50);
        bool const ours = percent(50);
        note(forget ? "set_rate " : "update_rate ", rate, ours ? "" : " by another process");
        forget ? store_.set_rate(rate) : store_.update_rate(rate);
        if (!ours) return;
        news_ = true;
        owed_ = !line_.empty();
        queue_.ask_again();
        settle();
    }

    void foreign_process()
    {
        Permits const n = some<Permits>(1, store_.rate());
        note("another process takes ", n);
        (void)store_.take(n, now_);
    }

    void end()
    {
        note("end");
        for (auto& call : calls_) {
            if (call) call->disowned = true;
        }
        ending_ = true;
        queue_.end(Errc::client_closed);
        settle();
        ending_ = false;
        law(line_.empty(), "end() completes everybody");
    }

    void evaluate(Out& out)
    {
        if (!quiet_ && percent(climate_.foreign_percent)) foreign_process();
        Answer answer;
        answer.capacity = percent(2) ? 0 : store_.rate();
        for (Caller* caller : out.callers) {
            if (answer.outcomes.size() == out.stops_after) break;
            Outcome const outcome = answer.outcomes.emplace_back(store_.take(caller->n, now_));
            bool const granted = outcome.decision.granted;
            if (granted) handed_out_ += caller->n;
            bool const passed_over = !out.head_blocks && caller == out.callers.front();
            if (!outcome.error && !granted && caller->waits && !passed_over) break;
        }
        note("the store evaluates ", answer.outcomes.size(), " of ", out.callers.size());
        out.answer = std::move(answer);
    }

    void arrive(size_t number)
    {
        Out const call = std::move(*calls_[number]);
        calls_[number].reset();
        arrived_ = &call;
        if (call.answer && (call.fate == Fate::lost || call.disowned)) {
            for (size_t place = 0; place < call.answer->outcomes.size(); ++place) {
                if (call.answer->outcomes[place].decision.granted) lost_ += call.callers[place]->n;
            }
        }
        switch (call.fate) {
        case Fate::answered:
            note("the answer arrives");
            read_answer(call);
            queue_.answered(*call.answer, now_, number);
            break;
        case Fate::lost:
            note("the answer is lost");
            for (Caller* caller : call.callers) caller->head = false, caller->promised = Time::max();
            news_ = true;
            queue_.lost(now_, nullptr, number);
            break;
        case Fate::failed:
            note("the call fails");
            news_ = true;
            queue_.failed(Errc::store_unavailable, now_, nullptr, number);
            break;
        }
        settle();
        arrived_ = nullptr;
        if (!blocker_ && unasked().size() > stay_) news_ = true;  // some were not evaluated
        if (call.disowned) return;
        for (size_t place = 0; place < call.callers.size(); ++place) {
            Caller const& caller = *call.callers[place];
            bool const said = call.fate == Fate::answered && place < call.answer->outcomes.size();
            Outcome const outcome = said ? call.answer->outcomes[place] : Outcome{};
            if (said && (outcome.decision.granted || outcome.error || !caller.waits)) {
                law(caller.completed, "who got an answer is completed");
            }
            law(caller.completed || caller.waits || news_ || turn_ || calls_out() > 0,
                "an impatient caller waits");
            law(caller.completed || !caller.cancelled, "cancelled, but still there after the answer");
            law(caller.completed || call.fate != Fate::failed, "a failed call fails everybody in it");
        }
    }

    /// What the model learns from an answer: who waits, until when, and whom it blocks.
    void read_answer(Out const& call)
    {
        answered_at_ = now_;
        if (call.answer->capacity > 0) capacity_ = call.answer->capacity;
        blocker_ = nullptr;
        stay_ = 0;
        size_t const said = std::min(call.answer->outcomes.size(), call.disowned ? 0 : call.callers.size());
        Caller const* front = nullptr;  // the first who stays
        for (size_t place = 0; place < said; ++place) {
            Caller& caller = *call.callers[place];
            Outcome const& outcome = call.answer->outcomes[place];
            if (outcome.error || outcome.decision.granted || !caller.waits) continue;
            if (caller.head && call.left >= caller.promised) caller.contested = true;
            caller.promised = now_ + outcome.decision.retry_after;
            if (caller.cancelled || caller.promised > caller.deadline) continue;
            if (!front) front = &caller;
            caller.head = &caller == front;
            ++stay_;
            if (!caller.contested) blocker_ = &caller;
        }
    }

    // ---- the driver, and what it checks ----

    void settle()
    {
        std::vector<RequestQueue::Completion> completed;
        queue_.take_completed(completed);
        for (auto const& [request, outcome] : completed) complete(*static_cast<Caller*>(request), outcome);
        auto action = queue_.next(now_);
        timer_.reset();
        while (auto* call = std::get_if<RequestQueue::Call>(&action)) {
            send(call->batch, call->number);
            action = queue_.next(now_);
        }
        if (std::holds_alternative<RequestQueue::Turn>(action)) {
            law(!turn_ || climate_.overlaps, "one turn at a time");
            turn_ = now_ + Duration{some<Duration::rep>(0, percent(50) ? 0 : max_turn.count())};
        } else if (auto const* wait = std::get_if<RequestQueue::Wait>(&action)) {
            timer_ = wait->until;
            fires_ = wait->until;
            if (percent(climate_.late_percent)) fires_ += Duration{some<Duration::rep>(0, max_late.count())};
        }
    }

    void complete(Caller& caller, Outcome const& outcome)
    {
        law(!caller.completed, "completed twice");
        caller.completed = true;
        news_ = true;
        auto const place = std::find(line_.begin(), line_.end(), &caller);
        law(place != line_.end(), "completed, but never joined");
        bool const asked = arrived_ && !arrived_->disowned && in_call(caller, *arrived_);
        Outcome const* said = asked ? what_was_said(caller) : nullptr;
        if (outcome.error == Errc::cancelled) {
            ++seen.cancelled;
            law(caller.cancelled, "cancelled without asking for it");
            law(!said || !said->decision.granted, "granted, but told it was cancelled");
        } else if (outcome.error == Errc::client_closed) {
            law(ending_, "closed, but nobody ended it");
        } else if (outcome.error == Errc::outcome_unknown) {
            ++seen.unknown;
            law(asked && arrived_->fate == Fate::lost && !caller.waits,
                "outcome_unknown is for impatient, lost calls");
        } else if (outcome.error == Errc::store_unavailable) {
            ++seen.failed;
            law(asked && arrived_->fate == Fate::failed, "store_unavailable is for failed calls");
        } else if (!asked && outcome.error == Errc::permits_exceed_rate) {
            law(!caller.waits && capacity_ > 0 && caller.n > capacity_,
                "told that it can never pass, but it can");
        } else if (outcome.error || outcome.decision.granted) {
            law(said && *said == outcome, "completed with another answer than the store gave");
        } else {
            ++seen.denied;
            check_denial(caller, outcome.decision, said, place);
        }
        if (!outcome.error && outcome.decision.granted) {
            ++seen.granted;
            received_ += caller.n;
            for (auto earlier = line_.begin(); earlier != place; ++earlier) {
                bool const passed_over = !arrived_->head_blocks && *earlier == arrived_->callers.front();
                law(!(*earlier)->waits || passed_over || !caller.waits, "a patient caller was overtaken");
            }
        }
        if (caller.waits && caller.deadline != Request::no_deadline && !ending_) {
            Time const grace = caller.deadline + max_late + max_turn;
            bool asked_in_time = arrived_ && arrived_->left <= grace;
            for (auto const& call : calls_) asked_in_time |= call && call->left <= grace;
            law(now_ <= grace || asked_in_time, "completed too long after its deadline");
        }
        if (&caller == blocker_) blocker_ = nullptr;
        line_.erase(place);
    }

    void check_denial(Caller const& caller, Decision const& told, Outcome const* said,
                      std::vector<Caller*>::iterator place)
    {
        law(told.retry_after >= 0us, "retry_after is negative");
        if (said && !said->error && !said->decision.granted && told == said->decision) {
            law(!caller.waits || now_ + told.retry_after > caller.deadline,
                "denied, but it had time to wait");
        } else if (caller.waits) {
            law(caller.deadline <= now_, "denied before its deadline");
            law(arrived_ || !caller.head || caller.promised > caller.deadline,
                "the head was denied without being asked at its moment");
        } else {
            law(std::any_of(line_.begin(), place, [](Caller const* earlier) { return earlier->waits; }),
                "an impatient caller was denied unseen although nobody waits in front of it");
            law(!owed_, "denied unseen although something has changed");
            law(told.retry_after > 0us, "told to retry at once, but would be denied again");
            law(blocker_ && now_ + told.retry_after <= std::max(now_, blocker_->promised) + 20ms,
                "retry_after is later than the moment of whoever waits in front, spacing included");
        }
    }

    Outcome const* what_was_said(Caller const& caller) const
    {
        if (arrived_->fate != Fate::answered) return nullptr;
        auto const& callers = arrived_->callers;
        auto const place =
            static_cast<size_t>(std::find(callers.begin(), callers.end(), &caller) - callers.begin());
        return place < arrived_->answer->outcomes.size() ? &arrived_->answer->outcomes[place] : nullptr;
    }

    void send(Batch const& batch, size_t number)
    {
        ++seen.calls;
        law(!calls_[number], "two calls of the same number");
        bool const nobody_waits =
            std::none_of(line_.begin(), line_.end(), [](Caller const* caller) { return caller->waits; });
        if (calls_out() > 0) {
            ++seen.overlapping;
            law(climate_.overlaps && nobody_waits, "two calls out although somebody waits");
        }
        law(!turn_ || climate_.overlaps, "a call left before the handlers had their turn");
        Out call{};
        Permits room = capacity_;
        bool ends = false;  // with somebody who will have to wait
        auto const line = unasked();
        law(!line.empty(), "a call for nobody");
        Caller const& front = *line.front();
        for (Run const& run : batch.runs) {
            law(call.callers.empty() || run.n != call.callers.back()->n
                    || run.patient != call.callers.back()->waits,
                "equal neighbours are not one run");
            for (std::uint32_t i = 0; i < run.count; ++i) {
                law(call.callers.size() < line.size(), "a call for more requests than there are");
                Caller& caller = *line[call.callers.size()];
                law(caller.n == run.n && caller.waits == run.patient,
                    "the call is not the front of the line");
                law(!ends, "a call goes on behind somebody who will have to wait");
                call.callers.push_back(&caller);
                if (capacity_ == 0 || (!batch.head_blocks && &caller == &front)) continue;
                if (caller.n <= room)
                    room -= caller.n;
                else
                    ends = caller.waits;
            }
        }
        law(!call.callers.empty(), "an empty call");
        bool const is_half = climate_.overlaps && nobody_waits && call.callers.size() >= line_.size() / 2;
        bool const is_cut = calls_out() > 0;  // the rest stands behind those who are asked already
        law(ends || is_half || is_cut || call.callers.size() == line.size(),
            "somebody was left out needlessly");
        law(batch.head_blocks == !front.contested, "the head is passed over if and only if it was contested");
        if (!batch.head_blocks) ++seen.past_head;

        Time due = answered_at_ + RequestQueue::max_wait;
        for (Caller const* caller : line_) due = std::min({due, caller->promised, caller->deadline});
        law(news_ || now_ >= due,
            "busy loop: a call left although nothing has changed and nobody's moment has come");
        news_ = is_half && call.callers.size() < line.size();

        call.head_blocks = batch.head_blocks;
        call.left = now_;
        call.evaluated_at = now_ + some_delay(climate_.mean_call);
        call.arrives_at = call.evaluated_at + some_delay(climate_.mean_call);
        owed_ = false;
        bool const trouble = !quiet_;
        call.fate = trouble && percent(climate_.lost_percent)     ? Fate::lost
                    : trouble && percent(climate_.failed_percent) ? Fate::failed
                                                                  : Fate::answered;
        call.executed = call.fate == Fate::answered || (call.fate == Fate::lost && percent(50));
        call.stops_after = trouble && percent(climate_.short_percent) ? some<size_t>(0, call.callers.size())
                                                                      : call.callers.size();
        note("call for ", call.callers.size(), batch.head_blocks ? "" : ", past the head");
        calls_[number] = std::move(call);
    }

    /// Who is in line and in no call.
    std::vector<Caller*> unasked() const
    {
        std::vector<Caller*> result;
        std::copy_if(line_.begin(), line_.end(), std::back_inserter(result),
                     [&](Caller const* caller) { return !in_call(*caller); });
        return result;
    }

    size_t calls_out() const { return size_t{calls_[0].has_value()} + size_t{calls_[1].has_value()}; }

    void check_state()
    {
        law(queue_.size() == line_.size(), "size() is not the number of those in line");
        if (line_.empty()) {
            owed_ = false;
            return;
        }
        law(calls_out() > 0 || turn_ || timer_, "somebody was forgotten: no call, no turn, no timer");
        if (!timer_) return;
        law(!owed_, "a change of ours did not make the queue ask again");
        law(blocker_ || (line_.size() == 1 && line_.front()->contested), "somebody waits whom nobody blocks");
        if (*timer_ > line_.front()->promised) ++seen.spaced;
        law(*timer_ <= answered_at_ + RequestQueue::max_wait,
            "the timer is more than 5 s after the last answer");
        for (Caller const* caller : line_) {
            law(caller->waits, "an impatient caller waits");
            law(*timer_ <= caller->deadline, "the timer is later than a deadline");
        }
        law(*timer_ <= line_.front()->promised + 20ms || line_.front()->promised > Time::max() - 1s,
            "the timer is later than the head's moment");
        law(line_.front()->contested || *timer_ <= line_.front()->promised, "spaced without being contested");
    }

    static bool in_call(Caller const& caller, Out const& call)
    {
        return std::find(call.callers.begin(), call.callers.end(), &caller) != call.callers.end();
    }

    bool in_call(Caller const& caller) const
    {
        return std::any_of(calls_.begin(), calls_.end(), [&](auto const& call) {
            return call && !call->disowned && in_call(caller, *call);
        });
    }

    template <class... Parts>
    void note(Parts const&... parts)
    {
        std::ostringstream out;
        out << now_.time_since_epoch().count() << ": ";
        (out << ... << parts);
        log_.push_back(out.str());
        if (log_.size() > 25) log_.pop_front();
    }

    std::mt19937 random_;
    RequestQueue queue_;
    Climate climate_;
    NaiveStore store_{climate_.rate, climate_.interval};
    Time now_{1h};
    int step_ = 0;
    bool quiet_ = false;   // no more trouble: only what is under way
    bool ending_ = false;  // inside end()
    bool owed_ = false;    // a call is due, because of a change of ours
    bool news_ = false;    // something has happened since the last call left that is worth another

    std::deque<Caller> everybody_;
    std::vector<Caller*> line_;  // joined, not completed, in order
    Caller* blocker_ = nullptr;  // whose refusal ended the last call, unless they are contested
    size_t stay_ = 0;            // how many the last answer left waiting
    Permits capacity_ = 0;
    Time answered_at_{1h};
    std::array<std::optional<Out>, 2> calls_;  // out
    Out const* arrived_ = nullptr;             // the call whose end is being told right now
    std::optional<Time> turn_;
    std::optional<Time> timer_;
    Time fires_{};  // the timer, perhaps a little late

    Permits handed_out_ = 0;  // by the store, to our calls
    Permits received_ = 0;    // by callers
    Permits lost_ = 0;        // handed out, but the answer reached nobody
    std::deque<std::string> log_;
};

/// Seeds that once found something; they are still here.
constexpr std::uint32_t kept_seeds[] = {2001};

World::Seen run_world(std::uint32_t seed, int steps)
{
    World world{seed};
    try {
        world.run(steps);
    } catch (Broken const& broken) {
        ADD_FAILURE() << broken.law << "\nRATION_SEED=" << seed << ", " << world.report();
    }
    return world.seen;
}

TEST(RequestQueueProperty, TheLawsHoldInEveryWorld)
{
    World::Seen seen{};
    int worlds = 0;
    auto const visit = [&](std::uint32_t seed) {
        seen += run_world(seed, 2000);
        ++worlds;
        return !HasFailure();
    };
    for (std::uint32_t const seed : kept_seeds) {
        if (!visit(seed)) return;
    }
    for (std::uint32_t seed = 1000; seed < 2000; ++seed) {
        if (!visit(seed)) return;
    }
    if (char const* seed = std::getenv("RATION_SEED")) {
        visit(static_cast<std::uint32_t>(std::strtoul(seed, nullptr, 10)));
    }
    std::cout << worlds << " worlds: " << seen.joined << " joined, " << seen.calls << " calls ("
              << seen.past_head << " past a contested head, " << seen.overlapping << " beside another), "
              << seen.granted << " granted, " << seen.denied << " denied, " << seen.cancelled
              << " cancelled, " << seen.unknown << " unknown, " << seen.failed << " failed\n";
    // A world in which nothing happens proves nothing.
    for (int const count : {seen.granted, seen.denied, seen.cancelled, seen.unknown, seen.failed,
                            seen.past_head, seen.spaced, seen.overlapping}) {
        EXPECT_GT(count, 1000);
    }
}

}  // namespace
}  // namespace ration::core
