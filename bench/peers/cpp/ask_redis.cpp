// Callers that ask through Redis, each again as soon as it was answered; as handlers on the client's own thread.

#include "meter.hpp"
#include "run.hpp"

#include <ration/ration.hpp>

#include <boost/asio/post.hpp>

#include <stdexcept>

namespace ration::peers {

namespace {

using namespace std::chrono_literals;

/// `ask(handler)` starts one request. All of it runs on one thread, except for `join`.
template <class Ask>
class Crowd {
public:
    Crowd(Client& client, std::size_t callers, Meter& meter, Ask ask)
        : meter_{meter}, ask_{std::move(ask)}, present_{callers}
    {
        boost::asio::post(client.get_executor(), [this, callers] {
            for (std::size_t i = 0; i < callers; ++i) start();
        });
    }

    /// After the phase is over. Throws if a request failed.
    void join()
    {
        for (auto present = present_.load(); present > 0; present = present_.load()) present_.wait(present);
        if (failure_) throw std::runtime_error{"a request failed: " + failure_.message()};
    }

private:
    struct Next {
        Crowd* crowd;
        Moment start;

        void operator()(boost::system::error_code error, Decision const& decision) const
        {
            crowd->answered(start, error, decision);
        }
    };

    void start() { ask_(Next{this, WallClock::now()}); }

    void answered(Moment start_of_call, boost::system::error_code error, Decision const& decision)
    {
        auto const now = WallClock::now();
        if (error) failure_ = error;
        meter_.answered(start_of_call, now, decision.granted);
        if (!error && phase.load(std::memory_order_relaxed) != Phase::over) {
            ask_(Next{this, now});
        } else if (present_.fetch_sub(1) == 1) {
            present_.notify_one();
        }
    }

    Meter& meter_;
    Ask ask_;
    std::atomic<std::size_t> present_;
    boost::system::error_code failure_;  // set before present_ falls
};

/// Keys, one after the other; each is asked for once.
void fill(Client& client, KeyedRateLimiter& limiter, Options const& options)
{
    std::atomic<std::size_t> present{options.callers};
    std::size_t next = 0;
    boost::system::error_code failure;
    std::function<void()> step = [&] {
        if (next == options.keys || failure) {
            if (present.fetch_sub(1) == 1) present.notify_one();
            return;
        }
        limiter.async_try_acquire(key_of(next++), 1, [&](boost::system::error_code error, Decision const&) {
            if (error) failure = error;
            step();
        });
    };
    boost::asio::post(client.get_executor(), [&] {
        for (std::size_t i = 0; i < options.callers; ++i) step();
    });
    for (auto left = present.load(); left > 0; left = present.load()) present.wait(left);
    if (failure) throw std::runtime_error{"filling failed: " + failure.message()};
}

template <class Ask>
std::string measure(Client& client, Options const& options, Ask ask)
{
    Meter meter{!options.log.empty()};
    wait_for_go();
    Crowd<Ask> crowd{client, options.callers, meter, std::move(ask)};
    auto const seconds = keep_time(options);
    crowd.join();
    if (meter.keeps_log()) meter.write_log(options.log);
    auto const stats = client.stats();
    return meter.json(seconds) + R"(, "calls_per_decision_own": )"
           + std::to_string(static_cast<double>(stats.calls) / static_cast<double>(stats.decisions));
}

}  // namespace

std::string ask_redis(Options const& options)
{
    // Patient, because on a busy machine a neighbour may stop the server for longer than any sane timeout.
    Client client{options.url, {.command_timeout = 20s}};
    Rate const rate = Rate::per(options.rate, options.interval);
    if (options.keys > 1) {
        auto limiter = client.keyed_rate_limiter("peers", {.rate = rate});
        if (options.fill) fill(client, limiter, options);
        auto const keys = keys_to_ask(options);
        std::size_t next = 0;
        return measure(client, options, [&](auto handler) {
            limiter.async_try_acquire(keys[next], 1, std::move(handler));
            next = next + 1 == keys.size() ? 0 : next + 1;
        });
    }
    bool const is_bucket = options.contender == "ration-bucket";
    auto limiter = client.rate_limiter(
        "hot", {.algorithm = is_bucket ? Algorithm::token_bucket : Algorithm::sliding_log});
    (void)limiter.try_set_rate(rate);
    (void)limiter.peek();  // connected, scripts loaded
    return measure(client, options, [&](auto handler) { limiter.async_try_acquire(1, std::move(handler)); });
}

}  // namespace ration::peers
