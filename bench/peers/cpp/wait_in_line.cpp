// Waiters on one sliding log, each again as soon as it was served.

#include "meter.hpp"
#include "run.hpp"

#include <ration/ration.hpp>

#include <boost/asio/post.hpp>

#include <atomic>
#include <thread>

namespace ration::peers {

namespace {

using namespace std::chrono_literals;

/// Takes all permits, evenly spread over the interval, so that they free up one by one.
void take_evenly(RateLimiter& limiter, Options const& options)
{
    auto const begin = WallClock::now();
    for (std::int64_t i = 0; i < options.rate; ++i) {
        std::this_thread::sleep_until(begin + i * options.interval / options.rate);
        (void)limiter.try_acquire();
    }
}

/// All of it on the client's own thread.
class Line {
public:
    Line(RateLimiter limiter, Meter& meter) : limiter_{std::move(limiter)}, meter_{meter} {}

    void join()
    {
        limiter_.async_acquire(1, [this, number = next_number_++, since = WallClock::now()](
                                      boost::system::error_code error, Decision const&) {
            if (error || phase.load(std::memory_order_relaxed) == Phase::over) return;
            meter_.count(1, 1);
            meter_.log(since, WallClock::now(), number);
            join();
        });
    }

private:
    RateLimiter limiter_;
    Meter& meter_;
    std::int64_t next_number_ = 0;
};

}  // namespace

std::string wait_in_line(Options const& options)
{
    Client client{options.url, {.command_timeout = 20s}};
    auto limiter = client.rate_limiter("waiting");
    (void)limiter.try_set_rate(Rate::per(options.rate, options.interval));
    (void)limiter.peek();
    Meter meter{true};
    wait_for_go();
    take_evenly(limiter, options);
    Line line{limiter, meter};
    boost::asio::post(client.get_executor(), [&] {
        for (std::size_t i = 0; i < options.callers; ++i) line.join();
    });
    auto const seconds = keep_time(options);
    client.close();
    meter.write_log(options.log);
    return meter.json(seconds) + R"(, "algorithm": "sliding_log")";
}

}  // namespace ration::peers
