// Who answers when the store cannot: the four policies, with a store that nobody serves. Needs no server.

#include <ration/ration.hpp>

#include <iostream>
#include <string>

using namespace std::chrono_literals;
using ration::OnStoreFailure;

namespace {

int failures = 0;

void expect(bool condition, std::string const& what)
{
    if (condition) return;
    std::cout << "FAILED  " << what << '\n';
    ++failures;
}

void show(std::string const& policy, ration::Decision const& decision)
{
    std::cout << policy << ": " << (decision ? "granted" : "denied") << ", basis "
              << to_string(decision.basis) << '\n';
}

ration::Errc error_of(ration::RateLimiter limiter)
{
    try {
        (void)limiter.try_acquire();
    } catch (ration::Error const& error) {
        std::cout << error.what() << '\n';
        return static_cast<ration::Errc>(error.code().value());
    }
    return {};
}

}  // namespace

int main()
{
    ration::Client client{"unix:/nonexistent/redis.sock", {.command_timeout = 50ms}};

    // error, the default: the caller decides.
    expect(error_of(client.rate_limiter("strict")) == ration::Errc::store_unavailable, "error");

    //! [policies]
    auto search = client.rate_limiter("search", {.on_store_failure = OnStoreFailure::allow});
    auto login = client.rate_limiter("login", {.on_store_failure = OnStoreFailure::deny});
    auto mail = client.rate_limiter("mail", {.on_store_failure = OnStoreFailure::local, .local_share = 4});

    ration::Decision const decision = search.try_acquire();
    if (decision.basis != ration::Basis::store) std::cout << "the limit is not watched\n";
    //! [/policies]
    show("allow", decision);
    expect(decision && decision.basis == ration::Basis::fail_open, "allow");

    ration::Decision const refused = login.try_acquire();
    show("deny", refused);
    expect(!refused && refused.basis == ration::Basis::fail_closed && refused.retry_after > 0s, "deny");

    // local, with a store that was never seen: nobody knows the rate.
    expect(error_of(mail) == ration::Errc::store_unavailable, "local, no rate known");

    // The rate of a keyed limiter is in the code: 8 per hour, of which one of 4 processes has 2.
    auto per_user = client.keyed_rate_limiter(
        "api",
        {.rate = ration::Rate::per_hour(8), .on_store_failure = OnStoreFailure::local, .local_share = 4});
    for (bool const granted : {true, true, false}) {
        ration::Decision const local = per_user.try_acquire("alice");
        show("local", local);
        expect(local.granted == granted && local.basis == ration::Basis::local_fallback, "local");
    }

    auto const stats = client.stats();
    std::cout << stats.decisions << " decisions, denied by policy: " << stats.denials.fail_closed
              << ", by the local limiter: " << stats.denials.local_fallback << '\n';
    expect(stats.denials.fail_closed == 1 && stats.denials.local_fallback == 1, "stats");
    return failures == 0 ? 0 : 1;
}
