#pragma once

#include "core/batch.hpp"
#include "core/overlap.hpp"

#include <ration/types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ration::core {

/// Somebody who asks for permits. Owned by the caller, who keeps it alive and in place until it is completed;
/// it joins once.
struct Request {
    static constexpr Time no_deadline = Time::max();

    Permits n = 1;                        ///< at least 1: checked before it joins
    bool patient = false;                 ///< waits if it must; else now or never
    Time deadline = no_deadline;          ///< patient only: denied at this moment
    std::optional<Algorithm> expected{};  ///< what it takes the limiter for, if anything

private:
    friend class RequestQueue;
    bool can_expire() const noexcept { return waits_ && deadline != no_deadline; }

    Request* previous_ = nullptr;
    Request* next_ = nullptr;
    Time joined_{};
    bool waits_ = false;      // patient, and has time to be
    bool in_flight_ = false;  // its call is out: the answer decides
    bool cancelled_ = false;  // while its call was out
};

/// Combining, first come first served, deadlines and cancellation for one limiter of one client:
/// the ten rules of docs/request-queue.md.
///
/// A pure state machine: told what happened, it says what to do next. No clock, no timer, no store, no lock.
/// After every event the driver delivers what `take_completed` hands out, then does what `next` says.
///
/// Invariants: only requests of a call that is out can be granted, and while somebody patient is in line there is one such call.
/// Whoever joined is completed exactly once. Patient requests are granted in the order in which they joined,
/// except past a contested head (rule 6).
class RequestQueue {
public:
    /// A request that has left the queue; it may be destroyed now.
    struct Completion {
        Request* request;
        Outcome outcome;
    };

    struct Nothing {};  ///< nobody waits, or a call or a turn is under way
    struct Call {       ///< ask the store; report once, by answered, lost or failed
        Batch batch;
        std::size_t number;  ///< 0, or 1 if two are out; to be named in the report
    };
    struct Turn {};  ///< let the completed handlers have one turn, then report by turned
    struct Wait {    ///< set the timer; report by woken
        Time until;
    };
    using Action = std::variant<Nothing, Call, Turn, Wait>;

    using Detail = std::shared_ptr<std::string const>;  ///< what an error's code alone cannot say

    /// A change made by another process is seen after this long at the latest.
    static constexpr Duration max_wait = std::chrono::seconds{5};

    /// What a call asks at most, so that a wake-up stays short however many wait. More brings next to nothing, since the cost
    /// of a call is spread over hundreds already; and fewer would take less time to serve than a call takes (rule 4).
    static constexpr std::size_t max_batch = 512;

    /// What a call asks at least if another is out (rule 2).
    static constexpr std::size_t min_half = 16;

    /// `seed`: for the spacing of a contested head's retries.
    explicit RequestQueue(std::uint32_t seed, Overlap overlap = Overlap::never())
        : overlap_{overlap}, random_{seed}
    {}

    RequestQueue(RequestQueue const&) = delete;
    RequestQueue& operator=(RequestQueue const&) = delete;

    // What happened.
    void join(Request& request, Time now);
    void cancel(Request& request);  ///< Requires: joined and not yet completed
    void answered(Answer const& answer, Time now, std::size_t number = 0);
    /// Sent, but nobody knows whether it was executed.
    void lost(Time now, Detail const& detail = nullptr, std::size_t number = 0);
    /// Not sent, or refused as a whole: nothing was taken.
    void failed(Errc error, Time now, Detail const& detail = nullptr, std::size_t number = 0);
    void turned() noexcept;     ///< the completed handlers had their turn
    void woken(Time now);       ///< the timer fired
    void ask_again() noexcept;  ///< rate or state changed beside the queue
    void end(Errc error);       ///< completes everybody; calls that are out then answer nobody

    // What to do next.
    Action next(Time now);
    /// Whether `next` is a call that need not wait until those who were just completed have heard of it (rule 4).
    bool call_is_full() const noexcept { return calls_out() == 0 && ask_ && !head_ && size_ >= max_batch; }
    std::size_t calls_out() const noexcept
    {
        return std::size_t{calls_[0].is_out} + std::size_t{calls_[1].is_out};
    }
    /// Adds them to `to`, in the order in which they were completed.
    void take_completed(std::vector<Completion>& to);

    /// Who is in the queue, impatient requests of the call that is out included.
    std::size_t size() const noexcept { return size_; }

    /// What an impatient request is told because somebody waits in front of it. Nothing if nobody does, or if
    /// they are being asked about: then it has to join.
    std::optional<Decision> denial_behind_head(Time now) const noexcept;

private:
    enum class Phase : std::uint8_t { resting, answered, turning };

    /// Its requests stand one behind the other, and only its answer can take them out.
    struct CallOut {
        bool is_out = false;
        Request* first = nullptr;
        std::size_t size = 0;
        Time left{};
    };

    bool is_crowd() const noexcept
    {
        return impatient_ == size_ && size_ >= 2 * min_half && overlap_.wanted();
    }
    bool may_overlap() const noexcept;
    Call gather(Time now);
    CallOut take_back(std::size_t number);
    Duration waited_for_store(Request const& request, Time now) const noexcept;
    void keep_waiting(Request& request, Time moment);
    void deny_impatient(Time now);
    void deny_expired(Time now, Request const* spared = nullptr);
    void complete(Request& request, Outcome const& outcome);
    void unlink(Request& request) noexcept;
    Duration random_spacing();
    Decision denial(Time now) const noexcept;

    Phase phase_ = Phase::resting;
    bool ask_ = false;         // somebody has not been asked about yet, or something changed
    bool changed_ = false;     // ask_again came since the last call left
    bool contested_ = false;   // the head was refused at its own moment: it no longer blocks (rule 6)
    Request* head_ = nullptr;  // the front, once the store has refused it
    Request* blocker_ =
        nullptr;          // whose refusal ended the last call: the head, or one behind a contested one
    Time head_moment_{};  // when the store said the head could pass
    Time moment_{};       // when the store said the first of head and blocker could pass
    Time reset_{};        // when the store said all is free
    Basis basis_{};       // who said so
    Time asked_{};        // when the call left whose answer came last
    std::optional<Time> failing_since_;  // when the first of the calls left that all failed since
    Time wake_{};                        // when to ask again if nothing happens
    Duration spacing_{};                 // of a contested head's retries, at most
    Request* front_ = nullptr;
    Request* back_ = nullptr;
    std::size_t size_ = 0;
    std::size_t impatient_ = 0;  // of size_; never left behind a blocker
    std::size_t in_flight_ = 0;  // of size_, in calls that are out
    std::array<CallOut, 2> calls_;
    Permits capacity_ = 0;  // as the store last said; 0: unknown
    std::set<std::pair<Time, Request*>> deadlines_;
    std::vector<Completion> completed_;
    Overlap overlap_;
    std::minstd_rand random_;
};

}  // namespace ration::core
