// First come, first served; who waits learns of changes; cancelling. Waiters here are asynchronous: they have their
// place when the call returns.

#include "conformance/world.hpp"

#include <functional>
#include <mutex>

namespace ration::conformance {
namespace {

using Waiter = std::future<std::tuple<error_code, Decision>>;

class Waiting : public Conformance {
public:
    static Waiter wait(RateLimiter& limiter, Permits n = 1)
    {
        return limiter.async_acquire(n, asio::as_tuple(asio::use_future));
    }

    static Waiter wait(RateLimiter& limiter, Permits n, asio::cancellation_signal& signal)
    {
        return limiter.async_acquire(
            n, asio::bind_cancellation_slot(signal.slot(), asio::as_tuple(asio::use_future)));
    }

    static error_code error_of(Waiter waiter) { return std::get<0>(get(std::move(waiter))); }

    /// The end of a wait that needs no time to pass.
    static void expect_served(Waiter waiter)
    {
        auto const [error, decision] = get(std::move(waiter));
        EXPECT_FALSE(error) << error.message();
        EXPECT_TRUE(decision.granted);
    }
};
RATION_CONFORMANCE(Waiting);

class WaitingInStoppedTime : public Waiting {};
RATION_CONFORMANCE_IN_STOPPED_TIME(WaitingInStoppedTime);

TEST_P(Waiting, TwentyAreServedInTheOrderInWhichTheyCame)
{
    auto limiter = limiter_with(Rate::per(1, 100ms));
    limiter.acquire();
    std::mutex mutex;
    std::vector<int> served;
    std::promise<void> all_served;
    std::vector<int> expected;
    for (int i = 0; i < 20; ++i) {
        expected.push_back(i);
        limiter.async_acquire(1, [&, i](error_code error, Decision decision) {
            EXPECT_FALSE(error);
            EXPECT_TRUE(decision);
            std::lock_guard const lock{mutex};
            served.push_back(i);
            if (served.size() == 20) all_served.set_value();
        });
    }
    await_waiters(20);
    for (std::size_t i = 1; i <= 20 && time_stands_still(); ++i) {
        advance(100ms);
        std::lock_guard const lock{mutex};
        EXPECT_EQ(served.size(), i) << "one for each permit";
    }
    get(all_served.get_future());
    std::lock_guard const lock{mutex};  // which its last user may hold still
    EXPECT_EQ(served, expected);
    EXPECT_EQ(client().stats().waiters, 0u);
}

/// More than two calls hold, so that a call is out while the handlers of the one before run.
TEST_P(Waiting, ACrowdThatKeepsComingBackIsAnsweredInOrderToTheLastPermit)
{
    constexpr std::size_t callers = 1500;
    constexpr std::size_t each = 3;
    constexpr std::size_t permits = 2000;
    auto limiter = limiter_with(Rate::per(permits, 1h));
    std::mutex mutex;
    std::vector<bool> granted;  // in the order in which callers heard of it
    std::promise<void> all_heard;
    std::function<void(std::size_t)> const ask = [&](std::size_t times) {
        limiter.async_try_acquire(1, [&, times](error_code error, Decision decision) {
            EXPECT_FALSE(error) << error.message();
            std::unique_lock lock{mutex};
            granted.push_back(decision.granted);
            bool const last = granted.size() == callers * each;
            lock.unlock();
            if (times > 1) ask(times - 1);
            if (last) all_heard.set_value();
        });
    };
    // From the thread on which handlers run: what two threads ask is heard in either order.
    limiter.async_available_permits([&](error_code, Permits) {
        for (std::size_t i = 0; i < callers; ++i) ask(each);
    });
    get(all_heard.get_future());
    std::vector<bool> expected(permits, true);
    expected.resize(callers * each, false);
    EXPECT_EQ(granted, expected);
}

TEST_P(WaitingInStoppedTime, OneStepServesAllInOrderAtTheirOwnMoments)
{
    auto limiter = limiter_with(Rate::per(1, 100ms));
    limiter.acquire();
    std::vector<Time> moments;
    for (int i = 0; i < 10; ++i) {
        limiter.async_acquire(1, [&](error_code, Decision) { moments.push_back(world().wall()); });
    }
    Time const start = world().wall();
    advance(1s);
    ASSERT_EQ(moments.size(), 10u);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(moments[static_cast<std::size_t>(i)] - start, (i + 1) * 100ms);
}

TEST_P(Waiting, ABigRequestAtTheHeadIsNotOvertaken)
{
    auto limiter = limiter_with(Rate::per(10, 1s));
    limiter.acquire(5);
    auto big = wait(limiter, 10);
    std::vector<Waiter> small;
    for (int i = 0; i < 5; ++i) small.push_back(wait(limiter));
    EXPECT_EQ(limiter.available_permits(), 5);
    EXPECT_TRUE(is_pending(big));
    for (auto& waiter : small) EXPECT_TRUE(is_pending(waiter)) << "five are free, but not for those behind";

    advance(1s);
    EXPECT_TRUE(is_ready(big));
    for (auto& waiter : small) EXPECT_TRUE(is_pending(waiter));
    advance(1s);
    for (auto& waiter : small) EXPECT_TRUE(is_ready(waiter));
}

TEST_P(Waiting, TheImpatientAreDeniedBehindAWaiterUntilItsMoment)
{
    auto limiter = limiter_with(Rate::per(10, 1s));
    limiter.acquire(5);
    advance(200ms);
    limiter.acquire(2);
    auto head = wait(limiter, 8);  // when the five are free: 800 ms from now
    await_waiters(1);
    auto const denied = limiter.try_acquire(1);
    EXPECT_FALSE(denied) << "three are free, but not for those behind";
    EXPECT_THAT(denied.retry_after, about(800ms));
    EXPECT_FALSE(limiter.try_acquire_for(0s, 1));
    EXPECT_EQ(client().stats().waiters, 1u);
    if (time_stands_still()) {
        advance(300ms);
        EXPECT_EQ(limiter.try_acquire(1).retry_after, 500ms);
        advance(500ms);
    } else {
        advance(800ms);
    }
    EXPECT_TRUE(is_ready(head));
}

TEST_P(Waiting, AChangeThatIsNotEnoughForTheHeadHelpsNobodyBehind)
{
    auto limiter = limiter_with(Rate::per(10, 1h));
    limiter.acquire(10);
    auto head = wait(limiter, 6);
    auto second = wait(limiter, 2);
    auto third = wait(limiter, 1);
    await_waiters(3);
    limiter.release(3);
    EXPECT_EQ(limiter.available_permits(), 3);
    EXPECT_TRUE(is_pending(head) && is_pending(second) && is_pending(third));
    limiter.release(4);
    expect_served(std::move(head));
    EXPECT_TRUE(is_pending(second) && is_pending(third));
    limiter.release(2);
    expect_served(std::move(second));
    expect_served(std::move(third));
}

TEST_P(Waiting, TwoHandlesOfOneNameAreOneQueue)
{
    auto first = limiter_with(Rate::per(10, 1s));
    auto second = limiter();
    first.acquire(5);
    auto head = wait(first, 10);
    await_waiters(1);
    EXPECT_FALSE(second.try_acquire(1));
    auto behind = wait(second, 1);
    EXPECT_TRUE(is_pending(behind));
    advance(1s);
    EXPECT_TRUE(is_ready(head));
    EXPECT_TRUE(is_pending(behind));
    advance(1s);
    EXPECT_TRUE(is_ready(behind));
}

TEST_P(Waiting, AWaiterKeepsItsPlaceWhenItsHandleIsGone)
{
    auto head = [&] {
        auto gone = limiter_with(Rate::per(10, 1h));
        gone.acquire(5);
        return wait(gone, 10);
    }();
    auto limiter = this->limiter();
    EXPECT_FALSE(limiter.try_acquire(1)) << "somebody waits in front";
    auto behind = wait(limiter, 1);
    EXPECT_TRUE(is_pending(behind)) << "the one in front came first";
    limiter.release(5);
    expect_served(std::move(head));
    limiter.release(1);
    expect_served(std::move(behind));
}

// ---- changes beside the queue: no time passes in these ----

TEST_P(Waiting, WaitersLearnOfARelease)
{
    auto limiter = limiter_with(Rate::per(5, 1h));
    limiter.acquire(5);
    auto first = wait(limiter, 2);
    auto second = wait(limiter, 2);
    limiter.release(1);
    EXPECT_TRUE(is_pending(first));
    limiter.release(1);
    expect_served(std::move(first));
    EXPECT_TRUE(is_pending(second));
    limiter.release(2);
    expect_served(std::move(second));
    EXPECT_EQ(limiter.available_permits(), 0);
}

TEST_P(Waiting, WaitersLearnOfSetRate)
{
    auto limiter = limiter_with(Rate::per(2, 1h));
    limiter.acquire(2);
    auto first = wait(limiter, 2);
    auto second = wait(limiter, 2);
    limiter.set_rate(Rate::per(3, 1h));  // forgets the grants
    expect_served(std::move(first));
    EXPECT_TRUE(is_pending(second));
    EXPECT_EQ(limiter.ensure_rate(Rate::per(2, 1h)), EnsureResult::changed);
    expect_served(std::move(second));
}

TEST_P(Waiting, WaitersLearnOfUpdateRate)
{
    auto limiter = limiter_with(Rate::per(2, 1h));
    limiter.acquire(2);
    auto first = wait(limiter, 2);
    auto second = wait(limiter, 1);
    EXPECT_TRUE(limiter.update_rate(Rate::per(4, 1h)));
    expect_served(std::move(first));
    EXPECT_TRUE(is_pending(second));
    EXPECT_TRUE(limiter.update_rate(Rate::per(5, 1h)));
    expect_served(std::move(second));
}

TEST_P(Waiting, WaitersLearnOfRemove)
{
    auto limiter = limiter_with(Rate::per(2, 1h));
    limiter.acquire(2);
    auto first = wait(limiter);
    auto second = wait(limiter);
    EXPECT_TRUE(limiter.remove());
    EXPECT_EQ(error_of(std::move(first)), Errc::not_initialized);
    EXPECT_EQ(error_of(std::move(second)), Errc::not_initialized);
    EXPECT_EQ(client().stats().waiters, 0u);
}

TEST_P(Waiting, ABlockedThreadLearnsOfThemToo)
{
    auto limiter = limiter_with(Rate::per(1, 1h));
    limiter.acquire();
    auto waiting = std::async(std::launch::async, [&] { return limiter.acquire(); });
    await_waiters(1);
    limiter.release(1);
    EXPECT_TRUE(get(std::move(waiting)));
    auto removed = std::async(std::launch::async, [&] { return limiter.acquire(); });
    await_waiters(1);
    limiter.remove();
    expect_error(Errc::not_initialized, {"limiter \"mail\""}, [&] { get(std::move(removed)); });
}

TEST_P(Waiting, OnlyThoseWhoseRequestExceedsALoweredRateFail)
{
    auto limiter = limiter_with(Rate::per(10, 1h));
    limiter.acquire(10);
    auto small = wait(limiter, 3);
    auto big = wait(limiter, 6);
    auto last = wait(limiter, 2);
    EXPECT_TRUE(limiter.update_rate(Rate::per(5, 1h)));
    EXPECT_TRUE(is_pending(small)) << "5 permits of debt";
    limiter.release(10);
    expect_served(std::move(small));
    EXPECT_EQ(error_of(std::move(big)), Errc::permits_exceed_rate);
    expect_served(std::move(last));
    EXPECT_EQ(limiter.available_permits(), 0);
}

TEST_P(Waiting, TheHeadWhoseRequestExceedsALoweredRateFailsAtOnce)
{
    auto limiter = limiter_with(Rate::per(10, 1h));
    limiter.acquire(10);
    auto blocked = std::async(std::launch::async, [&] { return limiter.acquire(6); });
    await_waiters(1);
    EXPECT_TRUE(limiter.update_rate(Rate::per(5, 1h)));
    expect_error(Errc::permits_exceed_rate, {"limiter \"mail\"", "6 permits", "5"},
                 [&] { get(std::move(blocked)); });
}

TEST_P(Waiting, AnotherClientsChangeIsSeenWithinFiveSeconds)
{
    auto limiter = limiter_with(Rate::per(1, 1h));
    limiter.acquire();
    auto waiting = wait(limiter);
    await_waiters(1);
    auto other = world().client();
    other.rate_limiter("mail").release(1);
    advance(5s);
    EXPECT_TRUE(is_ready(waiting));
}

// ---- several clients ----

TEST_P(Waiting, ClientsThatWaitForOneLimiterAllGetTheirTurn)
{
    auto other = world().client();
    auto ours = limiter_with(Rate::per(1, 100ms));
    auto theirs = other.rate_limiter("mail");
    ours.acquire();
    std::vector<Waiter> waiters;
    for (int i = 0; i < 5; ++i) {
        waiters.push_back(wait(ours));
        waiters.push_back(wait(theirs));
    }
    if (time_stands_still()) {
        advance(500ms);
        auto const served =
            std::count_if(waiters.begin(), waiters.end(), [](auto& w) { return !is_pending(w); });
        EXPECT_LE(served, 5);
    }
    advance(1s);
    for (auto& waiter : waiters) EXPECT_TRUE(is_ready(waiter));
}

// ---- cancelling ----

TEST_P(Waiting, CancellingTakesNothing)
{
    for (auto const type : {asio::cancellation_type::total, asio::cancellation_type::partial,
                            asio::cancellation_type::terminal, asio::cancellation_type::all}) {
        auto limiter = limiter_with(Rate::per(2, 500ms));
        limiter.acquire(2);
        asio::cancellation_signal signal;
        auto waiting = wait(limiter, 1, signal);
        auto other = wait(limiter, 1);
        signal.emit(asio::cancellation_type::none);
        EXPECT_TRUE(is_pending(waiting));
        signal.emit(type);
        EXPECT_EQ(error_of(std::move(waiting)), asio::error::operation_aborted);
        advance(500ms);
        EXPECT_TRUE(is_ready(other));
        EXPECT_EQ(limiter.available_permits(), 1);
        EXPECT_EQ(client().stats().waiters, 0u);
        signal.emit(type);  // too late: does nothing
    }
}

TEST_P(Waiting, ACancelledHeadLetsTheNextBeAskedAtOnce)
{
    auto limiter = limiter_with(Rate::per(10, 1h));
    limiter.acquire(5);
    asio::cancellation_signal signal;
    auto head = wait(limiter, 6, signal);
    auto next = wait(limiter, 5);
    EXPECT_TRUE(is_pending(next));
    signal.emit(asio::cancellation_type::terminal);
    EXPECT_EQ(error_of(std::move(head)), asio::error::operation_aborted);
    expect_served(std::move(next));
}

TEST_P(Waiting, CancellingInTheMiddleChangesNothingForOthers)
{
    auto limiter = limiter_with(Rate::per(1, 500ms));
    limiter.acquire();
    asio::cancellation_signal signal;
    auto first = wait(limiter);
    auto middle = wait(limiter, 1, signal);
    auto last = wait(limiter);
    signal.emit(asio::cancellation_type::terminal);
    EXPECT_EQ(error_of(std::move(middle)), asio::error::operation_aborted);
    advance(500ms);
    EXPECT_TRUE(is_ready(first));
    EXPECT_TRUE(is_pending(last));
    advance(500ms);
    EXPECT_TRUE(is_ready(last));
}

TEST_P(Waiting, AStoppedThreadLetsTheNextBeAskedAtOnce)
{
    auto limiter = limiter_with(Rate::per(10, 1h));
    limiter.acquire(5);
    std::stop_source stop;
    auto head = std::async(std::launch::async, [&] { return limiter.acquire(6, stop.get_token()); });
    await_waiters(1);
    while (limiter.peek(1)) std::this_thread::yield();  // it has its place
    auto next = wait(limiter, 5);
    EXPECT_TRUE(is_pending(next));
    stop.request_stop();
    expect_error(Errc::cancelled, [&] { get(std::move(head)); });
    expect_served(std::move(next));
}

// ---- bounds and counts ----

TEST_P(Waiting, MoreThanMaxWaitersFindTheQueueFull)
{
    auto small = world().client({.max_waiters = 2});
    auto limiter = small.rate_limiter("mail");
    limiter.set_rate(Rate::per(1, 1h));
    limiter.acquire();
    auto other = small.rate_limiter("post");
    other.set_rate(Rate::per(1, 1h));
    other.acquire();
    auto first = wait(limiter);
    auto second = wait(other);
    expect_error(Errc::queue_full, {"limiter \"mail\"", "max_waiters"}, [&] { limiter.acquire(); });
    EXPECT_EQ(error_of(wait(other)), Errc::queue_full);
    EXPECT_FALSE(limiter.try_acquire()) << "who does not wait needs no room";
    EXPECT_EQ(small.stats().waiters, 2u);
    limiter.release(1);
    expect_served(std::move(first));
    limiter.release(1);
    EXPECT_TRUE(limiter.acquire());
}

TEST_P(Waiting, StatsCountDecisionsAndWaiters)
{
    auto limiter = limiter_with(Rate::per(3, 1h));
    auto const before = client().stats();
    EXPECT_TRUE(limiter.try_acquire(2));
    EXPECT_TRUE(limiter.acquire(1));
    EXPECT_FALSE(limiter.try_acquire());
    EXPECT_FALSE(limiter.try_acquire_for(1s));
    auto first = wait(limiter);
    auto second = wait(limiter);
    EXPECT_FALSE(limiter.try_acquire());
    expect_error(Errc::permits_exceed_rate, [&] { (void)limiter.try_acquire(4); });
    auto stats = client().stats();
    EXPECT_EQ(stats.decisions - before.decisions, 5u);
    EXPECT_EQ(stats.denials.store - before.denials.store, 3u);
    EXPECT_EQ(stats.waiters, 2u);

    limiter.release(2);
    expect_served(std::move(first));
    expect_served(std::move(second));
    stats = client().stats();
    EXPECT_EQ(stats.decisions - before.decisions, 7u);
    EXPECT_EQ(stats.denials.store - before.denials.store, 3u);
    EXPECT_EQ(stats.waiters, 0u);
    EXPECT_GE(stats.calls, 1u);
    EXPECT_GE(stats.calls, stats.batches);
    EXPECT_GE(stats.batches, 1u) << "the two were asked about together";
    EXPECT_EQ(stats.lost_answers + stats.reconnects, 0u);
    EXPECT_EQ(stats.denials.local_fallback + stats.denials.fail_closed, 0u);
}

}  // namespace
}  // namespace ration::conformance
