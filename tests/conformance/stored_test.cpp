// The limiter as a thing that is stored: config, exists, remove, expiry, keep_alive, rename, per_client.

#include "conformance/world.hpp"

namespace ration::conformance {
namespace {

Rate const five_a_second = Rate::per_second(5);

class Stored : public Conformance {};
RATION_CONFORMANCE(Stored);

TEST_P(Stored, ConfigIsWhatWasSet)
{
    auto limiter = this->limiter("mail", {.algorithm = Algorithm::token_bucket});
    Rate const rate = Rate::per_minute(60).with_burst(10);
    limiter.set_rate(rate, {.type = RateType::per_client, .keep_alive = 5min});
    EXPECT_EQ(limiter.config(), (LimiterConfig{rate, RateType::per_client, Algorithm::token_bucket, 5min}));

    auto quota = this->limiter("quota");
    Rate const quarterly = Rate::calendar(7, CalendarUnit::month, "Asia/Shanghai", 3);
    quota.set_rate(quarterly);
    EXPECT_EQ(quota.config().rate, quarterly);
}

TEST_P(Stored, RemoveTakesConfigAndState)
{
    auto limiter = limiter_with(five_a_second);
    limiter.acquire(5);
    EXPECT_TRUE(limiter.exists());
    EXPECT_TRUE(limiter.remove());
    EXPECT_FALSE(limiter.remove());
    EXPECT_FALSE(limiter.exists());
    expect_error(Errc::not_initialized, [&] { (void)limiter.try_acquire(); });
    limiter.set_rate(five_a_second);
    EXPECT_EQ(limiter.available_permits(), 5);
}

// ---- expiry ----

TEST_P(Stored, ExpireAfterLetsItVanish)
{
    auto limiter = limiter_with(five_a_second);
    EXPECT_EQ(limiter.remaining_time_to_live(), std::nullopt);
    EXPECT_TRUE(limiter.expire_after(2s));
    EXPECT_THAT(limiter.remaining_time_to_live(), ::testing::Optional(about(2s)));
    if (time_stands_still()) {
        advance(1999ms);
        EXPECT_EQ(limiter.remaining_time_to_live(), 1ms);
        EXPECT_TRUE(limiter.try_acquire());
        EXPECT_EQ(limiter.remaining_time_to_live(), 1ms) << "without keep_alive, use does not prolong it";
        advance(1ms);
    } else {
        advance(2s);
    }
    EXPECT_FALSE(limiter.exists());
    expect_error(Errc::not_initialized, [&] { (void)limiter.try_acquire(); });
    EXPECT_FALSE(limiter.expire_after(1s));
    EXPECT_FALSE(limiter.remove());
}

TEST_P(Stored, ExpireAtMeansTheClockOnTheWall)
{
    auto limiter = limiter_with(five_a_second);
    EXPECT_TRUE(limiter.expire_at(world().wall() + 1s));
    EXPECT_THAT(limiter.remaining_time_to_live(), ::testing::Optional(about(1s)));
    advance(1s);
    EXPECT_FALSE(limiter.exists());

    limiter.set_rate(five_a_second);
    EXPECT_TRUE(limiter.expire_at(world().wall() - 1h)) << "a moment that has passed: now";
    EXPECT_FALSE(limiter.exists());
    EXPECT_FALSE(limiter.expire_at(world().wall() + 1h));
}

TEST_P(Stored, AnExpiryFarAwayIsNone)
{
    auto limiter = limiter_with(five_a_second);
    EXPECT_TRUE(limiter.expire_after(Duration::max()));
    EXPECT_TRUE(limiter.expire_after(std::chrono::hours::max()));
    EXPECT_TRUE(limiter.exists());
    EXPECT_TRUE(limiter.expire_at(std::chrono::system_clock::time_point::max()));
    EXPECT_TRUE(limiter.exists());
    EXPECT_TRUE(limiter.try_acquire());
}

TEST_P(Stored, ClearExpiryKeepsIt)
{
    auto limiter = limiter_with(five_a_second);
    EXPECT_FALSE(limiter.clear_expiry()) << "it would not have expired";
    limiter.expire_after(1s);
    EXPECT_TRUE(limiter.clear_expiry());
    EXPECT_EQ(limiter.remaining_time_to_live(), std::nullopt);
    advance(1s);
    EXPECT_TRUE(limiter.exists());
    EXPECT_EQ(limiter.available_permits(), 5);
}

TEST_P(Stored, WaitersOfALimiterThatExpiresAreTold)
{
    auto limiter = limiter_with(Rate::per(1, 3s));
    limiter.acquire();
    auto waiting = limiter.async_acquire(1, asio::as_tuple(asio::use_future));
    await_waiters(1);
    limiter.expire_after(1s);
    advance(3s);
    ASSERT_TRUE(is_ready(waiting));
    EXPECT_EQ(std::get<0>(waiting.get()), Errc::not_initialized);
}

// ---- keep_alive ----

TEST_P(Stored, KeepAliveIsRefreshedByUseGrantedOrDenied)
{
    auto limiter = limiter_with(Rate::per(1, 500ms), {.keep_alive = 1s});
    auto const used = [&](auto use) {
        advance(400ms);
        use();
        EXPECT_THAT(limiter.remaining_time_to_live(), ::testing::Optional(about(1s)));
    };
    used([&] { EXPECT_TRUE(limiter.try_acquire()); });
    if (time_stands_still()) used([&] { EXPECT_FALSE(limiter.try_acquire()); });
    used([&] { limiter.release(1); });
    advance(400ms);
    if (time_stands_still()) {
        (void)limiter.peek();
        (void)limiter.available_permits();
        (void)limiter.config();
        EXPECT_EQ(limiter.remaining_time_to_live(), 600ms) << "looking is no use";
    }
    advance(1s);
    EXPECT_FALSE(limiter.exists());
}

TEST_P(Stored, AWaiterKeepsItAliveWhenItIsServed)
{
    auto limiter = limiter_with(Rate::per(1, 500ms), {.keep_alive = 2s});
    limiter.acquire();
    auto served = limiter.async_acquire(1, asio::use_future);
    advance(500ms);
    ASSERT_TRUE(is_ready(served));
    EXPECT_TRUE(served.get());
    EXPECT_THAT(limiter.remaining_time_to_live(), ::testing::Optional(about(2s)));
}

TEST_P(Stored, AnEnormousKeepAliveIsForEver)
{
    auto limiter = this->limiter();
    EXPECT_TRUE(limiter.try_set_rate(five_a_second, {.keep_alive = Duration::max()}));
    EXPECT_TRUE(limiter.exists());
    EXPECT_TRUE(limiter.try_acquire());
    EXPECT_TRUE(limiter.exists());
    EXPECT_EQ(limiter.available_permits(), 4);
}

TEST_P(Stored, ExpireAfterWithKeepAliveHoldsUntilTheNextUse)
{
    auto limiter = limiter_with(five_a_second, {.keep_alive = 1s});
    limiter.expire_after(10s);
    EXPECT_THAT(limiter.remaining_time_to_live(), ::testing::Optional(about(10s)));
    EXPECT_TRUE(limiter.try_acquire());
    EXPECT_THAT(limiter.remaining_time_to_live(), ::testing::Optional(about(1s)));
}

// ---- rename ----

TEST_P(Stored, RenameMovesConfigAndState)
{
    auto limiter = limiter_with(Rate::per(5, 1s), {.keep_alive = 10s});
    limiter.acquire(3);
    auto post = this->limiter("post");
    limiter.rename("post");
    EXPECT_FALSE(limiter.exists());
    EXPECT_EQ(limiter.name(), "mail") << "the object keeps its name";
    EXPECT_EQ(post.config().keep_alive, 10s);
    EXPECT_EQ(post.available_permits(), 2);
    EXPECT_THAT(post.remaining_time_to_live(), ::testing::Optional(about(10s)));
    advance(1s);
    EXPECT_EQ(post.available_permits(), 5);

    EXPECT_TRUE(limiter.try_set_rate(Rate::per(1, 1s)));
    EXPECT_EQ(limiter.available_permits(), 1);
}

TEST_P(Stored, RenameOntoAnotherLimiterConflicts)
{
    auto limiter = limiter_with(five_a_second);
    limiter.acquire(1);
    auto post = this->limiter("post");
    post.set_rate(Rate::per_second(9));
    expect_error(Errc::config_conflict, {"limiter \"mail\"", "post", "remove"},
                 [&] { limiter.rename("post"); });
    expect_error(Errc::config_conflict, {"limiter \"mail\""}, [&] { limiter.rename("mail"); });
    EXPECT_EQ(limiter.available_permits(), 4);
    EXPECT_EQ(post.available_permits(), 9);

    post.expire_after(500ms);
    advance(500ms);
    limiter.rename("post");
    EXPECT_TRUE(post.exists()) << "what has expired is not in the way";
}

TEST_P(Stored, RenameMovesEveryClientsState)
{
    auto other = world().client();
    auto ours = limiter_with(five_a_second, {.type = RateType::per_client});
    auto theirs = other.rate_limiter("mail");
    ours.acquire(1);
    theirs.acquire(3);
    ours.rename("post");
    EXPECT_EQ(limiter("post").available_permits(), 4);
    EXPECT_EQ(other.rate_limiter("post").available_permits(), 2);
}

TEST_P(Stored, WaitersOnTheOldNameAreTold)
{
    auto limiter = limiter_with(Rate::per(1, 1h));
    limiter.acquire();
    auto waiting = limiter.async_acquire(1, asio::as_tuple(asio::use_future));
    await_waiters(1);
    limiter.rename("post");
    EXPECT_EQ(std::get<0>(get(std::move(waiting))), Errc::not_initialized);
    EXPECT_EQ(this->limiter("post").available_permits(), 0);
}

// ---- migrate ----

TEST_P(Stored, MigrateLeavesWhatIsUpToDate)
{
    auto limiter = this->limiter();
    EXPECT_EQ(limiter.migrate(), 0) << "nothing there is nothing to do";
    limiter.set_rate(Rate::per(5, 1h));
    limiter.acquire(3);
    EXPECT_EQ(limiter.migrate(), 0);
    EXPECT_EQ(limiter.available_permits(), 2);
}

// ---- per_client ----

TEST_P(Stored, PerClientGivesEachTheWholeRate)
{
    auto other = world().client();
    auto ours = limiter_with(five_a_second, {.type = RateType::per_client});
    auto theirs = other.rate_limiter("mail");
    ours.acquire(5);
    EXPECT_FALSE(ours.try_acquire());
    EXPECT_EQ(theirs.available_permits(), 5);
    EXPECT_TRUE(theirs.try_acquire(4));
    EXPECT_EQ(theirs.available_permits(), 1);
    EXPECT_EQ(ours.available_permits(), 0);
    ours.release(2);
    EXPECT_EQ(ours.available_permits(), 2);
    EXPECT_EQ(theirs.available_permits(), 1);
}

TEST_P(Stored, AChangedRateIsEveryClients)
{
    auto other = world().client();
    auto ours = limiter_with(five_a_second, {.type = RateType::per_client});
    auto theirs = other.rate_limiter("mail");
    ours.acquire(2);
    theirs.acquire(3);
    EXPECT_TRUE(ours.update_rate(Rate::per_second(10), {.type = RateType::per_client}));
    EXPECT_EQ(ours.available_permits(), 8);
    EXPECT_EQ(theirs.available_permits(), 7);
    ours.set_rate(five_a_second, {.type = RateType::per_client});
    EXPECT_EQ(theirs.available_permits(), 5) << "set_rate forgets everybody's grants";
}

TEST_P(Stored, AClientThatReopensItsLimiterFindsItsGrants)
{
    limiter_with(Rate::per_hour(5), {.type = RateType::per_client}).acquire(5);  // and lets go of it
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(limiter().try_acquire());
    auto other = world().client();
    EXPECT_EQ(other.rate_limiter("mail").available_permits(), 5);
    EXPECT_EQ(limiter().available_permits(), 0);
}

}  // namespace
}  // namespace ration::conformance
