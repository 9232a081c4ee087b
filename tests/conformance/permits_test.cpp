// try_acquire, try_acquire_for, acquire, peek, release, available_permits.

#include "conformance/world.hpp"

namespace ration::conformance {
namespace {

class TakingPermits : public Conformance {};
RATION_CONFORMANCE(TakingPermits);

class TakingPermitsInStoppedTime : public TakingPermits {};
RATION_CONFORMANCE_IN_STOPPED_TIME(TakingPermitsInStoppedTime);

TEST_P(TakingPermits, ADecisionSaysWhatTheCallerNeedsNext)
{
    auto limiter = limiter_with(Rate::per(10, 1s));
    auto const granted = limiter.try_acquire(6);
    EXPECT_TRUE(granted.granted);
    EXPECT_EQ(granted.remaining, 4);
    EXPECT_EQ(granted.retry_after, 0s);
    EXPECT_THAT(granted.reset_after, about(1s));
    EXPECT_EQ(granted.basis, Basis::store);

    advance(300ms);
    EXPECT_TRUE(limiter.try_acquire(3));
    auto const denied = limiter.try_acquire(5);
    EXPECT_FALSE(denied.granted);
    EXPECT_EQ(denied.remaining, 1);
    EXPECT_THAT(denied.retry_after, about(700ms)) << "when the six are free";
    EXPECT_THAT(denied.reset_after, about(1s));
    EXPECT_EQ(denied.basis, Basis::store);
}

TEST_P(TakingPermits, ADenialTakesNothing)
{
    auto limiter = limiter_with(Rate::per(10, 1s));
    EXPECT_TRUE(limiter.try_acquire(8));
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(limiter.try_acquire(3));
    EXPECT_EQ(limiter.available_permits(), 2);
    EXPECT_TRUE(limiter.try_acquire(2));
}

TEST_P(TakingPermits, ANameOfAnyBytesIsALimiterOfItsOwn)
{
    std::string const names[] = {"mail",     "Mail", "mail ", std::string{"mail\0", 5}, "{mail}",
                                 "\xFF\xFE", ":",    "пошта", std::string(1024, 'n')};
    for (auto const& name : names) {
        auto limiter = this->limiter(name);
        EXPECT_EQ(limiter.name(), name);
        EXPECT_TRUE(limiter.try_set_rate(Rate::per(1, 1h))) << name;
        EXPECT_TRUE(limiter.try_acquire());
    }
    for (auto const& name : names) EXPECT_EQ(limiter(name).available_permits(), 0);
}

// ---- try_acquire_for ----

TEST_P(TakingPermits, TryAcquireForZeroDoesNotWait)
{
    auto limiter = limiter_with(Rate::per(1, 1s));
    EXPECT_TRUE(limiter.try_acquire_for(0s));
    EXPECT_FALSE(limiter.try_acquire_for(0s));
    EXPECT_EQ(client().stats().waiters, 0u);
}

TEST_P(TakingPermits, TryAcquireForWaitsIfThePermitsComeInTime)
{
    auto limiter = limiter_with(Rate::per(1, 500ms));
    limiter.acquire();
    auto decision = std::async(
        std::launch::async, [&] { return limiter.try_acquire_for(time_stands_still() ? 500ms : patience); });
    await_waiters(1);
    if (time_stands_still()) {
        advance(499ms);
        EXPECT_TRUE(is_pending(decision));
        advance(1ms);
    }
    EXPECT_TRUE(get(std::move(decision))) << "at the very end of the timeout is in time";
    EXPECT_EQ(client().stats().waiters, 0u);
}

TEST_P(TakingPermits, TryAcquireForDoesNotWaitInVain)
{
    auto limiter = limiter_with(Rate::per(1, 1h));
    limiter.acquire();
    auto const denied = limiter.try_acquire_for(59min);  // would hang if it waited: nobody moves the clock
    EXPECT_FALSE(denied);
    EXPECT_THAT(denied.retry_after, about(1h));
    EXPECT_FALSE(limiter.try_acquire_for(1ms));
}

TEST_P(TakingPermits, TryAcquireForIsDeniedAtItsDeadlineBehindAnother)
{
    auto limiter = limiter_with(Rate::per(2, 1s));
    limiter.acquire(2);
    auto first = limiter.async_acquire(2, asio::use_future);
    auto second = limiter.async_try_acquire_for(1500ms, 1, asio::use_future);
    advance(1s);
    EXPECT_TRUE(is_ready(first));
    EXPECT_TRUE(is_ready(second)) << "the first took all, so the next permit comes at 2 s: too late";
    auto const denied = second.get();
    EXPECT_FALSE(denied);
    EXPECT_THAT(denied.retry_after, about(1s));
}

TEST_P(TakingPermits, AnEnormousTimeoutIsForEver)
{
    auto limiter = limiter_with(Rate::per(1, 500ms));
    for (Duration const timeout : {Duration::max(), Duration::max() - 1us, Duration{24h * 365 * 100'000}}) {
        EXPECT_TRUE(limiter.try_acquire_for(timeout));
        auto decision = std::async(std::launch::async, [&] { return limiter.try_acquire_for(timeout); });
        await_waiters(1);
        advance(500ms);
        EXPECT_TRUE(get(std::move(decision)));
        advance(500ms);
    }
}

TEST_P(TakingPermits, ATimeoutInAnyUnit)
{
    auto limiter = limiter_with(Rate::per(10, 1h));
    auto keyed = client().keyed_rate_limiter("any unit", {.rate = Rate::per(10, 1h)});
    auto const ask = [&](auto timeout) {
        EXPECT_TRUE(limiter.try_acquire_for(timeout));
        EXPECT_TRUE(keyed.try_acquire_for("key", timeout));
    };
    ask(std::chrono::hours::max());  // more microseconds than there are
    ask(std::chrono::duration<double>::max());
    ask(1500ns);
    ask(std::chrono::duration<double>{0.5});
}

// ---- acquire ----

TEST_P(TakingPermits, AcquireWaitsUntilItIsGranted)
{
    auto limiter = limiter_with(Rate::per(3, 500ms));
    EXPECT_EQ(limiter.acquire(2).remaining, 1);
    auto decision = std::async(std::launch::async, [&] { return limiter.acquire(3); });
    await_waiters(1);
    EXPECT_TRUE(is_pending(decision));
    advance(500ms);
    auto const granted = get(std::move(decision));
    EXPECT_TRUE(granted);
    EXPECT_EQ(granted.remaining, 0);
    EXPECT_EQ(granted.retry_after, 0s);
    EXPECT_EQ(granted.basis, Basis::store);
}

TEST_P(TakingPermits, AcquireEndsWhenItsStopTokenSaysSo)
{
    auto limiter = limiter_with(Rate::per(1, 1h));
    limiter.acquire();
    std::stop_source stop;
    auto decision = std::async(std::launch::async, [&] { return limiter.acquire(1, stop.get_token()); });
    await_waiters(1);
    stop.request_stop();
    expect_error(Errc::cancelled, {"limiter \"mail\"", "cancelled", "nothing was taken"},
                 [&] { get(std::move(decision)); });
    EXPECT_EQ(client().stats().waiters, 0u);
    limiter.release(1);
    EXPECT_EQ(limiter.available_permits(), 1) << "nothing was taken";

    limiter.acquire();
    expect_error(Errc::cancelled, [&] { limiter.acquire(1, stop.get_token()); });  // asked before it began
}

TEST_P(TakingPermits, AStopTokenThatIsNeverUsedDoesNoHarm)
{
    auto limiter = limiter_with(Rate::per(1, 500ms));
    std::stop_source stop;
    EXPECT_TRUE(limiter.acquire(1, stop.get_token()));
    auto decision = std::async(std::launch::async, [&] { return limiter.acquire(1, stop.get_token()); });
    await_waiters(1);
    advance(500ms);
    EXPECT_TRUE(get(std::move(decision)));
    stop.request_stop();
    advance(500ms);
    EXPECT_TRUE(limiter.acquire(1, stop.get_token())) << "granted at once: there was no wait to stop";
}

TEST_P(TakingPermits, AcquireWithoutAnAnswerTooLargeFails)
{
    auto limiter = limiter_with(Rate::per(5, 1s));
    for (Permits const n : {Permits{6}, Permits{1} << 32, (Permits{1} << 32) + 1, Permits{1} << 62}) {
        expect_error(Errc::permits_exceed_rate, [&] { limiter.acquire(n); });
        expect_error(Errc::permits_exceed_rate, [&] { (void)limiter.try_acquire(n); });
        expect_error(Errc::permits_exceed_rate, [&] { (void)limiter.try_acquire_for(1s, n); });
        expect_error(Errc::permits_exceed_rate, [&] { (void)limiter.peek(n); });
    }
    EXPECT_EQ(limiter.available_permits(), 5);
}

// ---- peek ----

TEST_P(TakingPermits, PeekSaysWhatTryAcquireWouldAndTakesNothing)
{
    for (auto const algorithm : {Algorithm::sliding_log, Algorithm::fixed_window, Algorithm::token_bucket}) {
        SCOPED_TRACE(to_string(algorithm));
        auto limiter = this->limiter("mail", {.algorithm = algorithm});
        limiter.set_rate(Rate::per_hour(10));
        for (Permits const n : {Permits{4}, Permits{1}, Permits{5}, Permits{1}}) {
            auto const looked = limiter.peek(n);
            EXPECT_EQ(limiter.peek(n).granted, looked.granted);
            auto const taken = limiter.try_acquire(n);
            EXPECT_EQ(looked.granted, taken.granted);
            EXPECT_EQ(looked.remaining, taken.remaining);
            if (time_stands_still()) {
                EXPECT_EQ(looked, taken);
            }
        }
    }
}

TEST_P(TakingPermits, PeekIsDeniedBehindSomebodyWhoWaits)
{
    auto limiter = limiter_with(Rate::per(10, 1s));
    limiter.acquire(5);
    EXPECT_TRUE(limiter.peek(1));
    auto waiting = limiter.async_acquire(6, asio::use_future);
    await_waiters(1);
    EXPECT_FALSE(limiter.try_acquire(1));
    auto const denied = limiter.peek(1);
    EXPECT_FALSE(denied) << "five are free, but not for those behind";
    EXPECT_THAT(denied.retry_after, about(1s)) << "when the one in front is served";
    expect_error(Errc::permits_exceed_rate, [&] { (void)limiter.peek(11); });
    EXPECT_EQ(limiter.available_permits(), 5);
    advance(1s);
    EXPECT_TRUE(is_ready(waiting));
    EXPECT_TRUE(limiter.peek(1));
}

// ---- release and available_permits ----

TEST_P(TakingPermits, ReleaseNeverFillsItAboveFull)
{
    Rate const rates[] = {Rate::per_hour(10), Rate::per_hour(10).with_burst(25),
                          Rate::calendar(10, CalendarUnit::year)};
    for (auto const& rate : rates) {
        auto limiter = this->limiter(to_string(rate));
        limiter.set_rate(rate);
        Permits const full = rate.capacity();
        EXPECT_EQ(limiter.available_permits(), full);
        limiter.release(3);
        EXPECT_EQ(limiter.available_permits(), full);
        limiter.acquire(4);
        limiter.release(3);
        EXPECT_EQ(limiter.available_permits(), full - 1);
        limiter.release(std::numeric_limits<Permits>::max());
        EXPECT_EQ(limiter.available_permits(), full);
        EXPECT_TRUE(limiter.try_acquire(full));
        EXPECT_FALSE(limiter.try_acquire());
    }
}

TEST_P(TakingPermitsInStoppedTime, ReleaseGivesBackTheOldestGrantsFirst)
{
    auto limiter = limiter_with(Rate::per(10, 1s));
    limiter.acquire(3);
    advance(100ms);
    limiter.acquire(5);
    limiter.release(4);  // the three, and one of the five
    EXPECT_EQ(limiter.available_permits(), 6);
    advance(900ms);
    EXPECT_EQ(limiter.available_permits(), 6);
    advance(100ms);
    EXPECT_EQ(limiter.available_permits(), 10);
}

TEST_P(TakingPermits, AvailablePermitsStayBetweenZeroAndFull)
{
    auto limiter = limiter_with(Rate::per(10, 1s));
    EXPECT_EQ(limiter.available_permits(), 10);
    limiter.acquire(10);
    EXPECT_EQ(limiter.available_permits(), 0);
    limiter.update_rate(Rate::per(4, 1s));
    EXPECT_EQ(limiter.available_permits(), 0);
    limiter.release(8);
    EXPECT_EQ(limiter.available_permits(), 2);
    advance(1s);
    EXPECT_EQ(limiter.available_permits(), 4);
}

}  // namespace
}  // namespace ration::conformance
