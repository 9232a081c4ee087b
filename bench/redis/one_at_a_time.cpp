// What the client adds to a round trip: one caller, one request at a time.

#include "acquire_call.hpp"
#include "topics.hpp"

#include <ration/ration.hpp>

#include <algorithm>
#include <future>

namespace ration::bench {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr char const* raw_name = "bare socket";
constexpr char const* async_name = "async_try_acquire";
constexpr char const* blocking_name = "try_acquire";
constexpr Permits plenty = 4'294'967'295;

/// Times a call after the other, for as long as the scene says.
class Stopwatch {
public:
    explicit Stopwatch(Scene const& scene)
        : warm_{Clock::now() + scene.span() / 5}, end_{warm_ + scene.span()}
    {}

    bool is_over() const { return last_ >= end_; }
    void start() { begin_ = Clock::now(); }
    void stop()
    {
        last_ = Clock::now();
        if (last_ > warm_)
            microseconds_.push_back(std::chrono::duration<double, std::micro>{last_ - begin_}.count());
    }

    double part(double share)
    {
        std::sort(microseconds_.begin(), microseconds_.end());
        auto const rank = static_cast<std::size_t>(share * static_cast<double>(microseconds_.size()));
        return microseconds_.at(std::min(rank, microseconds_.size() - 1));
    }

private:
    Clock::time_point warm_;
    Clock::time_point end_;
    Clock::time_point begin_{};
    Clock::time_point last_{};
    std::vector<double> microseconds_;
};

void record(Scene& scene, std::string const& name, Stopwatch& stopwatch)
{
    scene.report().record(name, stopwatch.part(0.5));
    scene.report().record(name + ", p99", stopwatch.part(0.99));
}

RateLimiter open(Client& client)
{
    RateLimiter limiter = client.rate_limiter("alone");
    limiter.set_rate(Rate::per(plenty, 1h));
    return limiter;
}

void measure_raw(Scene& scene)
{
    scene.clear();
    Client client = scene.client();
    (void)open(client).try_acquire();  // sets the scene, and loads the script
    AcquireCall const call{"alone", client.id(), 1, plenty};
    RawConnection connection{scene.port()};
    connection.round_trip(wire({"HELLO", "3"}));
    Stopwatch stopwatch{scene};
    while (!stopwatch.is_over()) {
        auto const bytes = call.next();
        stopwatch.start();
        connection.round_trip(bytes);
        stopwatch.stop();
    }
    record(scene, raw_name, stopwatch);
}

void measure_blocking(Scene& scene)
{
    scene.clear();
    Client client = scene.client();
    RateLimiter limiter = open(client);
    Stopwatch stopwatch{scene};
    while (!stopwatch.is_over()) {
        stopwatch.start();
        (void)limiter.try_acquire();
        stopwatch.stop();
    }
    record(scene, blocking_name, stopwatch);
}

/// A handler that starts the next call.
struct Chain {
    RateLimiter& limiter;
    Stopwatch& stopwatch;
    std::promise<void>& done;

    void start() const
    {
        stopwatch.start();
        limiter.async_try_acquire(1, *this);
    }

    void operator()(boost::system::error_code, Decision const&) const
    {
        stopwatch.stop();
        if (stopwatch.is_over()) {
            done.set_value();
        } else {
            start();
        }
    }
};

void measure_async(Scene& scene)
{
    scene.clear();
    Client client = scene.client();
    RateLimiter limiter = open(client);
    Stopwatch stopwatch{scene};
    std::promise<void> done;
    Chain{limiter, stopwatch, done}.start();
    done.get_future().wait();
    record(scene, async_name, stopwatch);
}

}  // namespace

void add_one_at_a_time(Measurements& all, Report& report)
{
    all.push_back({raw_name, measure_raw});
    all.push_back({async_name, measure_async});
    all.push_back({blocking_name, measure_blocking});

    report.heading("One caller, one at a time, against a bare socket and the same bytes");
    auto const row = [&](std::string const& name, std::optional<Target> target) {
        report.row({name + ", p50", "us", name, raw_name, Row::Against::ratio, target});
        report.row(
            {name + ", p99", "us", name + ", p99", std::string{raw_name} + ", p99", Row::Against::ratio});
    };
    report.row({"bare socket, p50", "us", raw_name});
    report.row({"bare socket, p99", "us", std::string{raw_name} + ", p99"});
    row(async_name, at_most(1.2));
    row(blocking_name, at_most(1.4));
}

}  // namespace ration::bench
