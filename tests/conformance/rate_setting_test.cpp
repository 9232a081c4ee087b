// try_set_rate, set_rate, ensure_rate, update_rate, and which algorithm a limiter has.

#include "conformance/world.hpp"

namespace ration::conformance {
namespace {

Rate const five_a_second = Rate::per_second(5);
Rate const daily = Rate::calendar(100, CalendarUnit::day, "UTC");
Rate const bursty = Rate::per_second(5).with_burst(20);

class RateSetting : public Conformance {};
RATION_CONFORMANCE(RateSetting);

TEST_P(RateSetting, WithoutARateNothingWorks)
{
    auto limiter = this->limiter();
    EXPECT_FALSE(limiter.exists());
    std::vector<std::string> const says{"limiter \"mail\"", "no rate is set", "try_set_rate"};
    expect_error(Errc::not_initialized, says, [&] { (void)limiter.try_acquire(); });
    expect_error(Errc::not_initialized, says, [&] { (void)limiter.try_acquire_for(1s); });
    expect_error(Errc::not_initialized, says, [&] { limiter.acquire(); });
    expect_error(Errc::not_initialized, says, [&] { (void)limiter.peek(); });
    expect_error(Errc::not_initialized, says, [&] { limiter.release(1); });
    expect_error(Errc::not_initialized, says, [&] { (void)limiter.available_permits(); });
    expect_error(Errc::not_initialized, says, [&] { limiter.config(); });
    expect_error(Errc::not_initialized, says, [&] { (void)limiter.remaining_time_to_live(); });
    expect_error(Errc::not_initialized, says, [&] { limiter.rename("post"); });
    EXPECT_FALSE(limiter.remove());
    EXPECT_FALSE(limiter.expire_after(1s));
    EXPECT_FALSE(limiter.clear_expiry());
}

TEST_P(RateSetting, TrySetRateLeavesAnExistingOneAlone)
{
    auto limiter = this->limiter();
    EXPECT_TRUE(limiter.try_set_rate(five_a_second, {.type = RateType::overall, .keep_alive = 2s}));
    limiter.acquire(2);
    EXPECT_FALSE(limiter.try_set_rate(Rate::per_minute(100), {.type = RateType::per_client}));
    EXPECT_EQ(limiter.config(), (LimiterConfig{.rate = five_a_second, .keep_alive = 2s}));
    EXPECT_EQ(limiter.available_permits(), 3);
    if (time_stands_still()) {
        advance(1s);
        EXPECT_FALSE(limiter.try_set_rate(five_a_second));
        EXPECT_EQ(limiter.remaining_time_to_live(), 1s) << "setting nothing is no use of the limiter";
    }
}

TEST_P(RateSetting, TheRateIsEverybodys)
{
    auto other = world().client();
    EXPECT_TRUE(limiter().try_set_rate(five_a_second));
    auto theirs = other.rate_limiter("mail");
    EXPECT_FALSE(theirs.try_set_rate(five_a_second));
    EXPECT_EQ(theirs.config(), limiter().config());
    EXPECT_TRUE(theirs.try_acquire(5));
    EXPECT_FALSE(limiter().try_acquire());
    EXPECT_NE(other.id(), client().id());
}

TEST_P(RateSetting, SetRateReplacesEverythingAndForgetsGrants)
{
    auto limiter = limiter_with(five_a_second, {.type = RateType::per_client, .keep_alive = 10s});
    limiter.acquire(5);
    limiter.set_rate(Rate::per_minute(7));
    EXPECT_EQ(limiter.config(), (LimiterConfig{.rate = Rate::per_minute(7)}));
    EXPECT_EQ(limiter.available_permits(), 7);
    EXPECT_EQ(limiter.remaining_time_to_live(), std::nullopt) << "keep_alive is gone (Redisson keeps it)";
}

TEST_P(RateSetting, EnsureRateIsTheCallForStartUp)
{
    auto limiter = this->limiter();
    EXPECT_EQ(limiter.ensure_rate(five_a_second), EnsureResult::created);
    limiter.acquire(3);
    EXPECT_EQ(limiter.ensure_rate(five_a_second), EnsureResult::unchanged);
    EXPECT_EQ(limiter.available_permits(), 2) << "the same config leaves grants alone";
    EXPECT_EQ(limiter.ensure_rate(Rate::per_second(6)), EnsureResult::changed);
    EXPECT_EQ(limiter.available_permits(), 6) << "another one forgets them";
    EXPECT_EQ(limiter.config().rate, Rate::per_second(6));
}

TEST_P(RateSetting, EnsureRateComparesAllOfTheConfig)
{
    auto limiter = limiter_with(five_a_second);
    EXPECT_EQ(limiter.ensure_rate(five_a_second, {.type = RateType::per_client}), EnsureResult::changed);
    EXPECT_EQ(limiter.ensure_rate(five_a_second, {.type = RateType::per_client, .keep_alive = 1s}),
              EnsureResult::changed);
    EXPECT_EQ(limiter.ensure_rate(five_a_second, {.type = RateType::per_client, .keep_alive = 1s}),
              EnsureResult::unchanged);
    auto as_bucket = this->limiter("mail", {.algorithm = Algorithm::token_bucket});
    EXPECT_EQ(as_bucket.ensure_rate(five_a_second, {.type = RateType::per_client, .keep_alive = 1s}),
              EnsureResult::changed);
    EXPECT_EQ(limiter.config().algorithm, Algorithm::token_bucket);
}

TEST_P(RateSetting, UpdateRateKeepsGrantsOfEveryAlgorithm)
{
    struct Row {
        Algorithm algorithm;
        Rate before;
        Rate after;
        Permits left;
    };
    Row const rows[] = {
        {Algorithm::sliding_log, Rate::per_hour(10), Rate::per_hour(20), 14},
        {Algorithm::fixed_window, Rate::per_hour(10), Rate::per_hour(20), 14},
        {Algorithm::token_bucket, Rate::per_hour(10), Rate::per_hour(20), 14},
        {Algorithm::token_bucket, Rate::per_hour(10), Rate::per_hour(20).with_burst(50), 44},
        {Algorithm::calendar_window, Rate::calendar(10, CalendarUnit::year),
         Rate::calendar(20, CalendarUnit::year), 14},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(to_string(row.algorithm));
        auto limiter = this->limiter("mail", {.algorithm = row.algorithm});
        limiter.set_rate(row.before);
        limiter.acquire(6);
        EXPECT_TRUE(limiter.update_rate(row.after));
        EXPECT_EQ(limiter.available_permits(), row.left);
        EXPECT_EQ(limiter.config().rate, row.after);

        EXPECT_TRUE(limiter.update_rate(row.before));
        limiter.acquire(4);
        EXPECT_TRUE(limiter.update_rate(row.before.is_calendar() ? Rate::calendar(3, CalendarUnit::year)
                                                                 : Rate::per_hour(3)));
        EXPECT_EQ(limiter.available_permits(), 0) << "debt: never below zero";
        EXPECT_FALSE(limiter.try_acquire());
        limiter.release(7);
        EXPECT_EQ(limiter.available_permits(), 0) << "3 of 3 are in use";
        limiter.release(1);
        EXPECT_EQ(limiter.available_permits(), 1);
    }
}

TEST_P(RateSetting, UpdateRateChangesKeepAlive)
{
    auto limiter = limiter_with(five_a_second);
    EXPECT_TRUE(limiter.update_rate(five_a_second, {.keep_alive = 3s}));
    EXPECT_EQ(limiter.config().keep_alive, 3s);
    EXPECT_THAT(limiter.remaining_time_to_live(), ::testing::Optional(about(3s)));
    EXPECT_TRUE(limiter.update_rate(five_a_second));
    EXPECT_EQ(limiter.remaining_time_to_live(), std::nullopt);
}

// ---- the algorithm belongs to the stored config ----

TEST_P(RateSetting, ANewLimiterHasTheAlgorithmItsRateSuggests)
{
    auto limiter = this->limiter();
    limiter.try_set_rate(five_a_second);
    EXPECT_EQ(limiter.config().algorithm, Algorithm::sliding_log);
    limiter.remove();
    limiter.try_set_rate(daily);
    EXPECT_EQ(limiter.config().algorithm, Algorithm::calendar_window);
    limiter.remove();
    limiter.try_set_rate(bursty);
    EXPECT_EQ(limiter.config().algorithm, Algorithm::token_bucket);
}

TEST_P(RateSetting, WithoutOneTheHandleFollowsTheData)
{
    auto windows = limiter("mail", {.algorithm = Algorithm::fixed_window});
    windows.set_rate(five_a_second);
    auto any = limiter("mail");
    EXPECT_EQ(any.config().algorithm, Algorithm::fixed_window);
    EXPECT_TRUE(any.try_acquire());
    EXPECT_TRUE(any.update_rate(Rate::per_second(6)));
    EXPECT_FALSE(any.try_set_rate(five_a_second));
    any.set_rate(Rate::per_second(7));
    EXPECT_EQ(any.config().algorithm, Algorithm::fixed_window) << "kept: nobody asked for another";
}

TEST_P(RateSetting, AHandleOfAnotherAlgorithmConflicts)
{
    limiter().set_rate(five_a_second);
    auto bucket = limiter("mail", {.algorithm = Algorithm::token_bucket});
    auto const refuse = [&](auto call) { expect_error(Errc::config_conflict, {"limiter \"mail\""}, call); };
    refuse([&] { (void)bucket.try_acquire(); });
    refuse([&] { (void)bucket.try_acquire_for(1s); });
    refuse([&] { bucket.acquire(); });
    refuse([&] { (void)bucket.peek(); });
    refuse([&] { bucket.release(1); });
    refuse([&] { (void)bucket.available_permits(); });
    refuse([&] { bucket.try_set_rate(five_a_second); });
    refuse([&] { bucket.update_rate(five_a_second); });
    EXPECT_EQ(limiter().available_permits(), 5) << "nothing was taken";
    EXPECT_TRUE(bucket.exists());
    EXPECT_EQ(bucket.config().algorithm, Algorithm::sliding_log);
}

TEST_P(RateSetting, SetRateAndEnsureRateReplaceTheAlgorithm)
{
    auto log = limiter();
    log.set_rate(five_a_second);
    log.acquire(5);
    auto bucket = limiter("mail", {.algorithm = Algorithm::token_bucket});
    bucket.set_rate(five_a_second);
    EXPECT_EQ(bucket.config().algorithm, Algorithm::token_bucket);
    EXPECT_TRUE(bucket.try_acquire(5));

    auto windows = limiter("mail", {.algorithm = Algorithm::fixed_window});
    EXPECT_EQ(windows.ensure_rate(five_a_second), EnsureResult::changed);
    EXPECT_EQ(windows.config().algorithm, Algorithm::fixed_window);
    EXPECT_EQ(windows.available_permits(), 5);
}

TEST_P(RateSetting, UpdateRateNeverChangesTheAlgorithm)
{
    auto limiter = limiter_with(five_a_second);
    limiter.acquire(2);
    expect_error(Errc::config_conflict, {"mail", "sliding_log", "token_bucket"},
                 [&] { limiter.update_rate(bursty); });
    expect_error(Errc::config_conflict, {"mail", "sliding_log", "calendar_window"},
                 [&] { limiter.update_rate(daily); });
    EXPECT_EQ(limiter.config().rate, five_a_second);
    EXPECT_EQ(limiter.available_permits(), 3);
}

TEST_P(RateSetting, ARateThatDoesNotFitTheAlgorithmIsRefused)
{
    struct Row {
        Algorithm algorithm;
        Rate rate;
    };
    Row const rows[] = {
        {Algorithm::sliding_log, daily},      {Algorithm::sliding_log, bursty},
        {Algorithm::fixed_window, daily},     {Algorithm::fixed_window, bursty},
        {Algorithm::token_bucket, daily},     {Algorithm::calendar_window, five_a_second},
        {Algorithm::calendar_window, bursty},
    };
    for (auto const& row : rows) {
        auto limiter = this->limiter("mail", {.algorithm = row.algorithm});
        std::vector<std::string> const says{"limiter \"mail\"", to_string(row.rate),
                                            std::string{to_string(row.algorithm)}, "goes with"};
        expect_error(Errc::invalid_argument, says, [&] { limiter.try_set_rate(row.rate); });
        expect_error(Errc::invalid_argument, says, [&] { limiter.set_rate(row.rate); });
        expect_error(Errc::invalid_argument, says, [&] { limiter.ensure_rate(row.rate); });
        expect_error(Errc::invalid_argument, says, [&] { limiter.update_rate(row.rate); });
        EXPECT_FALSE(limiter.exists());
    }
}

}  // namespace
}  // namespace ration::conformance
