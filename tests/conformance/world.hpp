#pragma once

// One suite for every store. A World is a store with a clock of its own; each test gets a new one.
//
//     class Expiry : public Conformance {};
//     RATION_CONFORMANCE(Expiry);
//
//     TEST_P(Expiry, VanishesAfterItsSpan)
//     {
//         auto limiter = limiter_with(Rate::per_second(5));
//         limiter.expire_after(2s);
//         advance(2s);
//         EXPECT_FALSE(limiter.exists());
//     }
//
// A store whose time cannot be stopped waits in `advance`, and compares times by bounds: write times with `about`,
// use whole milliseconds, and ask `time_stands_still()` where a stopped clock can show more. What only a stopped clock
// can show belongs in a suite of its own, with RATION_CONFORMANCE_IN_STOPPED_TIME.

#include <ration/ration.hpp>

#include <boost/asio.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace ration {

inline void PrintTo(Decision const& decision, std::ostream* out)
{
    *out << (decision.granted ? "granted" : "denied") << ", remaining " << decision.remaining
         << ", retry after " << decision.retry_after.count() << " us, reset after "
         << decision.reset_after.count() << " us, by " << to_string(decision.basis);
}

inline void PrintTo(LimiterConfig const& config, std::ostream* out)
{
    *out << to_string(config.rate) << ", " << to_string(config.type) << ", " << to_string(config.algorithm)
         << ", keep_alive " << config.keep_alive.count() << " us";
}

inline void PrintTo(Errc code, std::ostream* out)
{
    *out << make_error_code(code).message();
}

}  // namespace ration

namespace ration::conformance {

namespace asio = boost::asio;
using boost::system::error_code;
using namespace std::chrono_literals;

/// A store, empty at first, and its time.
class World {
public:
    virtual ~World() = default;

    /// A client of this store; all of them share it. The world sets `clock` if the store has use for one.
    virtual Client client(ClientOptions options = {}) = 0;

    /// Lets time pass; whoever was due is served soon, or by the time this returns if time stands still.
    virtual void advance(Duration by) = 0;

    /// What the store's clock on the wall shows.
    virtual Time wall() const = 0;

    /// Time passes in `advance` only, so times are exact.
    virtual bool time_stands_still() const = 0;

    /// Sees it when two clients open a keyed limiter with different rates. Where the rate lives in code only, nobody can.
    virtual bool compares_keyed_rates() const = 0;

    /// Has HashStrategy::native.
    virtual bool expires_fields_natively() const = 0;
};

struct NewWorld {
    std::string name;
    std::function<std::unique_ptr<World>()> make;
};

inline void PrintTo(NewWorld const& world, std::ostream* out)
{
    *out << world.name;
}

/// The stores this program tests; linked in beside the suite.
std::vector<NewWorld> worlds();

/// Those of them whose time passes in `advance` only.
inline std::vector<NewWorld> worlds_in_stopped_time()
{
    auto chosen = worlds();
    std::erase_if(chosen, [](NewWorld const& world) { return !world.make()->time_stands_still(); });
    return chosen;
}

/// How much later than it should be a thing may happen where time cannot be stopped.
constexpr Duration patience = 5s;

/// What an asynchronous operation came to.
template <class T>
struct Completion {
    error_code error;
    T value;
};
template <>
struct Completion<void> {
    error_code error;
};

class Conformance : public ::testing::TestWithParam<NewWorld> {
public:
    World& world() { return *world_; }
    bool time_stands_still() const { return world_->time_stands_still(); }
    void advance(Duration by) { world_->advance(by); }

    /// The client that most tests use.
    Client& client()
    {
        if (!client_) client_.emplace(world_->client());
        return *client_;
    }

    RateLimiter limiter(std::string_view name = "mail", LimiterOptions const& options = {})
    {
        return client().rate_limiter(name, options);
    }

    RateLimiter limiter_with(Rate const& rate, RateOptions const& options = {})
    {
        auto made = limiter();
        made.set_rate(rate, options);
        return made;
    }

    // ---- times ----

    /// Exactly this, or a little less where time goes on meanwhile.
    ::testing::Matcher<Duration> about(Duration expected) const
    {
        if (time_stands_still()) return ::testing::Eq(expected);
        return ::testing::AllOf(::testing::Le(expected + 1ms), ::testing::Ge(expected - patience));
    }

    // ---- waiting without sleeping ----

    /// Returns when `count` requests wait in the queues of that client.
    static void await_waiters(Client const& client, std::uint64_t count)
    {
        auto const end = std::chrono::steady_clock::now() + 20s;
        while (client.stats().waiters != count) {
            ASSERT_LT(std::chrono::steady_clock::now(), end)
                << client.stats().waiters << " waiters instead of " << count;
            std::this_thread::yield();
        }
    }
    void await_waiters(std::uint64_t count) { await_waiters(client(), count); }

    /// Is it done? Where time stands still it must be by now.
    template <class T>
    bool is_ready(std::future<T>& future) const
    {
        auto const longest = time_stands_still() ? Duration{} : patience;
        return future.wait_for(longest) == std::future_status::ready;
    }

    /// Is it so? Where time stands still it must be by now.
    template <class Condition>
    bool eventually(Condition condition) const
    {
        auto const end = std::chrono::steady_clock::now() + (time_stands_still() ? Duration{} : patience);
        while (!condition()) {
            if (std::chrono::steady_clock::now() >= end) return false;
            std::this_thread::yield();
        }
        return true;
    }

    template <class T>
    static bool is_pending(std::future<T>& future)
    {
        return future.wait_for(0s) == std::future_status::timeout;
    }

    /// Waits for something that needs no time of the store to pass, e.g. the end of a thread.
    template <class T>
    static T get(std::future<T> future)
    {
        if (future.wait_for(20s) != std::future_status::ready) {
            ADD_FAILURE() << "still waiting after 20 s";
            std::abort();  // whatever it is would hang the program's end too
        }
        return future.get();
    }

    /// The result of an asynchronous operation that fails or does not.
    template <class T, class Operation>
    static Completion<T> complete(Operation&& operation)
    {
        auto future = std::forward<Operation>(operation)(asio::as_tuple(asio::use_future));
        if constexpr (std::is_void_v<T>) {
            return {std::get<0>(get(std::move(future)))};
        } else {
            auto [error, value] = get(std::move(future));
            return {error, value};
        }
    }

protected:
    void SetUp() override { world_ = GetParam().make(); }

private:
    std::unique_ptr<World> world_;
    std::optional<Client> client_;
};

/// Fails unless `call` throws an Error of that code whose text has all these parts. Returns the text.
template <class Call>
std::string expect_error(Errc code, std::vector<std::string> const& parts, Call&& call)
{
    try {
        std::forward<Call>(call)();
    } catch (Error const& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        for (auto const& part : parts) EXPECT_THAT(error.what(), ::testing::HasSubstr(part));
        return error.what();
    } catch (std::exception const& other) {
        ADD_FAILURE() << "not a ration::Error: " << other.what();
        return {};
    }
    ADD_FAILURE() << "nothing was thrown; expected: " << make_error_code(code).message();
    return {};
}

template <class Call>
std::string expect_error(Errc code, Call&& call)
{
    return expect_error(code, {}, std::forward<Call>(call));
}

}  // namespace ration::conformance

#define RATION_CONFORMANCE(suite)                                                                            \
    INSTANTIATE_TEST_SUITE_P(Store, suite, ::testing::ValuesIn(::ration::conformance::worlds()),             \
                             [](auto const& made) { return made.param.name; })

#define RATION_CONFORMANCE_IN_STOPPED_TIME(suite)                                                            \
    GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite);                                                    \
    INSTANTIATE_TEST_SUITE_P(Store, suite,                                                                   \
                             ::testing::ValuesIn(::ration::conformance::worlds_in_stopped_time()),           \
                             [](auto const& made) { return made.param.name; })
