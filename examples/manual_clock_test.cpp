// Testing your own code: pass it a client whose clock stands still until the test moves it. No sleeping, and
// the same result every time.

#include <ration/ration.hpp>
#include <ration/testing/manual_clock.hpp>

#include <iostream>
#include <string>
#include <vector>

using namespace std::chrono_literals;

namespace {

// The class under test: sends at most three alarms a minute and counts what it swallows.
class AlarmSender {
public:
    explicit AlarmSender(ration::Client& client) : limiter_{client.rate_limiter("alarms")}
    {
        limiter_.ensure_rate(ration::Rate::per_minute(3));
    }

    void raise(std::string const& text)
    {
        if (limiter_.try_acquire()) {
            sent.push_back(swallowed_ > 0 ? text + " (and " + std::to_string(swallowed_) + " more)" : text);
            swallowed_ = 0;
        } else {
            ++swallowed_;
        }
    }

    std::vector<std::string> sent;

private:
    ration::RateLimiter limiter_;
    int swallowed_ = 0;
};

bool expect(bool condition, char const* what)
{
    std::cout << (condition ? "ok      " : "FAILED  ") << what << '\n';
    return condition;
}

}  // namespace

int main()
{
    //! [manual_clock]
    auto clock = std::make_shared<ration::ManualClock>();
    ration::Client client{"memory:", {.clock = clock}};
    AlarmSender alarms{client};

    for (int i = 0; i < 5; ++i) alarms.raise("disk full");
    bool ok = expect(alarms.sent.size() == 3, "three alarms a minute");

    clock->advance(1min - 1us);
    alarms.raise("disk full");
    ok = expect(alarms.sent.size() == 3, "not a microsecond too early") && ok;

    clock->advance(1us);
    alarms.raise("disk full");
    ok = expect(alarms.sent.back() == "disk full (and 3 more)", "then the next, with what was swallowed")
         && ok;
    //! [/manual_clock]
    return ok ? 0 : 1;
}
