// Redis behind TLS, with a certificate authority of your own:
//
//     redis_tls rediss://limits:PASSWORD@redis.example.com:6380 ca.pem
//
// Without a server it shows what is refused before anything is sent.

#include <ration/ration.hpp>

#include <iostream>
#include <string>

using namespace std::chrono_literals;

namespace {

bool is_refused(char const* url, ration::ClientOptions const& options)
{
    try {
        ration::Client const client{url, options};
    } catch (ration::Error const& error) {
        std::cout << error.what() << '\n';
        return error.code() == ration::Errc::invalid_argument;
    }
    return false;
}

}  // namespace

int main(int argc, char** argv)
try {
    // TLS options with a URL that is not encrypted, and a file that is not there.
    bool ok = is_refused("redis://127.0.0.1", {.tls = {.ca_file = "ca.pem"}});
    ok = is_refused("rediss://127.0.0.1", {.tls = {.ca_file = "/nonexistent/ca.pem"}}) && ok;

    std::string const store = argc > 1 ? argv[1] : "memory:";
    std::string const ca_file = argc > 2 ? argv[2] : "";
    //! [tls]
    ration::ClientOptions options;
    options.tls.ca_file = ca_file;    // empty: whom this system trusts
    options.command_timeout = 500ms;  // the first command waits for the handshake, too
    ration::Client client{store, options};
    //! [/tls]
    ration::RateLimiter limiter = client.rate_limiter("example:tls");
    limiter.ensure_rate(ration::Rate::per_hour(10));
    ration::Decision const decision = limiter.try_acquire();
    std::cout << (decision ? "granted, " : "denied, ") << decision.remaining << " left\n";
    limiter.remove();
    return ok && decision ? 0 : 1;
} catch (ration::Error const& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
