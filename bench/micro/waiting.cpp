// Requests that have to wait: what one costs from joining the queue to its handler, and what it weighs meanwhile.

#include "memory.hpp"
#include "summary.hpp"
#include "topics.hpp"

#include <ration/ration.hpp>
#include <ration/testing/manual_clock.hpp>

#include <benchmark/benchmark.h>
#include <boost/asio/io_context.hpp>

#include <cstdio>

namespace ration::bench {

namespace {

using namespace std::chrono_literals;

/// A limiter that is empty, on a clock moved by hand and an executor polled by hand: nothing of what is measured
/// is waiting.
class EmptyLimiter {
public:
    EmptyLimiter()
    {
        limiter_.set_rate(Rate::per(permits, 1s));
        limiter_.acquire(permits);
    }

    void join()
    {
        limiter_.async_acquire(1, [this](boost::system::error_code error, Decision) { served_ += !error; });
    }

    /// Serves `permits` waiters.
    void serve()
    {
        clock_->advance(1s);
        io_.restart();
        io_.poll();
    }

    std::size_t served() const { return served_; }

    static constexpr Permits permits = 1000;

private:
    boost::asio::io_context io_;
    std::shared_ptr<testing::ManualClock> clock_ = std::make_shared<testing::ManualClock>();
    Client client_{"memory:", {.executor = io_.get_executor(), .clock = clock_}};
    RateLimiter limiter_ = client_.rate_limiter("waiting");
    std::size_t served_ = 0;
};

void wait_and_be_served(benchmark::State& state)
{
    EmptyLimiter limiter;
    while (state.KeepRunningBatch(EmptyLimiter::permits)) {
        for (Permits i = 0; i < EmptyLimiter::permits; ++i) limiter.join();
        limiter.serve();
    }
    if (limiter.served() != static_cast<std::size_t>(state.iterations()))
        state.SkipWithError("not all were served");
}

}  // namespace

void add_waiting(Summary& summary)
{
    benchmark::RegisterBenchmark("waiter", wait_and_be_served)->UseRealTime();
    summary.row({"a waiter, from joining to its handler", {"waiter", 1}, {"floor", 1}});

    constexpr std::size_t waiters = 100'000;
    EmptyLimiter limiter;
    std::size_t const before = bytes_in_use();
    for (std::size_t i = 0; i < waiters; ++i) limiter.join();
    std::printf("%-46s %9.0f\n", "bytes per waiter (handler of two words)",
                static_cast<double>(bytes_in_use() - before) / static_cast<double>(waiters));
}

}  // namespace ration::bench
