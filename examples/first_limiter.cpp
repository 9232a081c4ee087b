// The first limiter: five permits per second, for the whole process.

#include <ration/ration.hpp>

#include <iostream>

using namespace std::chrono_literals;

namespace {

int sent = 0;

void send(char const* what)
{
    std::cout << what << '\n';
    ++sent;
}

}  // namespace

int main()
{
    //! [readme]
    ration::Client client{"memory:"};
    ration::RateLimiter limiter = client.rate_limiter("mail");
    limiter.try_set_rate(ration::Rate::per_second(5));  // does nothing if it has a rate already

    if (limiter.try_acquire()) send("now or never");
    if (limiter.try_acquire(4)) send("four permits at once");

    if (ration::Decision d = limiter.try_acquire_for(500ms); !d) {
        std::cout << "busy, try again in " << d.retry_after / 1ms << " ms\n";
    }
    limiter.acquire();  // waits, first come, first served
    send("granted at last");
    //! [/readme]
    return sent == 3 ? 0 : 1;
}
