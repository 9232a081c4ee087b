// How operations complete: never inside the call, on the right executor, with any completion token.

#include "conformance/world.hpp"

#include <atomic>

namespace ration::conformance {
namespace {

/// An executor that any_io_executor cannot hold: it knows no properties.
struct PlainExecutor {
    asio::io_context* io;

    void execute(auto function) const
    {
        asio::post(*io, [function = std::move(function)]() mutable { function(); });
    }
    bool operator==(PlainExecutor const&) const = default;
};

class CompletionOf : public Conformance {
public:
    /// A limiter with nothing left, of a client that lives on `io`.
    RateLimiter empty_limiter(Client& client, Duration interval = 500ms)
    {
        auto limiter = client.rate_limiter("mail");
        limiter.set_rate(Rate::per(1, interval));
        limiter.acquire();
        return limiter;
    }
};
RATION_CONFORMANCE(CompletionOf);

class CompletionOfInStoppedTime : public CompletionOf {};
RATION_CONFORMANCE_IN_STOPPED_TIME(CompletionOfInStoppedTime);

TEST_P(CompletionOf, AClientThatWaitsBusilyServesSleepsAndEnds)
{
    auto busy = world().client({.busy_wait = 1ms});
    auto limiter = busy.rate_limiter("mail");
    limiter.set_rate(Rate::per(2, 1h));
    EXPECT_TRUE(limiter.try_acquire());
    EXPECT_TRUE(get(limiter.async_try_acquire(1, asio::use_future)));
    std::promise<error_code> ended;
    limiter.async_acquire(1, [&](error_code error, Decision) { ended.set_value(error); });
    std::this_thread::sleep_for(5ms);  // it is asleep now: the permit is due in an hour
    EXPECT_FALSE(limiter.try_acquire()) << "it wakes up for this";
    busy.close();
    EXPECT_EQ(get(ended.get_future()), Errc::client_closed);
}

TEST_P(CompletionOf, NothingHappensInsideTheCall)
{
    asio::io_context io;
    auto mine = world().client({.executor = io.get_executor()});
    auto limiter = mine.rate_limiter("mail");
    int completed = 0;
    int started = 0;
    auto const handler = [&](error_code, auto&&...) { ++completed; };
    auto const expect_none_yet = [&] {
        ++started;
        EXPECT_EQ(completed, 0);
    };
    limiter.async_acquire(1, handler);  // an error known at once
    expect_none_yet();
    limiter.async_acquire(0, handler);
    expect_none_yet();
    limiter.async_set_rate(Rate::per(2, 1h), handler);
    expect_none_yet();
    if (time_stands_still()) {
        limiter.async_acquire(2, handler);  // a grant known at once
        expect_none_yet();
        limiter.async_try_acquire(1, handler);
        expect_none_yet();
        limiter.async_acquire(1, handler);  // one that waits
        expect_none_yet();
        limiter.async_release(1, handler);  // and is served by this
        expect_none_yet();
        limiter.async_exists(handler);
        expect_none_yet();
    }
    io.run();
    EXPECT_EQ(completed, started);
}

TEST_P(CompletionOf, NotEvenWhenStartedOnTheVeryExecutor)
{
    asio::io_context io;
    auto mine = world().client({.executor = io.get_executor()});
    auto limiter = mine.rate_limiter("mail");
    limiter.async_set_rate(Rate::per(5, 1h), asio::detached);
    bool completed = false;
    std::promise<std::thread::id> elsewhere;
    asio::post(io, [&] {
        limiter.async_try_acquire(1, [&](error_code, Decision) { completed = true; });
        EXPECT_FALSE(completed);
        // Nor on an executor that would run at once what it is given.
        limiter.async_try_acquire(1, asio::bind_executor(asio::system_executor{}, [&](error_code, Decision) {
                                      elsewhere.set_value(std::this_thread::get_id());
                                  }));
    });
    io.run();
    EXPECT_TRUE(completed);
    EXPECT_NE(get(elsewhere.get_future()), std::this_thread::get_id());
}

TEST_P(CompletionOf, HandlersRunOnTheirOwnExecutor)
{
    auto limiter = limiter_with(Rate::per(5, 1h));
    asio::io_context io;
    auto const here = std::this_thread::get_id();
    bool ran = false;
    limiter.async_try_acquire(1, asio::bind_executor(io, [&](error_code, Decision decision) {
                                  EXPECT_EQ(std::this_thread::get_id(), here);
                                  EXPECT_TRUE(decision);
                                  ran = true;
                              }));
    io.run();
    EXPECT_TRUE(ran);

    auto strand = asio::make_strand(io);
    limiter.async_acquire(1, asio::bind_executor(strand, [&](error_code, Decision) {
                              EXPECT_TRUE(strand.running_in_this_thread());
                          }));
    io.restart();
    EXPECT_GE(io.run(), 1u);

    std::promise<std::thread::id> elsewhere;
    limiter.async_exists([&](error_code, bool) { elsewhere.set_value(std::this_thread::get_id()); });
    EXPECT_NE(get(elsewhere.get_future()), here) << "without one of their own: the client's I/O thread";
}

TEST_P(CompletionOf, AWaiterOnAnExecutorOfItsOwn)
{
    auto limiter = empty_limiter(client());
    asio::io_context io;
    auto const here = std::this_thread::get_id();
    bool ran = false;
    limiter.async_acquire(1, asio::bind_executor(io, [&](error_code error, Decision) {
                              EXPECT_FALSE(error);
                              EXPECT_EQ(std::this_thread::get_id(), here);
                              ran = true;
                          }));
    EXPECT_EQ(io.poll(), 0u);
    EXPECT_FALSE(io.stopped()) << "the waiter is work: run() must not return";
    advance(500ms);  // must not wait for a handler that only this thread can run
    EXPECT_FALSE(ran);
    io.restart();
    io.run();
    EXPECT_TRUE(ran);
}

TEST_P(CompletionOf, RunReturnsWhenAllIsDoneAndNotBefore)
{
    asio::io_context io;
    auto mine = world().client({.executor = io.get_executor()});
    auto limiter = mine.rate_limiter("mail");
    limiter.async_set_rate(Rate::per(1, 500ms), asio::detached);
    std::atomic<int> served{0};
    for (int i = 0; i < 3; ++i)
        limiter.async_acquire(1, [&](error_code error, Decision) {
            EXPECT_FALSE(error);
            ++served;
        });
    if (time_stands_still()) {
        for (int i = 1; i <= 3; ++i) {
            io.poll();
            EXPECT_EQ(served, i);
            EXPECT_EQ(io.stopped(), i == 3) << "two still wait, then one, then none";
            advance(500ms);
        }
        EXPECT_EQ(io.run(), 0u) << "nothing is left behind";
    } else {
        io.run();
        EXPECT_EQ(served, 3);
    }
}

TEST_P(CompletionOf, AThreadPoolAndAStrand)
{
    asio::thread_pool pool{2};
    auto strand = asio::make_strand(pool.get_executor());
    auto mine = world().client({.executor = strand});
    auto limiter = empty_limiter(mine, 100ms);
    std::atomic<int> served{0};
    for (int i = 0; i < 10; ++i) {
        limiter.async_acquire(1, [&, i](error_code error, Decision) {
            EXPECT_FALSE(error);
            EXPECT_TRUE(strand.running_in_this_thread());
            EXPECT_EQ(served++, i);
        });
    }
    advance(1s);
    pool.join();
    EXPECT_EQ(served, 10);
}

TEST_P(CompletionOf, AFutureIsReadyWhenAdvanceReturns)
{
    auto limiter = empty_limiter(client(), 100ms);
    std::vector<std::future<Decision>> futures(50);
    for (auto& future : futures) future = limiter.async_acquire(1, asio::use_future);
    advance(5s);
    for (auto& future : futures) ASSERT_TRUE(is_ready(future));
}

TEST_P(CompletionOfInStoppedTime, WhatHandlersStartIsDoneTooWhenAdvanceReturns)
{
    auto limiter = empty_limiter(client(), 100ms);
    int rounds = 0;
    std::function<void(error_code, Decision)> again = [&](error_code, Decision) {
        if (++rounds < 20) limiter.async_acquire(1, again);
    };
    limiter.async_acquire(1, again);
    advance(1s);
    EXPECT_EQ(rounds, 10);
    advance(1s);
    EXPECT_EQ(rounds, 20);
}

// ---- tokens ----

TEST_P(CompletionOf, ACoroutineWaitsAndGoesOn)
{
    asio::io_context io;
    auto mine = world().client({.executor = io.get_executor()});
    auto limiter = mine.rate_limiter("mail");
    int steps = 0;
    auto const work = [&]() -> asio::awaitable<void> {
        co_await limiter.async_set_rate(Rate::per(1, 100ms));  // deferred is the default
        for (; steps < 3; ++steps) {
            Decision const decision = co_await limiter.async_acquire();
            EXPECT_TRUE(decision);
        }
        auto const [error, denied] = co_await limiter.async_try_acquire(1, asio::as_tuple);
        EXPECT_FALSE(error);
        EXPECT_FALSE(denied);
        error_code redirected;
        co_await limiter.async_acquire(2, asio::redirect_error(asio::use_awaitable, redirected));
        EXPECT_EQ(redirected, Errc::permits_exceed_rate);
        EXPECT_THROW(co_await limiter.async_acquire(0), boost::system::system_error);
    };
    auto done = asio::co_spawn(io, work, asio::use_future);
    if (time_stands_still()) {
        for (int i = 0; i < 2; ++i) {
            io.poll();
            EXPECT_EQ(steps, i + 1);
            advance(100ms);
        }
    }
    io.run();
    get(std::move(done));
    EXPECT_EQ(steps, 3);
}

TEST_P(CompletionOf, CancelAfterEndsACoroutinesWait)
{
    asio::io_context io;
    auto mine = world().client({.executor = io.get_executor()});
    auto limiter = mine.rate_limiter("mail");
    auto const work = [&]() -> asio::awaitable<void> {
        co_await limiter.async_set_rate(Rate::per(1, 1h));
        co_await limiter.async_acquire(1, asio::cancel_after(10s));  // in time
        auto const [error, decision] =
            co_await limiter.async_acquire(1, asio::cancel_after(5ms, asio::as_tuple));
        EXPECT_EQ(error, asio::error::operation_aborted);
        EXPECT_FALSE(decision.granted);
        co_await limiter.async_release(1);
        EXPECT_EQ(co_await limiter.async_available_permits(), 1) << "the cancelled wait took nothing";
    };
    auto done = asio::co_spawn(io, work, asio::use_future);
    io.run();
    get(std::move(done));
    EXPECT_EQ(mine.stats().waiters, 0u);
}

TEST_P(CompletionOf, CancelAfterOnTheClientsOwnThread)
{
    auto limiter = empty_limiter(client(), 1h);
    // Begun on that thread: Asio's timer and the operation it cancels must not be used from two threads at once.
    auto const work = [&]() -> asio::awaitable<error_code> {
        auto const [error, decision] =
            co_await limiter.async_acquire(1, asio::cancel_after(5ms, asio::as_tuple));
        co_return error;
    };
    auto future = asio::co_spawn(client().get_executor(), work, asio::use_future);
    EXPECT_EQ(get(std::move(future)), asio::error::operation_aborted);
    EXPECT_EQ(client().stats().waiters, 0u);
}

TEST_P(CompletionOf, ACoroutineOnTheClientsOwnThread)
{
    auto limiter = limiter_with(Rate::per(1, 100ms));
    auto const work = [&]() -> asio::awaitable<int> {  // nothing but this has a use for the thread so far
        for (int i = 0; i < 3; ++i) co_await limiter.async_acquire();
        co_return 3;
    };
    auto done = asio::co_spawn(client().get_executor(), work, asio::use_future);
    if (time_stands_still()) await_waiters(1);
    advance(200ms);
    EXPECT_EQ(get(std::move(done)), 3);
}

TEST_P(CompletionOf, CancellingACoroutineCancelsItsWait)
{
    asio::io_context io;
    auto mine = world().client({.executor = io.get_executor()});
    auto limiter = mine.rate_limiter("mail");
    asio::cancellation_signal signal;
    bool ended = false;
    auto const work = [&]() -> asio::awaitable<void> {
        co_await limiter.async_set_rate(Rate::per(1, 1h));
        co_await limiter.async_acquire();
        asio::post(io, [&] { signal.emit(asio::cancellation_type::terminal); });
        co_await limiter.async_acquire();
        ADD_FAILURE() << "granted";
    };
    asio::co_spawn(io, work,
                   asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr const& thrown) {
                       ended = true;
                       try {
                           std::rethrow_exception(thrown);
                       } catch (boost::system::system_error const& error) {
                           EXPECT_EQ(error.code(), asio::error::operation_aborted);
                       }
                   }));
    io.run();
    EXPECT_TRUE(ended);
}

TEST_P(CompletionOf, ADeferredOperationMayOutliveItsLimiter)
{
    std::optional<RateLimiter> limiter = limiter_with(Rate::per(5, 1h));
    auto operation = limiter->async_try_acquire(2);
    limiter.reset();
    EXPECT_EQ(get(std::move(operation)(asio::use_future)).remaining, 3);
}

TEST_P(CompletionOf, CancellationReachesAnOperationThroughAnUnusualExecutor)
{
    asio::io_context io;
    auto mine = world().client({.executor = io.get_executor()});
    auto const emptied = empty_limiter(client(), 1h);  // by one whose executor runs
    auto limiter = mine.rate_limiter(emptied.name());
    asio::cancellation_signal signal;
    error_code result;
    limiter.async_acquire(
        1, asio::bind_cancellation_slot(
               signal.slot(),
               asio::bind_executor(PlainExecutor{&io}, [&](error_code error, Decision) { result = error; })));
    signal.emit(asio::cancellation_type::terminal);
    io.run_for(5s);
    EXPECT_EQ(result, asio::error::operation_aborted);
}

}  // namespace
}  // namespace ration::conformance
