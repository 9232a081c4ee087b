// A limiter that Java services use by Redisson: redisson redis://127.0.0.1:6379
//
// Without a server it runs on a store inside this process, where there is no Java, and all the same.

#include <ration/ration.hpp>

#include <iostream>
#include <string>

using namespace std::chrono_literals;

namespace {

bool next_to_java(ration::Client& client)
{
    //! [next_to_java]
    // Java: RRateLimiter limiter = redisson.getRateLimiter("partner-api");
    ration::RateLimiter limiter = client.rate_limiter("partner-api");
    // Java: limiter.trySetRate(RateType.OVERALL, 100, Duration.ofMinutes(1));
    limiter.try_set_rate(ration::Rate::per(100, 1min));
    // Java: if (limiter.tryAcquire(2, Duration.ofMillis(500))) ...
    if (limiter.try_acquire_for(500ms, 2)) std::cout << "go on\n";
    //! [/next_to_java]
    bool const taken = limiter.available_permits() == 98;
    limiter.remove();  // only so that this example can be run again at once
    return taken;
}

bool next_to_an_old_java(ration::Client& client)
{
    //! [old_versions]
    using enum ration::RedissonFormat;
    auto const with_3_13_2 = client.rate_limiter("mails", {.algorithm = ration::Algorithm::fixed_window});
    auto const with_3_16_1 = client.rate_limiter("calls", {.redisson_format = v3_13_3});
    auto const with_3_16_8 = client.rate_limiter("scans", {.redisson_format = v3_16_4});
    //! [/old_versions]
    return !with_3_13_2.exists() && !with_3_16_1.exists() && !with_3_16_8.exists();
}

bool after_the_upgrade(ration::Client& client)
{
    //! [migrate]
    // The last process with Redisson 3.16 has ended; those with a newer one are about to start.
    auto const rewritten = client.rate_limiter("calls").migrate();
    std::cout << rewritten << " grants are now as Redisson 3.17 and later store them\n";
    //! [/migrate]
    return rewritten == 0;  // nobody has stored any here
}

}  // namespace

int main(int argc, char** argv)
try {
    ration::Client client{argc > 1 ? argv[1] : "memory:"};
    return next_to_java(client) && next_to_an_old_java(client) && after_the_upgrade(client) ? 0 : 1;
} catch (ration::Error const& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
