// Waiting, but not for ever: try_acquire_for waits only if the permits will come in time.

#include <ration/ration.hpp>

#include <iostream>
#include <thread>

using namespace std::chrono_literals;

int main()
{
    ration::Client client{"memory:"};
    auto limiter = client.rate_limiter("search");
    limiter.try_set_rate(ration::Rate::per(1, 300ms));
    limiter.acquire();

    // Comes too late: denied at once, without waiting in vain.
    //! [timeout]
    if (ration::Decision decision = limiter.try_acquire_for(100ms); !decision) {
        std::cout << "busy, try again in " << decision.retry_after / 1ms << " ms\n";
    }
    //! [/timeout]

    auto const before = std::chrono::steady_clock::now();
    bool const granted = limiter.try_acquire_for(2s).granted;
    auto const waited = std::chrono::steady_clock::now() - before;
    std::cout << "granted after " << waited / 1ms << " ms\n";

    bool const in_time = granted && waited < 1500ms;

    // A wait can also be ended from outside.
    //! [stop]
    std::jthread worker{[&](std::stop_token stop) {
        try {
            while (true) limiter.acquire(1, stop);
        } catch (ration::Error const& error) {
            std::cout << error.what() << '\n';  // error.code() == ration::Errc::cancelled
        }
    }};
    worker.request_stop();
    //! [/stop]
    worker.join();
    return in_time ? 0 : 1;
}
