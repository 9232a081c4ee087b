// Calls that wait, while the clock runs. A machine may be slow, so nothing is judged by when an answer came:
//
//   granted   the model must grant it too, at the time that is stored with the grant
//   denied    the call must not have had time enough, and the model must not have had the permits when it began

#include "interop/waits.hpp"

#include "interop/expect.hpp"
#include "interop/shadow.hpp"
#include "interop/stored.hpp"
#include "property/seed.hpp"

#include <algorithm>

namespace ration::interop {

namespace {

using std::chrono::milliseconds;

class Waits {
public:
    Waits(Scene& scene, std::uint64_t seed) : scene_{scene}, random_{seed}, shadow_{scene.version.algorithm()}
    {
        Rate const rate = Rate::per(5, milliseconds{250});
        expect_equal(scene.java("try-set", "waits", 5, 250, 0), "true", "Java's answer to try-set");
        shadow_.set(rate);
    }

    void turn()
    {
        bool const java = random_.one_in(2);
        Side& side = java ? static_cast<Side&>(scene_.java) : scene_.ration;
        auto const n = random_.between<Permits>(1, 5);
        bool const patient = !random_.one_in(4);
        auto const line = patient ? random_.one_in(2) ? Side::line_of("acquire", "waits", n)
                                                      : Side::line_of("try-for", "waits", n, 30'000)
                                  : Side::line_of("try-for", "waits", n, random_.between(1, 100));
        auto const began = server_ms();
        auto const answer = side.ask(line);
        auto const what = side.name() + ", '" + line + "'";
        if (answer == "false") {
            expect(!patient, what + " was denied, with all the time in the world");
            expect(!shadow_.would_grant(began, n), what + " was denied, but the permits were there");
            return;
        }
        expect(answer.empty() || answer == "true", what + " -> " + answer);
        auto const at = time_of_newest_grant(began, n, what);
        auto const due = began + shadow_.wait_ms(began, n);
        expect(shadow_.take(at, n), what + " was granted " + std::to_string(due - at) + " ms early");
        if (due > began) late_[java ? 1 : 0] = std::max(late_[java ? 1 : 0], at - due);
    }

    std::string late() const
    {
        return "at most " + std::to_string(late_[1]) + " ms late (ration: " + std::to_string(late_[0]) + ")";
    }

private:
    std::int64_t server_ms()
    {
        auto const time = scene_.redis.list("TIME");
        return std::stoll(time[0]) * 1000 + std::stoll(time[1]) / 1000;
    }

    std::int64_t time_of_newest_grant(std::int64_t began, Permits n, std::string const& what)
    {
        LimiterKeys const keys{"waits"};
        if (shadow_.algorithm() == Algorithm::fixed_window) {
            // Granted in the window that was open when it began, or the window opened with it.
            auto const end = scene_.redis.integer("PEXPIRETIME", keys.value);
            auto const open_until = shadow_.is_idle(began) ? 0 : began + shadow_.reset_ms(began);
            return end == open_until ? began : end - shadow_.rate().interval() / milliseconds{1};
        }
        auto const log = read_stored(scene_.redis, keys).log;
        expect(!log.empty(), what + " left no grant in the log");
        auto const is_it = [&](Grant const& grant) {
            return grant.time_ms == log.back().time_ms && grant.permits == n;
        };
        expect(std::any_of(log.begin(), log.end(), is_it), what + " is not the newest grant in the log");
        return log.back().time_ms;
    }

    Scene& scene_;
    testing::Random random_;
    Shadow shadow_;
    std::int64_t late_[2] = {0, 0};  ///< ms after the permits were free: ration, Java
};

}  // namespace

std::string waits(Scene& running, std::uint64_t seed, int count)
{
    Waits waits{running, seed};
    for (int i = 0; i < count; ++i) waits.turn();
    running.redis.command({"FLUSHALL"});
    return waits.late();
}

}  // namespace ration::interop
