// The ten rules of docs/request-queue.md, each told as a story: events by hand, time by hand, no store.

#include "core/request_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace ration::core {
namespace {

using namespace std::chrono_literals;
using std::string;

Outcome granted()
{
    Outcome outcome;
    outcome.decision.granted = true;
    return outcome;
}

Outcome refused(Duration retry_after)
{
    Outcome outcome;
    outcome.decision.retry_after = retry_after;
    outcome.decision.reset_after = std::min(retry_after, Duration{24h}) * 2;
    return outcome;
}

string text(Duration span)
{
    return span % 1ms == 0us ? std::to_string(span / 1ms) + "ms" : std::to_string(span.count()) + "us";
}

string text(Batch const& batch)
{
    string out = batch.head_blocks ? "call:" : "call past the head:";
    for (Run const& run : batch.runs) {
        out += " " + std::to_string(run.count) + "x" + std::to_string(run.n) + (run.patient ? "" : "?");
    }
    return out;
}

string text(Outcome const& outcome)
{
    if (outcome.error) {
        switch (*outcome.error) {
        case Errc::cancelled: return "cancelled";
        case Errc::client_closed: return "client_closed";
        case Errc::outcome_unknown: return "outcome_unknown";
        case Errc::permits_exceed_rate: return "permits_exceed_rate";
        case Errc::store_unavailable: return "store_unavailable";
        default: return "another error";
        }
    }
    return outcome.decision.granted ? "granted" : "denied, retry after " + text(outcome.decision.retry_after);
}

/// A queue, its driver's clock, and words for what comes out: three patient requests for 1 permit are "3x1",
/// impatient ones "3x1?".
class RequestQueueTest : public testing::Test {
protected:
    static constexpr Duration for_ever = Duration::max();

    Request& patient(Permits n = 1, Duration timeout = for_ever)
    {
        return join(n, true, timeout == for_ever ? Request::no_deadline : now + timeout);
    }

    Request& impatient(Permits n = 1) { return join(n, false, Request::no_deadline); }

    Request& join(Permits n, bool is_patient, Time deadline)
    {
        Request& request = requests.emplace_back();
        request.n = n;
        request.patient = is_patient;
        request.deadline = deadline;
        queue.join(request, now);
        return request;
    }

    void answer(std::initializer_list<Outcome> outcomes, Permits capacity = 0)
    {
        queue.answered({outcomes, capacity}, now);
    }

    /// The answer, the handlers' turn, and then what the queue wants.
    string answer_and_next(std::initializer_list<Outcome> outcomes, Permits capacity = 0)
    {
        answer(outcomes, capacity);
        return turn_and_next();
    }

    string turn_and_next()
    {
        EXPECT_EQ(next(), "turn");
        queue.turned();
        return next();
    }

    string pass_and_wake(Duration span)
    {
        now += span;
        queue.woken(now);
        return next();
    }

    string next()
    {
        auto const action = queue.next(now);
        if (auto const* call = std::get_if<RequestQueue::Call>(&action)) return text(call->batch);
        if (auto const* wait = std::get_if<RequestQueue::Wait>(&action))
            return "wait " + text(wait->until - now);
        return std::holds_alternative<RequestQueue::Turn>(action) ? "turn" : "nothing";
    }

    string fate(Request const& request)
    {
        std::vector<RequestQueue::Completion> completed;
        queue.take_completed(completed);
        for (auto const& completion : completed) {
            EXPECT_FALSE(fates.contains(completion.request)) << "completed twice";
            fates[completion.request] = text(completion.outcome);
        }
        auto const found = fates.find(&request);
        return found == fates.end() ? "queued" : found->second;
    }

    RequestQueue queue{1};
    Time now{1h};
    std::deque<Request> requests;
    std::map<Request const*, string> fates;
};

// ---- 1: joining ----

TEST_F(RequestQueueTest, Rule1_PatientRequestsGoToTheBack)
{
    Request& first = patient(1);
    Request& second = patient(2);
    EXPECT_EQ(next(), "call: 1x1 1x2");
    EXPECT_EQ(answer_and_next({granted(), refused(100ms)}), "wait 100ms");
    EXPECT_EQ(fate(first), "granted");
    EXPECT_EQ(fate(second), "queued");
}

TEST_F(RequestQueueTest, Rule1_AnImpatientRequestBehindAWaitingHeadIsDeniedWithoutACall)
{
    patient();
    next();
    EXPECT_EQ(answer_and_next({refused(100ms)}), "wait 100ms");
    now += 30ms;
    Request& late = impatient();
    EXPECT_EQ(fate(late), "denied, retry after 70ms") << "the head's moment";
    EXPECT_EQ(next(), "wait 70ms");
    EXPECT_EQ(queue.denial_behind_head(now)->reset_after, 170ms);
}

TEST_F(RequestQueueTest, Rule1_WhoIsDeniedBehindAHeadIsToldWhoDeniedThatOne)
{
    patient();
    next();
    Outcome elsewhere = refused(100ms);
    elsewhere.decision.basis = Basis::local_fallback;
    answer_and_next({elsewhere});
    EXPECT_EQ(queue.denial_behind_head(now)->basis, Basis::local_fallback);
    EXPECT_EQ(pass_and_wake(100ms), "call: 1x1");
    answer_and_next({refused(100ms)});
    EXPECT_EQ(queue.denial_behind_head(now + 1ms), std::nullopt) << "contested: it no longer blocks";
}

TEST_F(RequestQueueTest, Rule1_WhatCanNeverPassIsToldSoAndNotToComeLater)
{
    patient(5);
    next();
    answer_and_next({refused(100ms)}, 5);
    EXPECT_EQ(fate(impatient(6)), "permits_exceed_rate");
    EXPECT_EQ(fate(impatient(5)), "denied, retry after 100ms");
}

TEST_F(RequestQueueTest, Rule1_AnImpatientRequestIsAskedWhenTheHeadIsAskedToo)
{
    patient();
    next();
    answer_and_next({refused(100ms)});
    now += 100ms;  // the timer is due, but has not fired yet
    Request& punctual = impatient();
    EXPECT_EQ(next(), "call: 1x1 1x1?") << "a denial with retry_after 0 would help nobody";
    Request& during_the_call = impatient();
    answer({granted(), granted()});
    EXPECT_EQ(fate(punctual), "granted");
    EXPECT_EQ(turn_and_next(), "call: 1x1?");
    answer({refused(100ms)});
    EXPECT_EQ(fate(during_the_call), "denied, retry after 100ms");
}

TEST_F(RequestQueueTest, Rule1_WhileTheHeadIsAskedNobodyIsDeniedUnseen)
{
    patient();
    next();
    answer_and_next({refused(100ms)});
    queue.ask_again();
    EXPECT_EQ(next(), "call: 1x1");
    Request& hopeful = impatient();
    EXPECT_EQ(fate(hopeful), "queued");
    EXPECT_EQ(answer_and_next({granted()}), "call: 1x1?");
}

TEST_F(RequestQueueTest, Rule1_NoTimeToWaitIsExactlyOneAttempt)
{
    Request& at_once = patient(1, 0us);
    EXPECT_EQ(next(), "call: 1x1?");
    Request& during_the_call = patient(1, 0us);
    now += 1ms;
    EXPECT_EQ(answer_and_next({granted()}), "call: 1x1?");
    EXPECT_EQ(answer_and_next({refused(5ms)}), "nothing");
    EXPECT_EQ(fate(at_once), "granted");
    EXPECT_EQ(fate(during_the_call), "denied, retry after 5ms");
}

// ---- 2: what a call takes ----

TEST_F(RequestQueueTest, Rule2_ACallTakesRunsOfEqualNeighboursUpToTheFirstWhoMustWait)
{
    struct Asked {
        Permits n;
        bool patient;
    };
    struct Row {
        char const* what;
        Permits capacity;
        std::vector<Asked> asked;
        char const* call;
    };
    constexpr Permits huge = std::numeric_limits<Permits>::max();
    Row const rows[] = {
        {"one", 10, {{1, true}}, "call: 1x1"},
        {"equal neighbours are one run", 10, {{1, true}, {1, true}, {1, true}}, "call: 3x1"},
        {"another n starts a run", 10, {{1, true}, {2, true}, {1, true}}, "call: 1x1 1x2 1x1"},
        {"so does another temper", 10, {{1, true}, {1, false}, {1, false}}, "call: 1x1 2x1?"},
        {"exactly the capacity fits", 10, {{4, true}, {6, true}}, "call: 1x4 1x6"},
        {"who will not fit is asked for too, to know his wait", 10, {{4, true}, {7, true}}, "call: 1x4 1x7"},
        {"but nobody behind him", 10, {{4, true}, {7, true}, {1, true}}, "call: 1x4 1x7"},
        {"not even who is impatient", 10, {{4, true}, {7, true}, {1, false}}, "call: 1x4 1x7"},
        {"who can never fit goes alone", 10, {{11, true}, {1, true}}, "call: 1x11"},
        {"who does not wait keeps nobody out",
         2,
         {{1, false}, {1, false}, {1, false}, {1, false}},
         "call: 4x1?"},
        {"nor does he take what he will not get",
         10,
         {{11, false}, {4, true}, {6, true}},
         "call: 1x11? 1x4 1x6"},
        {"capacity unknown: all go", 0, {{4, true}, {7, true}, {100, true}}, "call: 1x4 1x7 1x100"},
        {"sums do not overflow", 0, {{huge, true}, {huge, true}, {1, true}}, "call: 2x9223372036854775807"},
        {"nor do they here", 10, {{huge, true}, {huge, true}}, "call: 1x9223372036854775807"},
    };
    for (Row const& row : rows) {
        SCOPED_TRACE(row.what);
        RequestQueue fresh{1};
        std::deque<Request> callers;
        auto const ask = [&](Asked const& asked) {
            Request& request = callers.emplace_back();
            request.n = asked.n;
            request.patient = asked.patient;
            fresh.join(request, now);
        };
        ask({1, false});  // the call that tells the capacity; meanwhile the others gather
        (void)fresh.next(now);
        for (Asked const& asked : row.asked) ask(asked);
        fresh.answered({{granted()}, row.capacity}, now);
        (void)fresh.next(now);
        fresh.turned();
        auto const action = fresh.next(now);
        ASSERT_TRUE(std::holds_alternative<RequestQueue::Call>(action));
        EXPECT_EQ(text(std::get<RequestQueue::Call>(action).batch), row.call);
    }
}

TEST_F(RequestQueueTest, Rule2_ACallAsksForHundredsAtMostSoThatAWakeUpStaysShort)
{
    for (int i = 0; i < 800; ++i) patient();
    EXPECT_EQ(next(), "call: 512x1");
    queue.answered({std::vector<Outcome>(512, granted()), 1'000'000}, now);
    EXPECT_EQ(turn_and_next(), "call: 288x1");
}

TEST_F(RequestQueueTest, Rule2_WhoTakesTheLimiterForSomethingElseIsAskedForInAnotherCall)
{
    auto const join_as = [&](std::optional<Algorithm> expected) {
        Request& request = requests.emplace_back();
        request.expected = expected;
        queue.join(request, now);
    };
    join_as(std::nullopt);
    join_as(std::nullopt);
    join_as(Algorithm::token_bucket);
    join_as(std::nullopt);
    EXPECT_EQ(next(), "call: 2x1?");
    EXPECT_EQ(answer_and_next({granted(), granted()}), "call: 1x1?");
    EXPECT_EQ(answer_and_next({granted()}), "call: 1x1?");
}

TEST_F(RequestQueueTest, Rule2_WhatDidNotFitIsAskedNext)
{
    impatient();
    next();
    for (int i = 0; i < 5; ++i) patient();
    EXPECT_EQ(answer_and_next({granted()}, 2), "call: 3x1");
    EXPECT_EQ(answer_and_next({granted(), granted(), granted()}, 2), "call: 2x1") << "the rate was raised";
    EXPECT_EQ(answer_and_next({granted(), granted()}, 2), "nothing");
    EXPECT_EQ(queue.size(), 0u);
}

TEST_F(RequestQueueTest, Rule2_ABucketOfOneNeedsOneCallForAGrant)
{
    for (int i = 0; i < 3; ++i) patient();
    next();
    EXPECT_EQ(answer_and_next({granted(), refused(10ms)}, 1), "wait 10ms");
    EXPECT_EQ(pass_and_wake(10ms), "call: 2x1");
    EXPECT_EQ(answer_and_next({granted(), refused(10ms)}, 1), "wait 10ms");
    EXPECT_EQ(queue.size(), 1u);
}

// ---- 3: how an answer is read ----

TEST_F(RequestQueueTest, Rule3_AnImpatientRefusalIsPassedOverAndThePatientOneEndsTheCall)
{
    Request& greedy = impatient(5);
    Request& modest = impatient(1);
    Request& waits = patient(3);
    Request& behind = patient(1);
    Request& also_behind = impatient(1);
    EXPECT_EQ(next(), "call: 1x5? 1x1? 1x3 1x1 1x1?");
    answer({refused(50ms), granted(), refused(30ms)});
    EXPECT_EQ(fate(greedy), "denied, retry after 50ms");
    EXPECT_EQ(fate(modest), "granted");
    EXPECT_EQ(fate(waits), "queued");
    EXPECT_EQ(fate(behind), "queued") << "not evaluated: keeps its place";
    EXPECT_EQ(fate(also_behind), "denied, retry after 30ms") << "not evaluated, but it does not wait";
    EXPECT_EQ(turn_and_next(), "wait 30ms");
    EXPECT_EQ(pass_and_wake(30ms), "call: 1x3 1x1") << "first come, first served";
}

TEST_F(RequestQueueTest, Rule3_MoreThanTheRateFailsThatRequestAlone)
{
    Request& before = patient(1);
    Request& too_many = patient(100);
    Request& after = patient(1);
    next();
    EXPECT_EQ(answer_and_next({granted(), Outcome::failed(Errc::permits_exceed_rate), granted()}, 10),
              "nothing");
    EXPECT_EQ(fate(before), "granted");
    EXPECT_EQ(fate(too_many), "permits_exceed_rate");
    EXPECT_EQ(fate(after), "granted");
}

TEST_F(RequestQueueTest, Rule3_AnAnswerThatStopsEarlyWithoutARefusalIsAskedForAgain)
{
    Request& first = patient();
    Request& second = patient();
    Request& third = impatient();
    next();
    EXPECT_EQ(answer_and_next({}), "call: 2x1 1x1?");
    EXPECT_EQ(answer_and_next({granted()}), "call: 1x1 1x1?");
    EXPECT_EQ(fate(first), "granted");
    EXPECT_EQ(answer_and_next({granted(), granted()}), "nothing");
    EXPECT_EQ(fate(second), "granted");
    EXPECT_EQ(fate(third), "granted");
}

TEST_F(RequestQueueTest, Rule3_AHeadThatWasNotEvaluatedAtItsMomentIsAskedAgainAtOnce)
{
    patient();
    next();
    answer_and_next({refused(10ms)});
    EXPECT_EQ(pass_and_wake(10ms), "call: 1x1");
    EXPECT_EQ(answer_and_next({}), "call: 1x1");
}

// ---- 4: completing comes first ----

TEST_F(RequestQueueTest, Rule4_TheNextCallLeavesAfterTheHandlersHadOneTurn)
{
    Request& first = patient();
    EXPECT_EQ(next(), "call: 1x1");
    patient();
    EXPECT_EQ(next(), "nothing") << "one call at a time";
    answer({granted()});
    EXPECT_EQ(fate(first), "granted") << "before anything else";
    EXPECT_EQ(next(), "turn");
    EXPECT_EQ(next(), "nothing") << "one turn at a time";
    patient();  // the first caller comes again in its turn, and shares the call
    EXPECT_EQ(next(), "nothing");
    queue.turned();
    EXPECT_EQ(next(), "call: 2x1");
}

TEST_F(RequestQueueTest, Rule4_AFullCallDoesNotWaitForTheTurn)
{
    struct Row {
        char const* what;
        int joined;  // while the first call is out
        Outcome outcome;
        bool leaves;
    };
    Row const rows[] = {
        {"one less than a full call", 511, granted(), false},
        {"a full call", 512, granted(), true},
        {"more than a full call", 700, granted(), true},
        {"many, but behind one who waits", 700, refused(10ms), false},
    };
    for (Row const& row : rows) {
        SCOPED_TRACE(row.what);
        std::deque<Request> crowd;
        RequestQueue fresh{1};
        auto const join_one = [&] {
            crowd.emplace_back().patient = true;
            fresh.join(crowd.back(), now);
        };
        join_one();
        (void)fresh.next(now);
        for (int i = 0; i < row.joined; ++i) join_one();
        EXPECT_FALSE(fresh.call_is_full()) << "one call at a time";
        fresh.answered({{row.outcome}, 0}, now);
        EXPECT_EQ(fresh.call_is_full(), row.leaves);
        auto const action = fresh.next(now);
        auto const* call = std::get_if<RequestQueue::Call>(&action);
        EXPECT_EQ(call ? text(call->batch) : "no call", row.leaves ? "call: 512x1" : "no call");
    }
}

TEST_F(RequestQueueTest, Rule4_ACallThatFillsDuringTheTurnLeavesAtOnce)
{
    patient();
    next();
    answer({granted()});
    EXPECT_EQ(next(), "turn");
    for (int i = 0; i < 511; ++i) patient();
    EXPECT_EQ(next(), "nothing");
    patient();
    EXPECT_EQ(next(), "call: 512x1");
    queue.turned();
    EXPECT_EQ(next(), "nothing") << "one call at a time, also when the turn is over";
}

// ---- 5: the timer ----

TEST_F(RequestQueueTest, Rule5_TheTimerIsTheEarliestOfMomentDeadlineAndFiveSeconds)
{
    struct Row {
        char const* what;
        Duration retry_after;
        Duration head_timeout;
        Duration second_timeout;
        char const* timer;
    };
    Row const rows[] = {
        {"the head's moment", 100ms, for_ever, for_ever, "wait 100ms"},
        {"its deadline is later", 100ms, 200ms, for_ever, "wait 100ms"},
        {"its deadline is the same moment", 100ms, 100ms, for_ever, "wait 100ms"},
        {"somebody else's deadline is nearer", 100ms, for_ever, 40ms, "wait 40ms"},
        {"another process may change the rate", 1h, for_ever, for_ever, "wait 5000ms"},
        {"the end of time does not wrap", Duration::max(), for_ever, for_ever, "wait 5000ms"},
        {"a refusal never passes at once", 0us, for_ever, for_ever, "wait 1us"},
    };
    for (Row const& row : rows) {
        SCOPED_TRACE(row.what);
        patient(1, row.head_timeout);
        patient(1, row.second_timeout);
        EXPECT_EQ(next(), "call: 2x1");
        EXPECT_EQ(answer_and_next({refused(row.retry_after)}), row.timer);
        queue.end(Errc::client_closed);
    }
}

TEST_F(RequestQueueTest, Rule5_AHeadWhoseMomentIsPastItsDeadlineIsDeniedAtOnceAndTheNextIsAsked)
{
    Request& hurried = patient(5, 50ms);
    Request& next_one = patient(1, 50ms);
    next();
    EXPECT_EQ(answer_and_next({refused(51ms)}), "call: 1x1");
    EXPECT_EQ(fate(hurried), "denied, retry after 51ms");
    EXPECT_EQ(answer_and_next({granted()}), "nothing");
    EXPECT_EQ(fate(next_one), "granted");
}

TEST_F(RequestQueueTest, Rule5_OthersAreDeniedAtTheirDeadline)
{
    Request& head = patient(5);
    Request& second = patient(1, 40ms);
    Request& third = patient(1, 40ms);
    Request& fourth = patient(1, 40001us);
    next();
    EXPECT_EQ(answer_and_next({refused(100ms)}), "wait 40ms");
    EXPECT_EQ(pass_and_wake(40ms), "wait 1us");
    EXPECT_EQ(fate(second), "denied, retry after 60ms");
    EXPECT_EQ(fate(third), "denied, retry after 60ms");
    EXPECT_EQ(fate(fourth), "queued");
    EXPECT_EQ(pass_and_wake(1us), "wait 59999us");
    EXPECT_EQ(fate(fourth), "denied, retry after 59999us");
    EXPECT_EQ(fate(head), "queued");
}

TEST_F(RequestQueueTest, Rule5_AHeadIsAskedAtItsMomentEvenIfTheTimerComesLate)
{
    Request& head = patient(1, 100ms);
    Request& second = patient(1, 100ms);
    next();
    EXPECT_EQ(answer_and_next({refused(100ms)}), "wait 100ms");
    EXPECT_EQ(pass_and_wake(101ms), "call: 1x1");
    EXPECT_EQ(fate(second), "denied, retry after 0ms") << "nothing was promised to it";
    answer({granted()});
    EXPECT_EQ(fate(head), "granted");
}

// ---- 6: a contested head ----

TEST_F(RequestQueueTest, Rule6_AContestedHeadNoLongerBlocksThoseBehindIt)
{
    Request& head = patient(10);
    Request& second = patient(1);
    next();
    EXPECT_EQ(answer_and_next({refused(100ms)}, 10), "wait 100ms");
    EXPECT_EQ(pass_and_wake(100ms), "call: 1x10 1x1");
    Request& hasty = impatient(1);
    // Another process was quicker.
    EXPECT_EQ(answer_and_next({refused(30ms)}, 10), "call past the head: 1x10 1x1 1x1?")
        << "it takes no room, or nobody behind one that needs it all would ever be asked";
    answer({refused(30ms), granted(), granted()}, 10);
    EXPECT_EQ(fate(head), "queued");
    EXPECT_EQ(fate(second), "granted");
    EXPECT_EQ(fate(hasty), "granted");

    turn_and_next();
    Request& newcomer = impatient(1);
    EXPECT_EQ(next(), "call past the head: 1x10 1x1?") << "not denied: nobody blocks it";
    EXPECT_NE(answer_and_next({refused(30ms), refused(7ms)}, 10).find("wait"), string::npos);
    EXPECT_EQ(fate(newcomer), "denied, retry after 7ms");

    EXPECT_EQ(pass_and_wake(60ms), "call past the head: 1x10");
    EXPECT_EQ(answer_and_next({granted()}, 10), "nothing");
    EXPECT_EQ(fate(head), "granted");
    patient();
    EXPECT_EQ(next(), "call: 1x1") << "served: as before";
}

TEST_F(RequestQueueTest, Rule6_BehindAContestedHeadTheNextPatientRefusalBlocks)
{
    Request& head = patient(10);
    next();
    answer_and_next({refused(10ms)});
    pass_and_wake(10ms);
    Request& second = patient(5);
    EXPECT_EQ(answer_and_next({refused(90ms)}), "call past the head: 1x10 1x5");
    EXPECT_NE(answer_and_next({refused(90ms), refused(40ms)}).find("wait"), string::npos);

    Request& hasty = impatient();
    EXPECT_EQ(fate(hasty).substr(0, 6), "denied");
    Duration const retry_after = queue.denial_behind_head(now)->retry_after;
    EXPECT_GE(retry_after, 40ms) << "the first moment at which anything can change";
    EXPECT_LE(retry_after, 42ms) << "spacing included";
    now += retry_after - 1us;
    EXPECT_EQ(queue.denial_behind_head(now)->retry_after, 1us)
        << "never 'at once': that would be denied again";
    patient();
    EXPECT_NE(next().find("wait"), string::npos) << "waiting costs no calls";

    queue.cancel(second);
    EXPECT_EQ(next(), "call past the head: 1x10 1x1") << "whoever stood behind it is asked at once";
    EXPECT_EQ(fate(head), "queued");
}

TEST_F(RequestQueueTest, Rule6_SomebodyDeniedBehindAContestedHeadBlocksNobody)
{
    patient(10);
    next();
    answer_and_next({refused(10ms)});
    pass_and_wake(10ms);
    Request& hurried = patient(5, 20ms);
    patient(1);
    EXPECT_EQ(answer_and_next({refused(90ms)}), "call past the head: 1x10 1x5 1x1");
    EXPECT_EQ(answer_and_next({refused(90ms), refused(40ms)}), "call past the head: 1x10 1x1");
    EXPECT_EQ(fate(hurried), "denied, retry after 40ms");
}

TEST_F(RequestQueueTest, Rule6_RetriesAreSpacedAtRandomAndDoublingToTwentyMilliseconds)
{
    patient();
    next();
    answer_and_next({refused(10ms)});
    EXPECT_EQ(pass_and_wake(10ms), "call: 1x1");
    Duration const limits[] = {2ms, 4ms, 8ms, 16ms, 20ms, 20ms, 20ms};
    bool ever_spaced = false;
    for (Duration const limit : limits) {
        answer({refused(10ms)});
        (void)queue.next(now);
        queue.turned();
        auto const action = queue.next(now);
        ASSERT_TRUE(std::holds_alternative<RequestQueue::Wait>(action));
        Duration const spacing = std::get<RequestQueue::Wait>(action).until - now - 10ms;
        EXPECT_GE(spacing, 0us);
        EXPECT_LE(spacing, limit);
        ever_spaced = ever_spaced || spacing > 0us;
        EXPECT_EQ(pass_and_wake(10ms + spacing), "call past the head: 1x1");
    }
    EXPECT_TRUE(ever_spaced);
}

TEST_F(RequestQueueTest, Rule6_SpacingNeverPushesTheLastAttemptPastTheDeadline)
{
    for (int i = 0; i < 20; ++i) {
        Request& head = patient(1, 20ms);
        next();
        answer_and_next({refused(10ms)});
        EXPECT_EQ(pass_and_wake(10ms), "call: 1x1");
        EXPECT_EQ(answer_and_next({refused(10ms)}), "wait 10ms") << "moment and deadline are the same";
        EXPECT_EQ(pass_and_wake(10ms), "call past the head: 1x1");
        answer_and_next({granted()});
        EXPECT_EQ(fate(head), "granted");
    }
}

TEST_F(RequestQueueTest, Rule6_RefusedBeforeItsMomentIsNotContested)
{
    patient();
    next();
    answer_and_next({refused(10ms)});
    queue.ask_again();
    EXPECT_EQ(next(), "call: 1x1");
    now += 20ms;  // the answer comes after the moment, but the call left before it
    EXPECT_EQ(answer_and_next({refused(1ms)}), "wait 1ms");
    EXPECT_EQ(pass_and_wake(1ms), "call: 1x1");
}

// ---- 7: leaving ----

TEST_F(RequestQueueTest, Rule7_CancelledWhileQueuedLeavesAndANewHeadIsAsked)
{
    Request& head = patient(5);
    Request& second = patient(1);
    Request& third = patient(2);
    next();
    EXPECT_EQ(answer_and_next({refused(100ms)}), "wait 100ms");
    queue.cancel(second);
    EXPECT_EQ(fate(second), "cancelled");
    EXPECT_EQ(next(), "wait 100ms") << "nothing changes for the head";
    queue.cancel(head);
    EXPECT_EQ(fate(head), "cancelled");
    EXPECT_EQ(next(), "call: 1x2");
    queue.cancel(third);
    EXPECT_EQ(fate(third), "queued");
    EXPECT_EQ(answer_and_next({refused(5ms)}), "nothing");
    EXPECT_EQ(fate(third), "cancelled");
}

TEST_F(RequestQueueTest, Rule7_WhileItsCallIsOutTheAnswerDecides)
{
    Request& lucky = patient();
    Request& unlucky = patient();
    Request& not_evaluated = patient();
    Request& expired = patient(1, 10ms);
    next();
    for (Request* request : {&lucky, &unlucky, &not_evaluated}) queue.cancel(*request);
    now += 10ms;
    queue.woken(now);  // a timer of before: nothing to do
    EXPECT_EQ(queue.size(), 4u);
    answer({granted(), refused(1ms)});
    EXPECT_EQ(fate(lucky), "granted") << "nothing is given back behind the caller's back";
    EXPECT_EQ(fate(unlucky), "cancelled");
    EXPECT_EQ(fate(not_evaluated), "cancelled");
    EXPECT_EQ(fate(expired), "denied, retry after 0ms");
    EXPECT_EQ(turn_and_next(), "nothing");
}

TEST_F(RequestQueueTest, Rule7_ExpiredWhileItsCallIsOutCanStillBeGranted)
{
    Request& late = patient(1, 10ms);
    next();
    now += 20ms;
    answer({granted()});
    EXPECT_EQ(fate(late), "granted");
}

TEST_F(RequestQueueTest, Rule7_AHeadThatLeavesDuringTheTurnIsFollowedByACall)
{
    Request& head = patient(3);
    patient(1);
    next();
    answer({refused(100ms)});
    EXPECT_EQ(next(), "turn");
    queue.cancel(head);
    queue.turned();
    EXPECT_EQ(next(), "call: 1x1");
}

// ---- 8: lost and failed calls ----

TEST_F(RequestQueueTest, Rule8_ALostAnswerEndsTheImpatientAndAsksAgainForThePatient)
{
    Request& first = patient();
    Request& hasty = impatient();
    Request& second = patient(1, 10ms);
    Request& gone = patient();
    Request& hasty_and_gone = impatient();
    EXPECT_EQ(next(), "call: 1x1 1x1? 2x1 1x1?");
    Request& behind = patient(2);
    queue.cancel(gone);
    queue.cancel(hasty_and_gone);
    now += 10ms;
    queue.lost(now);
    EXPECT_EQ(fate(hasty), "outcome_unknown");
    EXPECT_EQ(fate(hasty_and_gone), "outcome_unknown") << "'cancelled' would promise that nothing was taken";
    EXPECT_EQ(fate(gone), "cancelled");
    EXPECT_EQ(fate(second), "denied, retry after 0ms");
    EXPECT_EQ(turn_and_next(), "call: 1x1 1x2") << "in front, in order";
    answer({granted(), granted()});
    EXPECT_EQ(fate(first), "granted");
    EXPECT_EQ(fate(behind), "granted");
}

TEST_F(RequestQueueTest, Rule8_AHeadRefusedAfterALostCallIsNotContested)
{
    patient();
    next();
    answer_and_next({refused(10ms)});
    EXPECT_EQ(pass_and_wake(10ms), "call: 1x1");
    queue.lost(now);
    EXPECT_EQ(turn_and_next(), "call: 1x1");
    EXPECT_EQ(answer_and_next({refused(10ms)}), "wait 10ms")
        << "our own lost call was quicker, no other process";
    EXPECT_EQ(pass_and_wake(10ms), "call: 1x1");
}

TEST_F(RequestQueueTest, Rule8_ACallThatWasNotSentFailsThoseInItAndNobodyElse)
{
    Request& first = patient();
    Request& hasty = impatient();
    Request& gone = patient();
    next();
    Request& behind = patient(2);
    Request& expired = patient(2, 5ms);
    queue.cancel(gone);
    now += 5ms;
    queue.failed(Errc::store_unavailable, now);
    EXPECT_EQ(fate(first), "store_unavailable");
    EXPECT_EQ(fate(hasty), "store_unavailable");
    EXPECT_EQ(fate(gone), "cancelled");
    EXPECT_EQ(fate(expired), "denied, retry after 0ms");
    EXPECT_EQ(fate(behind), "queued");
    EXPECT_EQ(turn_and_next(), "call: 1x2");
}

TEST_F(RequestQueueTest, Rule8_TheTimeSpentInTheQueueCountsAgainstTheStoresTimeToAnswer)
{
    auto const waited = [&] { return std::get<RequestQueue::Call>(queue.next(now)).batch.waited; };
    impatient();
    EXPECT_EQ(waited(), 0ms);
    now += 10ms;
    impatient();
    now += 20ms;
    answer({granted()});
    next();
    queue.turned();
    EXPECT_EQ(waited(), 20ms) << "it had to let another call come back first";
    answer({granted()});
    next();
    queue.turned();

    patient();
    next();
    answer({refused(1h)});
    next();
    queue.turned();
    now += 1h;
    EXPECT_EQ(waited(), 0ms) << "who waits for permits does not wait for the store";
}

TEST_F(RequestQueueTest, Rule8_WhileTheStoreFailsThoseBehindDoNotWaitTheirWholeTimeOneAfterTheOther)
{
    auto const waited = [&] { return std::get<RequestQueue::Call>(queue.next(now)).batch.waited; };
    auto const fail = [&](Errc error) {
        queue.failed(error, now);
        next();
        queue.turned();
    };
    patient(1);
    EXPECT_EQ(waited(), 0ms);
    patient(2);
    now += 250ms;
    fail(Errc::store_unavailable);
    EXPECT_EQ(waited(), 250ms);
    Request& late = patient(3);
    fail(Errc::store_unavailable);
    EXPECT_EQ(waited(), 0ms) << "this one has just come";
    answer({refused(1s)});
    next();
    queue.turned();
    now += 1s;
    EXPECT_EQ(waited(), 0ms) << "the store has answered since";
    fail(Errc::access_denied);
    EXPECT_EQ(fate(late), "another error");
    patient(4);
    now += 250ms;
    EXPECT_EQ(waited(), 0ms) << "it refuses, but it does not keep anybody waiting";
}

// ---- 9: changes beside the queue ----

TEST_F(RequestQueueTest, Rule9_AChangeBesideTheQueueMakesItAskAgainAtOnce)
{
    Request& head = patient();
    next();
    answer_and_next({refused(1h)});
    queue.ask_again();
    Request& own_writes = impatient();
    EXPECT_EQ(next(), "call: 1x1 1x1?") << "who changed the rate and then tries must see the change";
    answer_and_next({granted(), granted()});
    EXPECT_EQ(fate(head), "granted");
    EXPECT_EQ(fate(own_writes), "granted");
}

TEST_F(RequestQueueTest, Rule9_AChangeDuringACallMakesTheNextCallFollow)
{
    Request& head = patient();
    next();
    queue.ask_again();
    Request& own_writes = impatient();
    EXPECT_EQ(next(), "nothing");
    EXPECT_EQ(answer_and_next({refused(1h)}), "call: 1x1 1x1?")
        << "that answer may be from before the change";
    EXPECT_EQ(answer_and_next({refused(1s)}), "wait 1000ms") << "once is enough";
    EXPECT_EQ(fate(head), "queued");
    EXPECT_EQ(fate(own_writes), "denied, retry after 1000ms");
}

TEST_F(RequestQueueTest, Rule9_NobodyWaitsNobodyAsks)
{
    queue.ask_again();
    EXPECT_EQ(next(), "nothing");
}

// ---- 10: how many wait ----

TEST_F(RequestQueueTest, Rule10_SizeCountsEverybodyWhoHasNotBeenCompleted)
{
    // The driver compares it with max_waiters before it lets anybody join.
    Request& first = patient();
    impatient();
    EXPECT_EQ(queue.size(), 2u);
    next();
    EXPECT_EQ(queue.size(), 2u);
    answer_and_next({refused(10ms)});
    EXPECT_EQ(queue.size(), 1u);
    impatient();
    EXPECT_EQ(queue.size(), 1u) << "denied without a call";
    queue.cancel(first);
    EXPECT_EQ(queue.size(), 0u);
}

// ---- all together ----

TEST_F(RequestQueueTest, TheThreeCallersOfTheDocs)
{
    Time const start = now;
    auto const at = [&](Duration since) { now = start + since; };
    Request& ann = patient();
    EXPECT_EQ(next(), "call: 1x1");
    at(200us);
    Request& ben = patient();
    EXPECT_EQ(next(), "nothing");
    at(1ms);
    answer({granted()}, 2);
    EXPECT_EQ(fate(ann), "granted");
    EXPECT_EQ(turn_and_next(), "call: 1x1");
    at(2ms);
    EXPECT_EQ(answer_and_next({refused(598ms)}, 2), "wait 598ms");
    at(100ms);
    EXPECT_EQ(fate(impatient()), "denied, retry after 500ms") << "Cleo";
    at(300ms);
    Request& ann_again = patient();
    EXPECT_EQ(next(), "wait 300ms");
    at(600ms);
    EXPECT_EQ(pass_and_wake(0ms), "call: 2x1");
    at(600500us);
    Request& cleo_again = impatient();
    EXPECT_EQ(next(), "nothing");
    at(601ms);
    answer({granted(), refused(400ms)}, 2);
    EXPECT_EQ(fate(ben), "granted");
    EXPECT_EQ(fate(cleo_again), "denied, retry after 400ms");
    EXPECT_EQ(turn_and_next(), "wait 400ms");
    at(800ms);
    queue.cancel(ann_again);
    EXPECT_EQ(fate(ann_again), "cancelled");
    EXPECT_EQ(next(), "nothing");
}

// ---- the end ----

TEST_F(RequestQueueTest, EndCompletesEverybodyAndTheCallThatIsOutAnswersNobody)
{
    Request& first = patient();
    Request& hasty = impatient();
    next();
    Request& behind = patient(1, 1s);
    queue.cancel(first);
    queue.end(Errc::client_closed);
    EXPECT_EQ(fate(first), "client_closed");
    EXPECT_EQ(fate(hasty), "client_closed");
    EXPECT_EQ(fate(behind), "client_closed");
    EXPECT_EQ(queue.size(), 0u);
    EXPECT_EQ(next(), "nothing");

    Request& newcomer = patient();
    EXPECT_EQ(next(), "nothing") << "still one call at a time";
    EXPECT_EQ(answer_and_next({granted(), granted()}), "call: 1x1");
    EXPECT_EQ(fate(newcomer), "queued") << "the old answer was for others";
}

}  // namespace
}  // namespace ration::core
