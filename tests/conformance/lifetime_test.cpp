// Who outlives whom: close, destruction, moved clients, handlers that destroy things.

#include "conformance/world.hpp"

#include <mutex>

namespace ration::conformance {
namespace {

class Lifetime : public Conformance {
public:
    static RateLimiter empty_limiter(Client& client, std::string_view name = "mail")
    {
        auto limiter = client.rate_limiter(name);
        limiter.set_rate(Rate::per(1, 1h));
        limiter.acquire();
        return limiter;
    }

    static void expect_closed(RateLimiter limiter)
    {
        auto const refuse = [](auto call) {
            expect_error(Errc::client_closed, {"limiter \"mail\"", "closed", "make a new one"}, call);
        };
        refuse([&] { (void)limiter.try_acquire(); });
        refuse([&] { (void)limiter.try_acquire_for(1s); });
        refuse([&] { limiter.acquire(); });
        refuse([&] { (void)limiter.peek(); });
        refuse([&] { limiter.release(1); });
        refuse([&] { (void)limiter.available_permits(); });
        refuse([&] { limiter.config(); });
        refuse([&] { (void)limiter.exists(); });
        refuse([&] { limiter.remove(); });
        refuse([&] { limiter.rename("post"); });
        refuse([&] { limiter.migrate(); });
        refuse([&] { limiter.try_set_rate(Rate::per_second(1)); });
        refuse([&] { limiter.set_rate(Rate::per_second(1)); });
        refuse([&] { limiter.ensure_rate(Rate::per_second(1)); });
        refuse([&] { limiter.update_rate(Rate::per_second(1)); });
        refuse([&] { limiter.expire_after(1s); });
        refuse([&] { limiter.expire_at(std::chrono::system_clock::now()); });
        refuse([&] { limiter.clear_expiry(); });
        refuse([&] { (void)limiter.remaining_time_to_live(); });
        auto const code = [](auto future) { return std::get<0>(get(std::move(future))); };
        auto const token = asio::as_tuple(asio::use_future);
        EXPECT_EQ(code(limiter.async_acquire(1, token)), Errc::client_closed);
        EXPECT_EQ(code(limiter.async_try_acquire(1, token)), Errc::client_closed);
        EXPECT_EQ(code(limiter.async_exists(token)), Errc::client_closed);
        EXPECT_EQ(code(limiter.async_set_rate(Rate::per_second(1), {}, token)), Errc::client_closed);
    }
};
RATION_CONFORMANCE(Lifetime);

// ---- close ----

TEST_P(Lifetime, CloseEndsWaitersAndLaterCallsFail)
{
    auto limiter = empty_limiter(client());
    auto keyed = client().keyed_rate_limiter("api", {.rate = Rate::per_hour(1)});
    keyed.acquire("ann");
    auto async = limiter.async_acquire(1, asio::as_tuple(asio::use_future));
    auto blocked = std::async(std::launch::async, [&] { return limiter.acquire(); });
    auto key = keyed.async_acquire("ann", 1, asio::as_tuple(asio::use_future));
    await_waiters(3);

    client().close();
    EXPECT_EQ(std::get<0>(get(std::move(async))), Errc::client_closed);
    EXPECT_EQ(std::get<0>(get(std::move(key))), Errc::client_closed);
    expect_error(Errc::client_closed, {"limiter \"mail\""}, [&] { get(std::move(blocked)); });
    expect_closed(limiter);
    expect_error(Errc::client_closed, {"key \"ann\" of keyed limiter \"api\""},
                 [&] { (void)keyed.try_acquire("ann"); });
    expect_error(Errc::client_closed, [&] { keyed.reset("bob"); });
    EXPECT_EQ(client().stats().waiters, 0u);
    client().close();  // again: nothing happens
    expect_closed(client().rate_limiter("mail"));
}

TEST_P(Lifetime, CloseIsOneClientsOwn)
{
    auto other = world().client();
    auto ours = empty_limiter(client());
    auto theirs = other.rate_limiter("mail");
    client().close();
    EXPECT_FALSE(theirs.try_acquire());
    theirs.release(1);
    EXPECT_TRUE(theirs.try_acquire());
}

TEST_P(Lifetime, WaitersThatCloseLetsGoLeaveTheLimiterToOthers)
{
    auto other = world().client();
    auto ours = empty_limiter(client());
    auto waiting = ours.async_acquire(1, asio::as_tuple(asio::use_future));
    await_waiters(1);
    client().close();
    EXPECT_EQ(std::get<0>(get(std::move(waiting))), Errc::client_closed);
    auto theirs = other.rate_limiter("mail");
    theirs.release(1);
    EXPECT_TRUE(theirs.peek());
    EXPECT_TRUE(theirs.try_acquire());
}

// ---- destruction ----

TEST_P(Lifetime, ALimiterMayOutliveItsClient)
{
    auto limiter = [&] {
        auto gone = world().client();
        auto made = empty_limiter(gone);
        EXPECT_FALSE(get(made.async_try_acquire(1, asio::use_future)));  // its I/O thread runs
        return made;
    }();
    EXPECT_EQ(limiter.name(), "mail");
    expect_closed(limiter);
}

TEST_P(Lifetime, ALimiterMayOutliveAClientThatNeverHadAThread)
{
    auto limiter = [&] {
        auto gone = world().client();
        return empty_limiter(gone);
    }();
    expect_closed(limiter);
}

TEST_P(Lifetime, DestroyingAClientEndsItsWaiters)
{
    std::optional<Client> gone = world().client();
    auto limiter = empty_limiter(*gone);
    auto blocked = std::async(std::launch::async, [&] { return limiter.acquire(); });
    auto waiting = limiter.async_acquire(1, asio::as_tuple(asio::use_future));
    await_waiters(*gone, 2);
    gone.reset();
    EXPECT_EQ(std::get<0>(get(std::move(waiting))), Errc::client_closed);
    expect_error(Errc::client_closed, [&] { get(std::move(blocked)); });
}

TEST_P(Lifetime, DestroyingAClientOnAUsersExecutorPostsTheLastHandlers)
{
    asio::io_context io;
    std::optional<Client> gone = world().client({.executor = io.get_executor()});
    error_code result;
    {
        auto limiter = gone->rate_limiter("mail");
        limiter.async_set_rate(Rate::per(1, 1h), {}, asio::detached);
        limiter.async_acquire(1, asio::detached);
        limiter.async_acquire(1, [&](error_code error, Decision) { result = error; });
    }
    if (time_stands_still()) io.poll();
    gone.reset();
    EXPECT_FALSE(result) << "not inside the destructor";
    io.restart();
    io.run();
    EXPECT_EQ(result, Errc::client_closed);
}

TEST_P(Lifetime, AHandlerMayStartAnotherOperationWhileTheClientEnds)
{
    std::promise<error_code> last;
    {
        auto gone = world().client();
        auto limiter = empty_limiter(gone);
        auto const executor = gone.get_executor();
        limiter.async_acquire(
            1, asio::bind_executor(executor, [&, limiter, executor](error_code first, Decision) mutable {
                EXPECT_EQ(first, Errc::client_closed);
                limiter.async_acquire(1, asio::bind_executor(executor, [&last](error_code second, Decision) {
                                          last.set_value(second);
                                      }));
            }));
    }
    EXPECT_EQ(get(last.get_future()), Errc::client_closed) << "never hangs";
}

TEST_P(Lifetime, AnOperationMayBeStartedAfterItsClientIsGone)
{
    auto operation = [&] {
        auto gone = world().client();
        auto limiter = empty_limiter(gone);
        EXPECT_TRUE(limiter.exists());
        return limiter.async_acquire(1);
    }();
    std::promise<error_code> result;
    std::move(operation)([&](error_code error, Decision) { result.set_value(error); });
    EXPECT_EQ(get(result.get_future()), Errc::client_closed) << "never hangs";
}

TEST_P(Lifetime, AClientMayBeDestroyedInItsOwnHandler)
{
    for (int i = 0; i < 20; ++i) {
        auto doomed = std::make_shared<std::optional<Client>>(world().client());
        auto limiter = empty_limiter(**doomed);
        std::promise<void> ended;
        auto waiting = limiter.async_acquire(1, asio::as_tuple(asio::use_future));
        limiter.async_exists([&, doomed](error_code, bool) {
            doomed->reset();  // on the very thread that it joins
            ended.set_value();
        });
        get(ended.get_future());
        EXPECT_EQ(std::get<0>(get(std::move(waiting))), Errc::client_closed);
    }
}

TEST_P(Lifetime, AHandlerMayDestroyTheLastLimiter)
{
    auto mine = world().client();
    auto limiter = std::make_shared<std::optional<RateLimiter>>(empty_limiter(mine));
    std::promise<void> ended;
    (*limiter)->async_acquire(1, [&, limiter](error_code error, Decision) {
        EXPECT_FALSE(error);
        limiter->reset();
        ended.set_value();
    });
    (*limiter)->release(1);
    get(ended.get_future());
    EXPECT_TRUE(mine.rate_limiter("mail").exists());
}

TEST_P(Lifetime, AHandlerMayCloseItsClient)
{
    auto mine = world().client();
    auto limiter = empty_limiter(mine);
    auto waiting = limiter.async_acquire(1, asio::as_tuple(asio::use_future));
    limiter.async_exists([&](error_code, bool) { mine.close(); });
    EXPECT_EQ(std::get<0>(get(std::move(waiting))), Errc::client_closed);
}

// ---- moved ----

TEST_P(Lifetime, AMovedClientIsTheSameClient)
{
    auto first = world().client();
    auto const id = first.id();
    auto limiter = empty_limiter(first);
    auto waiting = limiter.async_acquire(1, asio::use_future);
    Client second = std::move(first);
    EXPECT_EQ(second.id(), id);
    await_waiters(second, 1);
    second.rate_limiter("mail").release(1);
    EXPECT_TRUE(get(std::move(waiting)));
    EXPECT_FALSE(limiter.try_acquire());
}

TEST_P(Lifetime, MoveAssignmentClosesWhatItReplaces)
{
    auto first = world().client();
    auto second = world().client();
    auto limiter = empty_limiter(first);
    auto waiting = limiter.async_acquire(1, asio::as_tuple(asio::use_future));
    auto const id = second.id();
    first = std::move(second);
    EXPECT_EQ(std::get<0>(get(std::move(waiting))), Errc::client_closed);
    expect_closed(limiter);
    EXPECT_EQ(first.id(), id);
    EXPECT_FALSE(first.rate_limiter("mail").try_acquire());
}

TEST_P(Lifetime, EveryClientHasAnIdOfItsOwn)
{
    auto other = world().client();
    EXPECT_THAT(client().id(), ::testing::MatchesRegex(
                                   "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
    EXPECT_NE(client().id(), other.id());
}

TEST_P(Lifetime, AClientThatIsStartedAnewMayKeepItsId)
{
    limiter_with(Rate::per_hour(5), {.type = RateType::per_client});
    auto first = world().client({.client_id = "worker-7"});
    EXPECT_EQ(first.id(), "worker-7");
    EXPECT_TRUE(first.rate_limiter("mail").try_acquire(4));
    first.close();
    auto second = world().client({.client_id = "worker-7"});
    EXPECT_EQ(second.rate_limiter("mail").available_permits(), 1);
    auto other = world().client({.client_id = "worker-8"});
    EXPECT_EQ(other.rate_limiter("mail").available_permits(), 5);
}

}  // namespace
}  // namespace ration::conformance
