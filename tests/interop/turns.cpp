// Random calls while the clock stands still: every answer is certain. The calls that wait are in waits.cpp.

#include "interop/cells.hpp"
#include "interop/expect.hpp"
#include "interop/shadow.hpp"
#include "interop/waits.hpp"
#include "property/seed.hpp"

#include <algorithm>

namespace ration::interop {

namespace {

using std::chrono::milliseconds;

class Walk {
public:
    Walk(Scene& scene, std::uint64_t seed) : scene_{scene}, random_{seed}, shadow_{scene.version.algorithm()}
    {}

    void step()
    {
        avoid_the_last_moment_of_a_window();
        if (!shadow_.exists()) return begin();
        auto const die = random_.between(1, 100);
        if (die <= 25) return scene_.advance(a_while());
        if (die <= 75) return try_to_take();
        if (die <= 85) return ask_what_is_free();
        if (die <= 90) return ask_for_config();
        if (die <= 95) return release();
        if (die <= 97) return replace();
        if (die <= 99) return update();
        remove();
    }

private:
    // ---- who, and what to expect ----

    bool is_java(Side const& side) const { return &side == &scene_.java; }

    Side& anyone() { return random_.one_in(2) ? static_cast<Side&>(scene_.java) : scene_.ration; }
    Side& anyone_if(bool java_can) { return java_can ? anyone() : scene_.ration; }

    template <class... Words>
    void expect_answer(std::string const& expected, Side& side, Words const&... words)
    {
        auto const line = Side::line_of(words...);
        auto const answer = side.ask(line);
        history_ +=
            "\n  " + std::to_string(scene_.now_ms()) + " " + side.name() + ": " + line + " -> " + answer;
        if (history_.size() > 2000) history_.erase(0, history_.find('\n', 500));
        expect_equal(answer, expected,
                     "the answer of " + side.name() + " to '" + line + "' after" + history_ + "\n");
    }

    std::int64_t now() { return scene_.now_ms(); }

    /// Redis drops a key one millisecond after its time. For ration the window has ended by then, for Java it has not.
    void avoid_the_last_moment_of_a_window()
    {
        if (!scene_.version.counts_in_windows() || !shadow_.exists()) return;
        if (shadow_.is_idle(now()) && !shadow_.is_idle(now() - 1)) scene_.advance(1);
    }

    // ---- the calls ----

    Rate any_rate() { return Rate::per(random_.between(1, 12), milliseconds{random_.between(20, 300) * 10}); }

    static std::string rate_words(Rate const& rate)
    {
        return Side::line_of(rate.permits(), rate.interval() / milliseconds{1}, 0);
    }

    std::int64_t a_while()
    {
        auto const interval = shadow_.exists() ? shadow_.rate().interval() / milliseconds{1} : 100;
        return random_.one_in(3) ? random_.between<std::int64_t>(1, interval + 10)
                                 : random_.between<std::int64_t>(1, interval / 8);
    }

    void begin()
    {
        if (random_.one_in(3)) return expect_answer("error not_initialized", anyone(), "try", "lim", 1);
        if (random_.one_in(3)) return expect_answer("false", anyone(), "exists", "lim");
        auto const rate = any_rate();
        expect_answer("true", anyone(), "try-set", "lim", rate_words(rate));
        shadow_.set(rate);
    }

    void try_to_take()
    {
        auto& side = anyone();
        auto const rate = shadow_.rate().permits();
        auto const n =
            random_.one_in(30) ? rate + 1 : random_.between<Permits>(1, std::min<Permits>(rate, 4));
        bool const zero_timeout =
            random_.one_in(5) && !(is_java(side) && scene_.version.zero_timeout_waits_for_ever());
        std::string expected = "error permits_exceed_rate";
        if (n <= rate) {
            expected = shadow_.take(now(), n) ? "true" : "false";
        } else if (is_java(side) && !scene_.version.checks_permits_always() && !shadow_.is_idle(now())) {
            expected = "false";  // it would wait for a new window
        }
        if (zero_timeout) return expect_answer(expected, side, "try-for", "lim", n, 0);
        expect_answer(expected, side, "try", "lim", n);
    }

    void ask_what_is_free()
    {
        // Of a closed window, Java's question opens one.
        bool const java_only_looks =
            scene_.version.has_available() && !(scene_.version.counts_in_windows() && shadow_.is_idle(now()));
        // With more in use than a lowered rate allows, Java says so by a negative number.
        auto& side = in_debt_ ? scene_.ration : anyone_if(java_only_looks);
        expect_answer(std::to_string(shadow_.available(now())), side, "available", "lim");
    }

    void ask_for_config()
    {
        if (random_.one_in(2)) return expect_answer("true", anyone(), "exists", "lim");
        expect_answer(rate_words(shadow_.rate()), anyone(), "config", "lim");
    }

    void release()
    {
        auto n = random_.between<Permits>(1, 5);
        if (scene_.version.counts_in_windows()) {
            // With nothing left in use, ration's next window begins with the next grant, and Java's does not.
            n = std::min(n, shadow_.rate().permits() - shadow_.available(now()) - 1);
        }
        if (n < 1 || in_debt_) return;
        // Up to 4.7.0, what Java releases comes back a second time when its grant expires.
        auto& side = anyone_if(scene_.version.release_edits_log());
        shadow_.release(now(), n);
        expect_answer("", side, "release", "lim", n);
    }

    void replace()
    {
        auto& side = anyone_if(scene_.version.has_set_rate());
        auto const rate = any_rate();
        shadow_.set(rate);
        in_debt_ = false;
        expect_answer("", side, "set", "lim", rate_words(rate));
    }

    void update()
    {
        auto const rate = any_rate();
        // With a longer interval, Java counts grants again that have freed up, if nobody has asked since.
        bool const longer = rate.interval() > shadow_.rate().interval();
        // Java forgets what is in use beyond a lowered rate.
        bool const debt = shadow_.rate().permits() - shadow_.available(now()) > rate.permits();
        auto& side = anyone_if(scene_.version.has_update() && !longer && !debt && !in_debt_);
        shadow_.update(rate, now());
        in_debt_ = debt || in_debt_;
        expect_answer("true", side, "update", "lim", rate_words(rate), 0, 1);
    }

    void remove()
    {
        shadow_.remove();
        in_debt_ = false;
        auto& side = anyone_if(!scene_.version.delete_leaves_state());
        if (!is_java(side) || scene_.version.delete_tells())
            return expect_answer("true", side, "delete", "lim");
        side("delete", "lim");
    }

    Scene& scene_;
    testing::Random random_;
    Shadow shadow_;
    bool in_debt_ = false;  ///< there may be more in use than the rate
    std::string history_;   ///< the last calls
};

}  // namespace

std::string turns(Scene& frozen, Scene& running, TurnsOptions const& options)
{
    try {
        Walk walk{frozen, options.seed};
        for (int i = 0; i < options.turns; ++i) walk.step();
        frozen.redis.command({"FLUSHALL"});
        auto const late = waits(running, options.seed, options.waits);
        return std::to_string(options.turns) + " turns, " + std::to_string(options.waits) + " waits; " + late;
    } catch (Mismatch const& mismatch) {
        throw Mismatch{"with --seed " + std::to_string(options.seed) + ": " + mismatch.what()};
    }
}

}  // namespace ration::interop
