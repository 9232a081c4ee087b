// Callbacks: a completion handler gets an error code and the decision. It never runs inside the call that
// started it, and here runs on the client's own I/O thread.

#include <ration/ration.hpp>

#include <atomic>
#include <iostream>
#include <latch>

using namespace std::chrono_literals;

int main()
{
    ration::Client client{"memory:"};
    auto limiter = client.rate_limiter("uploads");
    limiter.try_set_rate(ration::Rate::per(2, 200ms));

    std::latch all{4};
    std::atomic<int> granted = 0;
    for (int i = 0; i < 4; ++i) {
        //! [callback]
        limiter.async_acquire([&, i](boost::system::error_code error, ration::Decision decision) {
            if (error) {
                std::cerr << "upload " << i << ": " << error.message() << '\n';
            } else {
                std::cout << "upload " << i << " may go, " << decision.remaining << " left\n";
                ++granted;
            }
            all.count_down();
        });
        //! [/callback]
    }
    all.wait();
    return granted == 4 ? 0 : 1;
}
