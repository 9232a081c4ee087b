// Coroutines: co_await a permit, on your own io_context, with a limit on the wait.

#include <ration/ration.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancel_after.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <iostream>

using namespace std::chrono_literals;
namespace asio = boost::asio;

int granted = 0;
int cancelled = 0;

//! [coroutine]
asio::awaitable<void> handle_request(ration::RateLimiter limiter, int number)
{
    try {
        co_await limiter.async_acquire(asio::cancel_after(300ms));
        std::cout << "request " << number << " goes on\n";
        ++granted;
    } catch (boost::system::system_error const& error) {
        // Cancelled: the permit was not taken. error.code() == asio::error::operation_aborted
        std::cout << "request " << number << " gave up: " << error.code().message() << '\n';
        ++cancelled;
    }
}
//! [/coroutine]

int main()
{
    asio::io_context io;
    // With an executor of yours, the client starts no thread of its own.
    ration::Client client{"memory:", {.executor = io.get_executor()}};
    auto limiter = client.rate_limiter("requests");
    limiter.try_set_rate(ration::Rate::per(2, 200ms));

    for (int number = 1; number <= 6; ++number)
        asio::co_spawn(io, handle_request(limiter, number), asio::detached);
    io.run();
    // Two at once, two after 200 ms; the last two would have had to wait for 400 ms.
    return granted == 4 && cancelled == 2 ? 0 : 1;
}
