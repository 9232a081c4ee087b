// One limit for many processes, through Redis: redis_shared redis://127.0.0.1:6379
//
// Two clients stand for two processes here. Without a server they share a store inside this one.

#include <ration/ration.hpp>

#include <iostream>
#include <string>

int main(int argc, char** argv)
try {
    std::string const store = argc > 1 ? argv[1] : "memory:shared";
    //! [readme]
    ration::Client client{store};  // "redis://127.0.0.1:6379", or rediss:// for TLS, or unix:/path
    ration::RateLimiter partner = client.rate_limiter("partner-api");
    partner.ensure_rate(ration::Rate::per_hour(100));  // for all who name it, on any machine

    if (ration::Decision d = partner.try_acquire(60); d) {
        std::cout << "go on, " << d.remaining << " left for everybody\n";
    }
    //! [/readme]
    ration::Client another_process{store};
    ration::RateLimiter same = another_process.rate_limiter("partner-api");
    bool const too_many = same.try_acquire(60).granted;
    bool const the_rest = same.try_acquire(40).granted;
    ration::Decision const denied = partner.try_acquire();
    std::cout << "the other process gets " << (the_rest ? "the rest" : "nothing")
              << "; the next permit frees in " << denied.retry_after.count() / 1'000'000 << " s\n";

    partner.remove();  // only so that this example can be run again at once
    return !too_many && the_rest && !denied && denied.basis == ration::Basis::store ? 0 : 1;
} catch (ration::Error const& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
