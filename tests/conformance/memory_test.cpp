// What only the embedded store has: its URLs, its clock, and a wall clock that can be set.

#include "conformance/world.hpp"

#include <ration/testing/manual_clock.hpp>

namespace ration::conformance {
namespace {

TEST(MemoryStore, AUrlThatCannotBeReadSaysWhere)
{
    struct Row {
        char const* url;
        char const* part;
    };
    Row const rows[] = {
        {"", "empty"},
        {"memory", "unknown scheme"},
        {"http://localhost", "unknown scheme"},
        {"://", "unknown scheme"},
        {" memory:", "space"},
        {"memory: x", "space"},
        {"memory:\n", "control character"},
        {"memory://x", "//"},
        {"redis://", "host"},
        {"redis:localhost", "//"},
        {"redis://localhost:0", "port"},
        {"redis://localhost:99999", "port"},
        {"redis://localhost/db", "database"},
        {"unix:relative", "path"},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.url);
        auto const sentence = expect_error(Errc::invalid_argument, {"store URL, character", row.part, "; "},
                                           [&] { Client{row.url}; });
        if (std::getenv("RATION_PRINT_SENTENCES")) std::cout << "    " << sentence << '\n';
    }
    std::string const long_name = "memory:" + std::string(1025, 'n');
    expect_error(Errc::invalid_argument, {"longer than 1024"}, [&] { Client{long_name}; });
}

TEST(MemoryStore, WithoutANameEachClientHasItsOwn)
{
    Client first{"memory:"};
    Client second{"memory:"};
    Client third{"MEMORY:"};
    first.rate_limiter("mail").set_rate(Rate::per_second(1));
    EXPECT_FALSE(second.rate_limiter("mail").exists());
    EXPECT_FALSE(third.rate_limiter("mail").exists());
}

TEST(MemoryStore, ANameIsSharedAsLongAsSomebodyHasIt)
{
    {
        Client first{"memory:billing"};
        first.rate_limiter("mail").set_rate(Rate::per_second(1));
        Client second{"memory:billing"};
        Client other{"memory:Billing"};
        EXPECT_TRUE(second.rate_limiter("mail").exists());
        EXPECT_FALSE(other.rate_limiter("mail").exists());
    }
    Client again{"memory:billing"};
    EXPECT_FALSE(again.rate_limiter("mail").exists());
}

TEST(MemoryStore, OneNameOneClock)
{
    auto const clock = std::make_shared<ManualClock>();
    Client first{"memory:clocks", {.clock = clock}};
    Client same{"memory:clocks", {.clock = clock}};
    expect_error(Errc::invalid_argument, {"memory:clocks", "clock", "the same"},
                 [] { Client{"memory:clocks"}; });
    expect_error(Errc::invalid_argument, [] {
        Client{"memory:clocks", {.clock = std::make_shared<ManualClock>()}};
    });
}

/// Two threads that read the clock at the same moment may read times that are a little apart.
class ShownClock final : public Clock {
public:
    Time now() const noexcept override { return shown; }
    Time wall() const noexcept override { return shown; }
    std::unique_ptr<Alarm> make_alarm(std::function<void()> ring) override
    {
        return ManualClock{}.make_alarm(std::move(ring));  // never rings
    }

    Time shown = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
};

TEST(MemoryStore, AWaitCountsFromTheTimeThatTheWaiterRead)
{
    for (auto const algorithm : {Algorithm::sliding_log, Algorithm::fixed_window, Algorithm::token_bucket}) {
        SCOPED_TRACE(to_string(algorithm));
        auto const clock = std::make_shared<ShownClock>();
        Client client{"memory:", {.clock = clock}};
        auto limiter = client.rate_limiter("mail", {.algorithm = algorithm});
        limiter.set_rate(Rate::per(1, 1s));
        limiter.acquire();
        clock->shown -= 5us;
        EXPECT_EQ(1s + 5us, limiter.try_acquire_for(500ms).retry_after);  // in vain, so it is told at once
    }
}

TEST(MemoryStore, ARealClockServesWaitersToo)
{
    Client client{"memory:"};
    auto limiter = client.rate_limiter("mail");
    limiter.set_rate(Rate::per(1, 20ms));
    auto const start = std::chrono::steady_clock::now();
    for (int i = 0; i < 4; ++i) limiter.acquire();
    EXPECT_TRUE(limiter.async_acquire(1, asio::use_future).get());
    EXPECT_TRUE(limiter.try_acquire_for(1s));
    EXPECT_GE(std::chrono::steady_clock::now() - start, 100ms);
}

// ---- the clock on the wall ----

class WallClock : public ::testing::Test {
public:
    std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();
    Client client{"memory:", {.clock = clock}};
};

TEST_F(WallClock, SetBackGivesNothingAway)
{
    auto log = client.rate_limiter("log");
    log.set_rate(Rate::per(1, 1h));
    log.acquire();
    auto daily = client.rate_limiter("daily");
    daily.set_rate(Rate::calendar(1, CalendarUnit::day));
    daily.acquire();
    auto waiting = log.async_acquire(1, asio::use_future);
    clock->set_wall(clock->wall() - 48h);
    EXPECT_FALSE(daily.try_acquire());
    EXPECT_FALSE(log.try_acquire());
    clock->advance(1h);
    EXPECT_EQ(waiting.wait_for(0s), std::future_status::ready) << "a log does not go by the wall";
}

TEST_F(WallClock, SetForwardOpensTheNextDay)
{
    auto daily = client.rate_limiter("daily");
    daily.set_rate(Rate::calendar(1, CalendarUnit::day));
    daily.acquire();
    auto log = client.rate_limiter("log");
    log.set_rate(Rate::per(1, 1h));
    log.acquire();
    log.expire_after(1h);
    clock->set_wall(clock->wall() + 24h);
    EXPECT_TRUE(daily.try_acquire());
    EXPECT_FALSE(log.try_acquire());
    EXPECT_EQ(log.remaining_time_to_live(), 1h);
    EXPECT_TRUE(log.expire_at(clock->wall() + 3s));
    EXPECT_EQ(log.remaining_time_to_live(), 3s);
}

TEST_F(WallClock, SetBackKeepsAClientsOwnGrants)
{
    clock->set_wall(clock->wall() - 24h * 365);
    {
        auto mine = client.rate_limiter("daily");
        mine.set_rate(Rate::calendar(1, CalendarUnit::day), {.type = RateType::per_client});
        mine.acquire();
    }
    EXPECT_FALSE(client.rate_limiter("daily").try_acquire()) << "opened anew by the same client";
}

TEST_F(WallClock, AWaiterOfACalendarWindowIsServedAtItsBoundary)
{
    auto daily = client.rate_limiter("daily");
    daily.set_rate(Rate::calendar(1, CalendarUnit::day, "Asia/Shanghai"));
    daily.acquire();
    auto waiting = daily.async_acquire(1, asio::use_future);
    clock->advance(16h - 1us);
    EXPECT_EQ(waiting.wait_for(0s), std::future_status::timeout);
    clock->advance(1us);
    EXPECT_EQ(waiting.wait_for(0s), std::future_status::ready);
}

TEST(ManualClockTest, CannotGoBack)
{
    ManualClock clock;
    Time const start = clock.now();
    EXPECT_EQ(start, std::chrono::sys_days{std::chrono::year{2026} / 1 / 1});
    expect_error(Errc::invalid_argument, {"advance", "set_wall"}, [&] { clock.advance(-1us); });
    EXPECT_EQ(clock.now(), start);
    clock.advance(0s);
    EXPECT_EQ(clock.now(), start);
}

}  // namespace
}  // namespace ration::conformance
