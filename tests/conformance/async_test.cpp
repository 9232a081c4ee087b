// Every async twin: the same answers as the blocking call, and what the completion looks like.

#include "conformance/world.hpp"

#include <array>

namespace ration::conformance {
namespace {

Rate const five_an_hour = Rate::per_hour(5);

class AsyncTwins : public Conformance {};
RATION_CONFORMANCE(AsyncTwins);

TEST_P(AsyncTwins, OfTheRate)
{
    auto limiter = this->limiter();
    EXPECT_FALSE(get(limiter.async_update_rate(five_an_hour, asio::use_future)));
    EXPECT_TRUE(get(limiter.async_try_set_rate(five_an_hour, asio::use_future)));
    EXPECT_FALSE(get(limiter.async_try_set_rate(five_an_hour, {}, asio::use_future)));
    EXPECT_EQ(get(limiter.async_ensure_rate(five_an_hour, asio::use_future)), EnsureResult::unchanged);
    EXPECT_EQ(get(limiter.async_ensure_rate(Rate::per_hour(6), {}, asio::use_future)), EnsureResult::changed);
    EXPECT_TRUE(get(limiter.async_update_rate(Rate::per_hour(7), {}, asio::use_future)));
    EXPECT_EQ(get(limiter.async_config(asio::use_future)).rate, Rate::per_hour(7));
    get(limiter.async_set_rate(five_an_hour, {.type = RateType::per_client}, asio::use_future));
    EXPECT_EQ(get(limiter.async_config(asio::use_future)).type, RateType::per_client);
}

TEST_P(AsyncTwins, OfPermits)
{
    auto limiter = limiter_with(five_an_hour);
    EXPECT_TRUE(get(limiter.async_peek(5, asio::use_future)));
    EXPECT_EQ(get(limiter.async_try_acquire(2, asio::use_future)).remaining, 3);
    EXPECT_EQ(get(limiter.async_try_acquire(asio::use_future)).remaining, 2);
    EXPECT_EQ(get(limiter.async_acquire(1, asio::use_future)).remaining, 1);
    EXPECT_EQ(get(limiter.async_acquire(asio::use_future)).remaining, 0);
    auto const denied = get(limiter.async_try_acquire_for(1s, 1, asio::use_future));
    EXPECT_FALSE(denied) << "a denial is an answer, never an error";
    EXPECT_THAT(denied.retry_after, about(1h));
    EXPECT_FALSE(get(limiter.async_try_acquire_for(1s, asio::use_future)));
    EXPECT_FALSE(get(limiter.async_peek(asio::use_future)));
    get(limiter.async_release(3, asio::use_future));
    EXPECT_EQ(get(limiter.async_available_permits(asio::use_future)), 3);
}

TEST_P(AsyncTwins, OfTheStoredThing)
{
    auto limiter = this->limiter();
    EXPECT_FALSE(get(limiter.async_exists(asio::use_future)));
    EXPECT_FALSE(get(limiter.async_expire_after(1s, asio::use_future)));
    EXPECT_FALSE(get(limiter.async_remove(asio::use_future)));
    limiter.set_rate(five_an_hour);
    EXPECT_TRUE(get(limiter.async_exists(asio::use_future)));
    EXPECT_EQ(get(limiter.async_remaining_time_to_live(asio::use_future)), std::nullopt);
    EXPECT_TRUE(get(limiter.async_expire_after(10s, asio::use_future)));
    EXPECT_THAT(get(limiter.async_remaining_time_to_live(asio::use_future)), ::testing::Optional(about(10s)));
    EXPECT_TRUE(get(limiter.async_expire_at(world().wall() + 20s, asio::use_future)));
    EXPECT_THAT(get(limiter.async_remaining_time_to_live(asio::use_future)), ::testing::Optional(about(20s)));
    EXPECT_TRUE(get(limiter.async_clear_expiry(asio::use_future)));
    EXPECT_FALSE(get(limiter.async_clear_expiry(asio::use_future)));
    EXPECT_EQ(get(limiter.async_migrate(asio::use_future)), 0);
    get(limiter.async_rename("post", asio::use_future));
    EXPECT_TRUE(this->limiter("post").exists());
    EXPECT_TRUE(get(this->limiter("post").async_remove(asio::use_future)));
}

TEST_P(AsyncTwins, AFutureThrowsBoostsErrorWithAnEqualCode)
{
    auto limiter = this->limiter();
    auto future = limiter.async_acquire(1, asio::use_future);
    try {
        get(std::move(future));
        FAIL() << "no rate is set";
    } catch (boost::system::system_error const& error) {
        EXPECT_EQ(error.code(), Errc::not_initialized);
    }
}

TEST_P(AsyncTwins, CompleteWithTheCodesOfTheBlockingCalls)
{
    auto limiter = this->limiter();
    auto const code = [](auto operation) {
        return std::get<0>(get(std::move(operation)(asio::as_tuple(asio::use_future))));
    };
    EXPECT_EQ(code(limiter.async_try_acquire(1)), Errc::not_initialized);
    EXPECT_EQ(code(limiter.async_try_acquire_for(1s, 1)), Errc::not_initialized);
    EXPECT_EQ(code(limiter.async_acquire(1)), Errc::not_initialized);
    EXPECT_EQ(code(limiter.async_peek(1)), Errc::not_initialized);
    EXPECT_EQ(code(limiter.async_release(1)), Errc::not_initialized);
    EXPECT_EQ(code(limiter.async_available_permits()), Errc::not_initialized);
    EXPECT_EQ(code(limiter.async_config()), Errc::not_initialized);
    EXPECT_EQ(code(limiter.async_remaining_time_to_live()), Errc::not_initialized);
    EXPECT_EQ(code(limiter.async_rename("post")), Errc::not_initialized);

    limiter.set_rate(five_an_hour);
    for (Permits const n : {Permits{6}, (Permits{1} << 32) + 5}) {
        EXPECT_EQ(code(limiter.async_try_acquire(n)), Errc::permits_exceed_rate);
        EXPECT_EQ(code(limiter.async_try_acquire_for(1s, n)), Errc::permits_exceed_rate);
        EXPECT_EQ(code(limiter.async_acquire(n)), Errc::permits_exceed_rate);
        EXPECT_EQ(code(limiter.async_peek(n)), Errc::permits_exceed_rate);
    }
    for (Permits const n : {0, -1}) {
        EXPECT_EQ(code(limiter.async_try_acquire(n)), Errc::invalid_argument);
        EXPECT_EQ(code(limiter.async_try_acquire_for(1s, n)), Errc::invalid_argument);
        EXPECT_EQ(code(limiter.async_acquire(n)), Errc::invalid_argument);
        EXPECT_EQ(code(limiter.async_peek(n)), Errc::invalid_argument);
        EXPECT_EQ(code(limiter.async_release(n)), Errc::invalid_argument);
    }
    EXPECT_EQ(code(limiter.async_try_acquire_for(-1us, 1)), Errc::invalid_argument);
    EXPECT_EQ(code(limiter.async_expire_after(0s)), Errc::invalid_argument);
    EXPECT_EQ(code(limiter.async_expire_after(-1s)), Errc::invalid_argument);
    EXPECT_EQ(code(limiter.async_rename("")), Errc::invalid_argument);
    EXPECT_EQ(code(limiter.async_rename("mail")), Errc::config_conflict);
    RateOptions const too_short{.keep_alive = 1s};
    EXPECT_EQ(code(limiter.async_try_set_rate(five_an_hour, too_short)), Errc::invalid_argument);
    EXPECT_EQ(code(limiter.async_set_rate(five_an_hour, too_short)), Errc::invalid_argument);
    EXPECT_EQ(code(limiter.async_ensure_rate(five_an_hour, too_short)), Errc::invalid_argument);
    EXPECT_EQ(code(limiter.async_update_rate(five_an_hour, too_short)), Errc::invalid_argument);
    auto bucket = this->limiter("mail", {.algorithm = Algorithm::token_bucket});
    EXPECT_EQ(code(bucket.async_try_acquire(1)), Errc::config_conflict);
    EXPECT_EQ(code(bucket.async_acquire(1)), Errc::config_conflict);
    EXPECT_EQ(code(bucket.async_update_rate(five_an_hour)), Errc::config_conflict);
    EXPECT_EQ(limiter.available_permits(), 5) << "no error took anything";

    auto keyed = client().keyed_rate_limiter("api", {.rate = five_an_hour});
    EXPECT_EQ(code(keyed.async_acquire("ann", 6)), Errc::permits_exceed_rate);
    EXPECT_EQ(code(keyed.async_acquire("", 1)), Errc::invalid_argument);
    EXPECT_EQ(code(keyed.async_try_acquire("ann", 0)), Errc::invalid_argument);
    EXPECT_EQ(code(keyed.async_try_acquire_for("ann", -1s, 1)), Errc::invalid_argument);
    EXPECT_EQ(code(keyed.async_peek("ann", 6)), Errc::permits_exceed_rate);
    EXPECT_EQ(code(keyed.async_release("ann", -1)), Errc::invalid_argument);
    EXPECT_EQ(code(keyed.async_reset(std::string(1025, 'k'))), Errc::invalid_argument);
}

}  // namespace
}  // namespace ration::conformance
