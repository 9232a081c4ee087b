// What docs/guide.md shows and no other example does. Each function is one section of the guide and checks
// itself.

#include <ration/ration.hpp>
#include <ration/testing/manual_clock.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>

#include <future>
#include <iostream>
#include <optional>
#include <string>

using namespace std::chrono_literals;
using ration::Rate;
namespace asio = boost::asio;

namespace {

int failures = 0;

void expect(bool condition, std::string const& what)
{
    if (condition) return;
    std::cout << "FAILED  " << what << '\n';
    ++failures;
}

std::shared_ptr<ration::ManualClock> const test_clock = std::make_shared<ration::ManualClock>();

void rates()
{
    //! [rates]
    constexpr Rate api = Rate::per_minute(60).with_burst(10);  // nonsense here would not compile
    Rate const from_a_file = Rate::parse("60/m;burst=10");     // nonsense here throws ration::Error

    boost::system::error_code error;  // or std::error_code
    Rate const rate = Rate::parse("60 per minute", error);
    if (error) std::cerr << "not a rate\n";  // error == ration::Errc::invalid_argument
    //! [/rates]
    expect(api == from_a_file && to_string(api) == "60/m;burst=10", "rates");
    expect(error == ration::Errc::invalid_argument && rate.permits() == 1, "a bad rate");
}

std::string error_text()
{
    ration::Client client{"memory:"};
    //! [errors]
    ration::RateLimiter limiter = client.rate_limiter("mail");
    try {
        limiter.acquire();
    } catch (ration::Error const& error) {
        if (error.code() == ration::Errc::not_initialized) limiter.try_set_rate(Rate::per_second(5));
        return error.what();
    }
    //! [/errors]
    return {};
}

void changing()
{
    ration::Client client{"memory:", {.clock = test_clock}};
    auto limiter = client.rate_limiter("changing");
    //! [ensure]
    switch (limiter.ensure_rate(Rate::per_second(100))) {
    case ration::EnsureResult::created: std::cout << "a new limiter\n"; break;
    case ration::EnsureResult::unchanged: break;
    case ration::EnsureResult::changed: std::cout << "a new rate: all permits are free\n"; break;
    }
    //! [/ensure]
    expect(limiter.try_acquire(80).granted, "80 of 100");
    limiter.update_rate(Rate::per_second(50));  // 30 more are in use than it now allows
    expect(limiter.available_permits() == 0 && limiter.try_acquire().retry_after == 1s, "debt");
    limiter.ensure_rate(Rate::per_second(50));
    expect(limiter.available_permits() == 0, "ensure_rate with the same rate leaves all alone");
    limiter.set_rate(Rate::per_second(50));
    expect(limiter.available_permits() == 50, "set_rate forgets grants");
}

void per_client()
{
    //! [per_client]
    ration::Client web{"memory:shared"};
    ration::Client batch{"memory:shared"};  // the same store, another client
    web.rate_limiter("db").try_set_rate(Rate::per_second(10), {.type = ration::RateType::per_client});

    bool const all_of_web = web.rate_limiter("db").try_acquire(10).granted;
    bool const all_of_batch = batch.rate_limiter("db").try_acquire(10).granted;  // has ten of its own
    //! [/per_client]
    expect(all_of_web && all_of_batch, "per client");
}

void expiry()
{
    ration::Client client{"memory:", {.clock = test_clock}};
    //! [keep_alive]
    auto limiter = client.rate_limiter("session:4711");
    limiter.try_set_rate(Rate::per_second(5), {.keep_alive = 10min});  // gone when unused for ten minutes
    //! [/keep_alive]
    test_clock->advance(9min);
    limiter.acquire();
    expect(limiter.remaining_time_to_live() == std::optional<ration::Duration>{10min},
           "a use begins it anew");
    test_clock->advance(10min);
    expect(!limiter.exists(), "keep_alive");
}

void release()
{
    ration::Client client{"memory:", {.clock = test_clock}};
    auto limiter = client.rate_limiter("release");
    limiter.try_set_rate(Rate::per_second(10));
    //! [release]
    limiter.acquire(10);
    limiter.release(4);  // only six were needed
    //! [/release]
    expect(limiter.available_permits() == 4, "release");
    limiter.release(100);
    expect(limiter.available_permits() == 10, "never above full");
}

void cancel()
{
    ration::Client client{"memory:"};
    auto limiter = client.rate_limiter("cancel");
    limiter.try_set_rate(Rate::per_hour(1));
    limiter.acquire();
    //! [cancel]
    asio::cancellation_signal cancel;
    std::promise<boost::system::error_code> result;
    limiter.async_acquire(asio::bind_cancellation_slot(
        cancel.slot(), [&](boost::system::error_code error, ration::Decision) { result.set_value(error); }));
    cancel.emit(asio::cancellation_type::total);
    //! [/cancel]
    expect(result.get_future().get() == asio::error::operation_aborted, "cancelled");
}

void deadlock()
{
    ration::Client client{"memory:"};
    auto limiter = client.rate_limiter("deadlock");
    limiter.try_set_rate(Rate::per_hour(1));
    limiter.acquire();
    std::promise<bool> refused;
    asio::post(client.get_executor(), [&] {  // the client's own I/O thread
        try {
            limiter.acquire();
            refused.set_value(false);
        } catch (ration::Error const& error) {
            refused.set_value(error.code() == ration::Errc::would_deadlock);
        }
    });
    // The client starts its thread with the first wait or the first async call.
    limiter.async_exists(asio::use_future).get();
    expect(refused.get_future().get(), "would_deadlock");
}

void executor()
{
    //! [executor]
    asio::thread_pool pool{4};
    ration::Client client{"memory:", {.executor = pool.get_executor()}};
    //! [/executor]
    auto limiter = client.rate_limiter("pool");
    limiter.try_set_rate(Rate::per(1, 20ms));
    limiter.acquire();
    limiter.acquire();  // this thread is none of the pool's, so it may wait
    expect(client.stats().decisions == 2, "an executor of the caller");
}

void keyed()
{
    ration::Client client{"memory:", {.clock = test_clock}};
    //! [keyed]
    ration::KeyedOptions const options{
        .rate = Rate::per_minute(5), .algorithm = ration::Algorithm::sliding_log, .max_keys = 1'000'000};
    ration::KeyedRateLimiter per_address = client.keyed_rate_limiter("login", options);
    ration::Decision const decision = per_address.try_acquire("192.0.2.7");
    //! [/keyed]
    expect(decision.remaining == 4 && per_address.size() == 1, "keyed");
    expect(per_address.reset("192.0.2.7") && per_address.size() == 0, "reset");
}

void waiters_in_a_test()
{
    //! [waiters]
    auto clock = std::make_shared<ration::ManualClock>();
    ration::Client client{"memory:", {.clock = clock}};
    auto limiter = client.rate_limiter("mail");
    limiter.try_set_rate(Rate::per(1, 10s));
    limiter.acquire();

    std::future<ration::Decision> waiting = limiter.async_acquire(asio::use_future);
    clock->advance(10s);  // whoever was due has been served when this returns
    bool const served = waiting.wait_for(0s) == std::future_status::ready;
    //! [/waiters]
    expect(served, "advance serves waiters");
}

}  // namespace

int main()
{
    rates();
    expect(
        error_text()
            == "limiter \"mail\": no rate is set, or it has expired; call try_set_rate or ensure_rate first",
        "errors");
    changing();
    per_client();
    expiry();
    release();
    cancel();
    deadlock();
    executor();
    keyed();
    waiters_in_a_test();
    std::cout << (failures == 0 ? "all as the guide says\n" : "the guide is wrong\n");
    return failures == 0 ? 0 : 1;
}
