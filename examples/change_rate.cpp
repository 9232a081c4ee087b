// Changing the rate while the program runs: who waits is asked again at once under the new rate.

#include <ration/ration.hpp>

#include <boost/asio/use_future.hpp>

#include <array>
#include <future>
#include <iostream>

using namespace std::chrono_literals;

int main()
{
    ration::Client client{"memory:"};
    auto limiter = client.rate_limiter("crawler");

    // At start-up: leaves a limiter with the same config alone, replaces any other.
    limiter.ensure_rate(ration::Rate::per_hour(1));
    limiter.acquire();

    std::array<std::future<ration::Decision>, 4> waiting;
    for (auto& permit : waiting) permit = limiter.async_acquire(boost::asio::use_future);
    std::cout << waiting.size() << " wait, the next permit is an hour away\n";

    //! [update]
    // Keeps what was granted: one permit of the last hour is in use, so four of the five are free.
    bool const existed = limiter.update_rate(ration::Rate::per_hour(5));
    //! [/update]
    for (auto& permit : waiting) {
        if (permit.wait_for(1s) != std::future_status::ready) return 1;
    }
    std::cout << "all served after update_rate, " << limiter.available_permits() << " left\n";
    bool const all_used = limiter.available_permits() == 0;

    // Forgets what was granted: all is free again.
    limiter.set_rate(ration::Rate::per_hour(5));
    std::cout << limiter.available_permits() << " left after set_rate\n";
    return existed && all_used && limiter.available_permits() == 5 ? 0 : 1;
}
