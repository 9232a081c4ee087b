#pragma once

#include "core/queue_store.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ration::core {

/// Somebody who wants an item. Owned by the caller, who keeps it alive and in place until it is completed; it joins once.
struct Taker {
    static constexpr Time no_deadline = Time::max();

    bool patient = false;         ///< waits if it must; else now or never
    Time deadline = no_deadline;  ///< patient only: ends without an item at this moment

private:
    friend class TakeQueue;
    std::list<Taker*>::iterator place_{};
    std::uint64_t order_ = 0;
    bool cancelled_ = false;  // while a call was out that asked for it too
};

/// Consumers of one delay queue in one client: first come, first served, one call or one timer at a time.
///
/// A pure state machine: told what happened, it says what to do next. No clock, no timer, no store, no lock. After every
/// event the driver delivers what `take_completed` hands out, then does what `next` says.
///
/// Invariants: whoever joined is completed exactly once. While a call is out its answer decides for all who had joined when
/// it left, cancelled and expired ones included, so that no item is taken for nobody. Items go to takers in the order in
/// which they joined. An answer with fewer items than were asked for says that no more are due.
class TakeQueue {
public:
    /// Nothing, an item, or an error.
    using Outcome = Result<std::optional<Item>>;

    struct Completion {
        Taker* taker;
        Outcome outcome;
    };

    struct Nothing {};  ///< nobody waits, or a call is out
    struct Call {       ///< take up to `count` items; report once, by answered or failed
        std::size_t count;
    };
    struct Wait {  ///< set the timer; report by woken. Time::max(): only a notice can end it
        Time until;
    };
    using Action = std::variant<Nothing, Call, Wait>;

    /// What a call takes at most: a reply stays small, and a consumer that dies with it costs no more than this.
    static constexpr std::size_t max_batch = 64;

    // What happened.
    void join(Taker& taker);
    void cancel(Taker& taker);  ///< Requires: joined and not yet completed
    void answered(Taken taken, Time now);
    void failed(Errc error, std::string const& detail);  ///< ends those who were asked for
    void woken(Time now);                                ///< the timer fired
    void noticed() noexcept { ask_ = true; }             ///< an earlier item may be there
    void end(Errc error,
             std::string const& detail);  ///< completes everybody; an answer still out serves nobody

    // What to do next.
    Action next(Time now);
    std::vector<Completion> take_completed() noexcept { return std::exchange(completed_, {}); }

    std::size_t size() const noexcept { return takers_.size(); }

private:
    void complete(Taker& taker, Outcome outcome);
    bool is_asked_for(Taker const& taker) const noexcept { return calling_ && taker.order_ <= last_asked_; }
    void end_expired(Time now);

    std::list<Taker*> takers_;
    std::set<std::pair<Time, Taker*>> deadlines_;
    std::uint64_t last_order_ = 0;
    std::uint64_t last_asked_ = 0;  // the last who had joined when the call left
    std::size_t count_ = 0;         // how many items it asks for
    std::size_t leaving_ = 0;       // takers who are impatient or cancelled
    bool calling_ = false;
    bool ask_ = false;           // somebody has not been asked about yet, or something changed
    Time moment_ = Time::max();  // when the store said the next item is due
    std::vector<Completion> completed_;
};

}  // namespace ration::core
