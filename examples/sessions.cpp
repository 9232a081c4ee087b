// Sessions that end when nobody has used them for a while, and somebody who hears of it.
//
// Time is moved by hand here, so that the example needs none of its own.

#include <ration/ration.hpp>
#include <ration/testing/manual_clock.hpp>

#include <iostream>
#include <string>

using namespace std::chrono_literals;

int main()
try {
    auto const clock = std::make_shared<ration::ManualClock>();
    ration::Client client{"memory:", {.clock = clock}};
    int ended = 0;
    //! [sessions]
    // delay_queue: each session ends at its moment, not at the next sweep.
    auto sessions = client.expiring_hash("sessions", {.strategy = ration::HashStrategy::delay_queue});
    sessions.on_expired([&](std::string const& id, std::string const& user) {
        std::cout << user << " was logged out (session " << id << ")\n";
        ++ended;
    });
    sessions.put("s1", "ann", 30min);
    sessions.put("s2", "bob", 30min);

    auto const touch = [&](std::string const& id) {  // at each request
        return sessions.expire(id, 30min);           // false: there is no such session any more
    };
    //! [/sessions]
    clock->advance(20min);
    bool ok = touch("s1");
    clock->advance(20min);  // 40 minutes after bob's last request
    ok = ok && ended == 1 && touch("s1") && !touch("s2") && sessions.size() == 1;
    clock->advance(30min);
    return ok && ended == 2 ? 0 : 1;
} catch (ration::Error const& error) {
    std::cerr << error.what() << '\n';
    return 3;
}
