// Redisson's own tests, 17 to 31: changing the rate, and giving permits back. As in redisson_test.cpp.

#include "conformance/world.hpp"

namespace ration::conformance {
namespace {

class RedissonRate : public Conformance {};
RATION_CONFORMANCE(RedissonRate);

TEST_P(RedissonRate, Redisson17_ChangeRate)
{
    for (auto const type : {RateType::per_client, RateType::overall}) {
        SCOPED_TRACE(to_string(type));
        auto limiter = this->limiter(to_string(type));
        limiter.set_rate(Rate::per(10, 5s), {.type = type});
        limiter.acquire();
        EXPECT_EQ(limiter.available_permits(), 9);
        limiter.set_rate(Rate::per(20, 5s), {.type = type});
        limiter.acquire();
        EXPECT_EQ(limiter.available_permits(), 19) << "set_rate forgets the grant";
    }
}

// Redisson's setRate with keepState on a limiter that does not exist; ration says ensure_rate for that.
TEST_P(RedissonRate, Redisson18_SetStateArgs)
{
    auto limiter = this->limiter();
    EXPECT_EQ(limiter.ensure_rate(Rate::per(10, 1s)), EnsureResult::created);
    limiter.acquire(3);
    EXPECT_EQ(limiter.available_permits(), 7);
    advance(1100ms);
    limiter.acquire(3);
    EXPECT_EQ(limiter.available_permits(), 7);
}

TEST_P(RedissonRate, Redisson19_SetStateArgsKeepState)
{
    auto limiter = limiter_with(Rate::per(10, 5s));
    limiter.acquire(3);
    EXPECT_TRUE(limiter.update_rate(Rate::per(20, 5s)));
    EXPECT_EQ(limiter.available_permits(), 17);
}

TEST_P(RedissonRate, Redisson20_SetStateArgsNotKeepState)
{
    auto limiter = limiter_with(Rate::per(10, 5s));
    limiter.acquire(3);
    limiter.set_rate(Rate::per(20, 5s));
    EXPECT_EQ(limiter.available_permits(), 20);
}

TEST_P(RedissonRate, Redisson21_UpdateRateNonExisting)
{
    auto limiter = this->limiter();
    for (auto const type : {RateType::overall, RateType::per_client}) {
        EXPECT_FALSE(limiter.update_rate(Rate::per(10, 5s), {.type = type}));
        EXPECT_FALSE(limiter.exists());
    }
}

TEST_P(RedissonRate, Redisson22_UpdateRateKeepsState)
{
    auto limiter = limiter_with(Rate::per(10, 5s));
    EXPECT_TRUE(limiter.update_rate(Rate::per(10, 5s)));
    EXPECT_EQ(limiter.available_permits(), 10);
    limiter.acquire(2);
    EXPECT_TRUE(limiter.update_rate(Rate::per(10, 5s)));
    EXPECT_EQ(limiter.available_permits(), 8);
    EXPECT_FALSE(limiter.try_acquire(10));
    EXPECT_TRUE(limiter.try_acquire(8));
}

TEST_P(RedissonRate, Redisson23_UpdateRateHigherRate)
{
    auto limiter = limiter_with(Rate::per(10, 2s));
    limiter.acquire(4);
    EXPECT_TRUE(limiter.update_rate(Rate::per(20, 5s)));
    EXPECT_EQ(limiter.available_permits(), 16);
    EXPECT_TRUE(limiter.try_acquire(16));
    EXPECT_FALSE(limiter.try_acquire());
}

TEST_P(RedissonRate, Redisson24_UpdateRateLowerRateNewValuePositive)
{
    auto limiter = limiter_with(Rate::per(10, 5s));
    limiter.acquire(3);
    EXPECT_TRUE(limiter.update_rate(Rate::per(5, 5s)));
    EXPECT_EQ(limiter.available_permits(), 2);
    EXPECT_FALSE(limiter.try_acquire(3));
    EXPECT_TRUE(limiter.try_acquire(2));
}

TEST_P(RedissonRate, Redisson25_UpdateRateLowerRateNewValueNegative)
{
    auto limiter = limiter_with(Rate::per(10, 5s));
    limiter.acquire(8);
    EXPECT_TRUE(limiter.update_rate(Rate::per(5, 5s)));
    EXPECT_EQ(limiter.available_permits(), 0);
    EXPECT_FALSE(limiter.try_acquire(1));
    EXPECT_FALSE(limiter.try_acquire(2));
}

// Not in Redisson, which forgets the debt (docs/redisson.md, defect 10): 8 single grants, 10 -> 5, and the first expiry
// lets one pass with 7 in the window.
TEST_P(RedissonRate, UpdateRateRemembersTheDebt)
{
    auto limiter = limiter_with(Rate::per(10, 1s));
    for (int i = 0; i < 8; ++i) {
        limiter.acquire();
        advance(50ms);
    }
    EXPECT_TRUE(limiter.update_rate(Rate::per(5, 1s)));
    if (time_stands_still()) {
        advance(600ms);  // 1 s after the first grant: 7 of 5 are in use
        EXPECT_FALSE(limiter.try_acquire());
        advance(100ms);  // 5 of 5
        EXPECT_FALSE(limiter.try_acquire());
        advance(50ms);
        EXPECT_TRUE(limiter.try_acquire());
        EXPECT_FALSE(limiter.try_acquire());
    }
    advance(1s);
    EXPECT_EQ(limiter.available_permits(), 5);
}

TEST_P(RedissonRate, Redisson26_UpdateRatePermitResetFull)
{
    auto limiter = limiter_with(Rate::per(10, 1s));
    limiter.acquire(8);
    advance(2s);
    EXPECT_TRUE(limiter.update_rate(Rate::per(10, 1s)));
    EXPECT_EQ(limiter.available_permits(), 10);
}

TEST_P(RedissonRate, Redisson27_UpdateRateModeChangeClearsState)
{
    auto limiter = limiter_with(Rate::per(10, 5s));
    limiter.acquire(4);
    EXPECT_TRUE(limiter.update_rate(Rate::per(10, 5s), {.type = RateType::per_client}));
    EXPECT_EQ(limiter.available_permits(), 10);
    limiter.acquire(4);
    EXPECT_TRUE(limiter.update_rate(Rate::per(10, 5s), {.type = RateType::overall}));
    EXPECT_EQ(limiter.available_permits(), 10);
}

// Java's IllegalArgumentException is invalid_argument here.
TEST_P(RedissonRate, Redisson28_UpdateRateKeepAliveTimeLessThanIntervalThrows)
{
    auto limiter = limiter_with(Rate::per(10, 5s));
    expect_error(Errc::invalid_argument, {"mail", "keep_alive", "interval"},
                 [&] { limiter.update_rate(Rate::per(10, 5s), {.keep_alive = 1s}); });
    EXPECT_EQ(limiter.config().keep_alive, 0s) << "nothing was written";
}

TEST_P(RedissonRate, Redisson29_UpdateRateRateIntervalChangeDropsExpired)
{
    auto limiter = limiter_with(Rate::per(10, 5s));
    limiter.acquire(3);
    advance(1100ms);
    EXPECT_TRUE(limiter.update_rate(Rate::per(10, 1s)));
    EXPECT_EQ(limiter.available_permits(), 10);
}

TEST_P(RedissonRate, Redisson30_UpdateRatePerClientUsesClientState)
{
    auto limiter = limiter_with(Rate::per(10, 5s), {.type = RateType::per_client});
    limiter.acquire(3);
    EXPECT_TRUE(limiter.update_rate(Rate::per(20, 5s), {.type = RateType::per_client}));
    EXPECT_EQ(limiter.available_permits(), 17);
}

// On purpose not as Redisson for 0, which it ignores: n < 1 is invalid_argument throughout ration.
TEST_P(RedissonRate, Redisson31_Release)
{
    for (auto const type : {RateType::overall, RateType::per_client}) {
        SCOPED_TRACE(to_string(type));
        auto limiter = this->limiter(to_string(type));
        limiter.set_rate(Rate::per(10, 5s), {.type = type});
        limiter.acquire(3);
        EXPECT_EQ(limiter.available_permits(), 7);
        limiter.release(3);
        EXPECT_EQ(limiter.available_permits(), 10);
        limiter.release(10);
        EXPECT_EQ(limiter.available_permits(), 10);
        expect_error(Errc::invalid_argument, [&] { limiter.release(0); });
        expect_error(Errc::invalid_argument, [&] { limiter.release(-1); });
        EXPECT_EQ(limiter.available_permits(), 10);
    }
}

// Redisson to 4.7.0 credits a released grant again when it expires (docs/redisson.md, defect 2): 13 of 10.
TEST_P(RedissonRate, ReleasedPermitsAreCreditedOnce)
{
    auto limiter = limiter_with(Rate::per(10, 1s));
    limiter.acquire(3);
    limiter.release(3);
    limiter.acquire(10);
    advance(500ms);
    EXPECT_EQ(limiter.available_permits(), 0);
    advance(500ms);
    EXPECT_EQ(limiter.available_permits(), 10);

    for (int i = 0; i < 9; ++i) {
        limiter.acquire();
        limiter.release(1);
        advance(100ms);
    }
    EXPECT_EQ(limiter.available_permits(), 10);
}

}  // namespace
}  // namespace ration::conformance
