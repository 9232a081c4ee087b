// KeyedRateLimiter: one rate, a limiter for each key.

#include "conformance/world.hpp"

namespace ration::conformance {
namespace {

class Keyed : public Conformance {
public:
    KeyedRateLimiter keyed(KeyedOptions const& options, std::string_view name = "api")
    {
        return client().keyed_rate_limiter(name, options);
    }
};
RATION_CONFORMANCE(Keyed);

class KeyedInStoppedTime : public Keyed {};
RATION_CONFORMANCE_IN_STOPPED_TIME(KeyedInStoppedTime);

TEST_P(Keyed, EachKeyIsALimiterOfItsOwn)
{
    auto limiter = keyed({.rate = Rate::per_hour(2)});
    EXPECT_EQ(limiter.name(), "api");
    EXPECT_EQ(limiter.options().rate, Rate::per_hour(2));
    EXPECT_EQ(limiter.options().algorithm, Algorithm::token_bucket);
    for (auto const& key :
         {std::string{"ann"}, std::string{"bob"}, std::string{"a\0b", 3}, std::string(1024, 'k')}) {
        EXPECT_EQ(limiter.available_permits(key), 2);
        EXPECT_EQ(limiter.try_acquire(key).remaining, 1);
        EXPECT_TRUE(limiter.try_acquire(key));
        auto const denied = limiter.try_acquire(key);
        EXPECT_FALSE(denied);
        EXPECT_THAT(denied.retry_after, about(30min));
        EXPECT_EQ(limiter.available_permits(key), 0);
    }
    EXPECT_EQ(limiter.available_permits("cyn"), 2);
}

TEST_P(Keyed, KeysOfAllClientsAreShared)
{
    auto other = world().client();
    auto ours = keyed({.rate = Rate::per_hour(5)});
    auto theirs = other.keyed_rate_limiter("api", {.rate = Rate::per_hour(5)});
    auto post = keyed({.rate = Rate::per_hour(5)}, "post");
    EXPECT_TRUE(ours.try_acquire("ann", 3));
    EXPECT_FALSE(theirs.try_acquire("ann", 3));
    EXPECT_TRUE(theirs.try_acquire("ann", 2));
    EXPECT_EQ(ours.available_permits("ann"), 0);
    EXPECT_EQ(post.available_permits("ann"), 5) << "another name, other keys";
}

TEST_P(Keyed, EveryAlgorithmWorks)
{
    struct Row {
        Algorithm algorithm;
        Rate rate;
        Duration wait;
    };
    std::vector<Row> rows;
    if (time_stands_still())
        rows.push_back({Algorithm::calendar_window, Rate::calendar(4, CalendarUnit::hour), 1h});
    rows.insert(rows.end(), {
                                {Algorithm::sliding_log, Rate::per(4, 1s), 1s},
                                {Algorithm::fixed_window, Rate::per(4, 1s), 1s},
                                {Algorithm::token_bucket, Rate::per(4, 1s), 250ms},
                            });
    for (auto const& row : rows) {
        SCOPED_TRACE(to_string(row.algorithm));
        auto limiter = keyed({.rate = row.rate, .algorithm = row.algorithm}, to_string(row.algorithm));
        EXPECT_TRUE(limiter.try_acquire("ann", 4));
        auto const denied = limiter.try_acquire("ann");
        EXPECT_FALSE(denied);
        EXPECT_THAT(denied.retry_after, about(row.wait));
        EXPECT_EQ(limiter.peek("ann").granted, false);
        if (time_stands_still()) {
            advance(row.wait - 1ms);
            EXPECT_FALSE(limiter.try_acquire("ann"));
            advance(1ms);
        } else {
            advance(row.wait);
        }
        EXPECT_TRUE(limiter.try_acquire("ann"));
    }
}

TEST_P(Keyed, PeekTakesNothing)
{
    auto limiter = keyed({.rate = Rate::per_hour(5)});
    EXPECT_TRUE(limiter.peek("ann", 5));
    EXPECT_EQ(limiter.peek("ann", 2).remaining, 3);
    EXPECT_EQ(limiter.available_permits("ann"), 5);
    if (time_stands_still()) {
        EXPECT_EQ(limiter.size(), 0u) << "looking at a key does not make it";
    }
    EXPECT_TRUE(limiter.try_acquire("ann", 4));
    EXPECT_FALSE(limiter.peek("ann", 2));
    EXPECT_EQ(limiter.available_permits("ann"), 1);
}

TEST_P(Keyed, ReleaseGivesBackNeverAboveFull)
{
    auto limiter = keyed({.rate = Rate::per_hour(5)});
    limiter.release("ann", 3);
    EXPECT_EQ(limiter.available_permits("ann"), 5);
    limiter.acquire("ann", 4);
    limiter.release("ann", 3);
    EXPECT_EQ(limiter.available_permits("ann"), 4);
    limiter.release("ann", 100);
    EXPECT_EQ(limiter.available_permits("ann"), 5);
    EXPECT_TRUE(limiter.try_acquire("ann", 5));
    EXPECT_FALSE(limiter.try_acquire("ann"));
}

TEST_P(Keyed, ResetForgetsTheGrantsOfOneKey)
{
    auto limiter = keyed({.rate = Rate::per_hour(5)});
    limiter.acquire("ann", 5);
    limiter.acquire("bob", 5);
    EXPECT_TRUE(limiter.reset("ann"));
    EXPECT_FALSE(limiter.reset("ann"));
    EXPECT_EQ(limiter.available_permits("ann"), 5);
    EXPECT_EQ(limiter.available_permits("bob"), 0);
}

// ---- waiting ----

TEST_P(Keyed, WaitingIsPerKey)
{
    auto limiter = keyed({.rate = Rate::per(1, 500ms)});
    limiter.acquire("ann");
    auto first = limiter.async_acquire("ann", 1, asio::use_future);
    auto second = limiter.async_acquire("ann", 1, asio::use_future);
    await_waiters(2);
    EXPECT_FALSE(limiter.try_acquire("ann"));
    EXPECT_FALSE(limiter.peek("ann"));
    EXPECT_TRUE(limiter.try_acquire("bob")) << "nobody waits for this one";
    advance(500ms);
    EXPECT_TRUE(is_ready(first));
    if (time_stands_still()) {
        EXPECT_TRUE(is_pending(second));
    }
    advance(500ms);
    EXPECT_TRUE(is_ready(second));
    EXPECT_EQ(client().stats().waiters, 0u);
}

TEST_P(Keyed, BlockingCallsWaitAndStop)
{
    auto quick = keyed({.rate = Rate::per(1, 500ms)}, "quick");
    quick.acquire("ann");
    auto waiting = std::async(std::launch::async, [&] {
        return quick.try_acquire_for("ann", time_stands_still() ? 500ms : patience);
    });
    await_waiters(1);
    advance(500ms);
    EXPECT_TRUE(get(std::move(waiting)));

    auto limiter = keyed({.rate = Rate::per_hour(1)});
    limiter.acquire("ann");
    EXPECT_FALSE(limiter.try_acquire_for("ann", 59min)) << "not in vain";
    EXPECT_FALSE(limiter.try_acquire_for("ann", 0ms));

    std::stop_source stop;
    auto stopped =
        std::async(std::launch::async, [&] { return limiter.acquire("ann", 1, stop.get_token()); });
    await_waiters(1);
    stop.request_stop();
    expect_error(Errc::cancelled, {"key \"ann\" of keyed limiter \"api\""}, [&] { get(std::move(stopped)); });
}

TEST_P(Keyed, WaitersLearnOfReleaseAndReset)
{
    auto limiter = keyed({.rate = Rate::per_hour(2)});
    limiter.acquire("ann", 2);
    auto first = limiter.async_acquire("ann", 1, asio::use_future);
    auto second = limiter.async_acquire("ann", 2, asio::use_future);
    limiter.release("ann", 1);
    EXPECT_TRUE(get(std::move(first)));
    EXPECT_TRUE(is_pending(second));
    limiter.release("bob", 1);
    EXPECT_TRUE(is_pending(second));
    EXPECT_TRUE(limiter.reset("ann"));
    EXPECT_TRUE(get(std::move(second)));
}

TEST_P(Keyed, AWaiterKeepsItsPlaceWhenItsHandleIsGone)
{
    KeyedOptions const options{.rate = Rate::per_hour(10)};
    auto head = [&] {
        auto gone = keyed(options);
        gone.acquire("ann", 5);
        return gone.async_acquire("ann", 10, asio::use_future);
    }();
    auto limiter = keyed(options);
    EXPECT_FALSE(limiter.try_acquire("ann")) << "somebody waits in front";
    auto behind = limiter.async_acquire("ann", 1, asio::use_future);
    EXPECT_TRUE(is_pending(behind));
    limiter.release("ann", 5);
    EXPECT_TRUE(get(std::move(head)));
    limiter.release("ann", 1);
    EXPECT_TRUE(get(std::move(behind)));
}

// ---- how many ----

TEST_P(KeyedInStoppedTime, IdleKeysAreDroppedOnTheirOwn)
{
    for (auto const algorithm : {Algorithm::token_bucket, Algorithm::sliding_log, Algorithm::fixed_window}) {
        SCOPED_TRACE(to_string(algorithm));
        auto limiter = keyed({.rate = Rate::per(10, 1s), .algorithm = algorithm}, to_string(algorithm));
        for (int round = 0; round < 2; ++round) {
            for (int i = 0; i < 1000; ++i) EXPECT_TRUE(limiter.try_acquire("key " + std::to_string(i)));
            EXPECT_EQ(limiter.size(), 1000u);
            advance(20s);
            EXPECT_EQ(limiter.size(), 0u);
        }
    }
}

TEST_P(KeyedInStoppedTime, AKeyInUseIsNotDropped)
{
    auto limiter = keyed({.rate = Rate::per(1, 10s)});
    limiter.acquire("ann");
    advance(9999ms);
    EXPECT_FALSE(limiter.try_acquire("ann"));
    advance(1ms);
    EXPECT_TRUE(limiter.try_acquire("ann"));
}

TEST_P(KeyedInStoppedTime, MoreThanMaxKeysInUseIsAnErrorForANewKey)
{
    auto limiter = keyed({.rate = Rate::per(10, 1s), .max_keys = 3});
    for (std::string const key : {"a", "b", "c"}) EXPECT_TRUE(limiter.try_acquire(key));
    expect_error(Errc::too_many_keys, {"key \"d\" of keyed limiter \"api\"", "max_keys"},
                 [&] { (void)limiter.try_acquire("d"); });
    expect_error(Errc::too_many_keys, [&] { limiter.acquire("d"); });
    (void)limiter.peek("d");
    EXPECT_TRUE(limiter.try_acquire("a")) << "a key that is there goes on";
    EXPECT_EQ(limiter.size(), 3u);
    EXPECT_TRUE(limiter.reset("b"));
    EXPECT_TRUE(limiter.try_acquire("d"));
    advance(20s);
    for (std::string const key : {"e", "f", "g"})
        EXPECT_TRUE(limiter.try_acquire(key)) << "idle keys made room";
}

TEST_P(KeyedInStoppedTime, IdleKeysMakeRoomWithoutAThreadOfOurOwn)
{
    asio::io_context io;
    auto mine = world().client({.executor = io.get_executor()});
    auto limiter = mine.keyed_rate_limiter("api", {.rate = Rate::per(10, 1s), .max_keys = 3});
    for (std::string const key : {"a", "b", "c"}) EXPECT_TRUE(limiter.try_acquire(key));
    advance(1s);  // all three are idle now, and nobody sweeps
    EXPECT_TRUE(limiter.try_acquire("d"));
    io.run();
}

TEST_P(Keyed, DecisionsOfAKeyedLimiterThatIsGoneStayCounted)
{
    auto const decisions = [&] { return client().stats().decisions; };
    auto const before = decisions();
    {
        auto gone = keyed({.rate = Rate::per(10, 500ms)}, "gone");
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(gone.try_acquire("ann"));
    }
    EXPECT_EQ(decisions() - before, 3u);
    advance(1s);
    auto next = keyed({.rate = Rate::per(10, 1s)}, "next");
    EXPECT_TRUE(next.try_acquire("ann"));
    EXPECT_EQ(decisions() - before, 4u);
}

TEST_P(Keyed, AsyncTwinsDoTheSame)
{
    auto limiter = keyed({.rate = Rate::per_hour(5)});
    EXPECT_TRUE(get(limiter.async_try_acquire("ann", 2, asio::use_future)));
    EXPECT_EQ(get(limiter.async_available_permits("ann", asio::use_future)), 3);
    EXPECT_TRUE(get(limiter.async_peek("ann", 3, asio::use_future)));
    EXPECT_TRUE(get(limiter.async_peek("ann", asio::use_future)));
    EXPECT_TRUE(get(limiter.async_acquire("ann", 3, asio::use_future)));
    EXPECT_FALSE(get(limiter.async_try_acquire_for("ann", 1s, 1, asio::use_future)));
    get(limiter.async_release("ann", 2, asio::use_future));
    EXPECT_EQ(get(limiter.async_available_permits("ann", asio::use_future)), 2);
    EXPECT_TRUE(get(limiter.async_reset("ann", asio::use_future)));
    EXPECT_FALSE(get(limiter.async_reset("ann", asio::use_future)));
}

}  // namespace
}  // namespace ration::conformance
