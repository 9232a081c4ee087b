// Futures: ask now, do something else, collect the permit later.

#include <ration/ration.hpp>

#include <boost/asio/use_future.hpp>

#include <future>
#include <iostream>

using namespace std::chrono_literals;
namespace asio = boost::asio;

int main()
{
    ration::Client client{"memory:"};
    auto limiter = client.rate_limiter("reports");
    limiter.try_set_rate(ration::Rate::per(1, 200ms));
    limiter.acquire();

    //! [future]
    std::future<ration::Decision> permit = limiter.async_acquire(asio::use_future);
    std::cout << "preparing the report while waiting\n";
    ration::Decision decision = permit.get();  // throws boost::system::system_error if it failed
    //! [/future]
    std::cout << "printing it\n";

    // An error arrives as an exception with the code of ours.
    try {
        limiter.async_acquire(2, asio::use_future).get();
    } catch (boost::system::system_error const& error) {
        std::cout << "two at once: " << error.code().message() << '\n';
        return decision && error.code() == ration::Errc::permits_exceed_rate ? 0 : 1;
    }
    return 1;
}
