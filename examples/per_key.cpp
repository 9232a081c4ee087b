// One rate for many keys: each user has a limit of their own, and idle users cost nothing.

#include <ration/ration.hpp>

#include <iostream>
#include <string>

namespace {

//! [per_key]
// 60 requests per minute for each user, at most 3 at once.
class Api {
public:
    int handle(std::string const& user)
    {
        ration::Decision const decision = per_user_.try_acquire(user);
        if (decision) return 200;
        std::cout << user << ": too many requests, try again in " << decision.retry_after.count() / 1000
                  << " ms\n";
        return 429;
    }

private:
    ration::Client client_{"memory:"};
    ration::KeyedRateLimiter per_user_ =
        client_.keyed_rate_limiter("api", {.rate = ration::Rate::per_minute(60).with_burst(3)});
};
//! [/per_key]

}  // namespace

int main()
{
    Api api;
    bool ok = true;
    for (int i = 0; i < 3; ++i) ok = ok && api.handle("alice") == 200;
    ok = ok && api.handle("alice") == 429;  // her burst is used up
    ok = ok && api.handle("bob") == 200;    // his is not
    return ok ? 0 : 1;
}
