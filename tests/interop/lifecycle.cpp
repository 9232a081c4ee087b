// The clock stands still: nothing is ever freed by time, so what a waiter gets, it gets by what the other side did.

#include "interop/cells.hpp"
#include "interop/expect.hpp"
#include "redis/patience.hpp"

#include <vector>

namespace ration::interop {

namespace {

class Lifecycle {
public:
    explicit Lifecycle(Scene& scene) : scene_{scene} {}

    std::string run()
    {
        auto& java = scene_.java;
        auto& ration = scene_.ration;
        rate_raised_while_the_other_waits(ration, java);
        rate_lowered_while_the_other_waits(ration, java);
        if (scene_.version.has_set_rate()) {
            rate_raised_while_the_other_waits(java, ration);
            rate_lowered_while_the_other_waits(java, ration);
        }
        deleted_while_the_other_waits(ration, java);
        deleted_while_the_other_waits(java, ration);
        expires(ration, java);
        expires_while_the_other_waits(ration, java);
        if (scene_.version.has_expiry()) {
            expires(java, ration);
            expires_while_the_other_waits(java, ration);
        }
        if (scene_.version.has_keep_alive()) {
            kept_alive(java, ration);
            kept_alive(ration, java);
        } else {
            kept_alive_unknown_to_java();
        }
        each_client_for_itself();
        return std::to_string(stories_) + " stories";
    }

private:
    void begin(std::string story)
    {
        ++stories_;
        story_ = std::move(story);
        scene_.redis.command({"FLUSHALL"});
    }

    template <class... Words>
    void expect_answer(std::string const& expected, Side& side, Words const&... words)
    {
        auto const line = Side::line_of(words...);
        expect_equal(side.ask(line), expected,
                     story_ + ": the answer of " + side.name() + " to '" + line + "'");
    }

    // ---- waiting ----

    /// Short, because a waiter asks again after that, in real time.
    static constexpr auto five = "5 300 0";

    /// Scripts that the server has run.
    std::int64_t scripts_run()
    {
        auto const info = scene_.redis.text("INFO", "commandstats");
        std::int64_t sum = 0;
        for (std::string const command : {"cmdstat_eval:calls=", "cmdstat_evalsha:calls="}) {
            if (auto const at = info.find(command); at != info.npos)
                sum += std::stoll(info.substr(at + command.size()));
        }
        return sum;
    }

    /// Starts a call and returns when the server has denied it.
    std::future<std::string> start_waiting(Side& side, std::string const& line)
    {
        auto const before = scripts_run();
        auto answer = side.start(line);
        expect(redis_test::becomes_true([&] { return scripts_run() > before; }),
               story_ + ": " + side.name() + " does not ask");
        expect(answer.wait_for(std::chrono::milliseconds{20}) != std::future_status::ready,
               story_ + ": " + side.name() + " does not wait");
        return answer;
    }

    void expect_end(std::string const& expected, std::future<std::string>& answer, Side& side)
    {
        expect_equal(answer_of(answer, story_), expected,
                     story_ + ": how the call of " + side.name() + " that waited ended");
    }

    void all_taken(Side& by)
    {
        expect_answer("true", by, "try-set", "lim", five);
        expect_answer("true", by, "try", "lim", 5);
    }

    // ---- the stories ----

    void rate_raised_while_the_other_waits(Side& changes, Side& waits)
    {
        begin(changes.name() + " raises the rate while " + waits.name() + " waits");
        all_taken(waits);
        auto answer = start_waiting(waits, "acquire lim 3");
        expect_answer("", changes, "set", "lim", "8 300 0");
        expect_end("", answer, waits);
        expect_answer("5", scene_.ration, "available", "lim");
    }

    void rate_lowered_while_the_other_waits(Side& changes, Side& waits)
    {
        begin(changes.name() + " lowers the rate below what " + waits.name() + " waits for");
        all_taken(changes);
        auto answer = start_waiting(waits, "acquire lim 3");
        expect_answer("", changes, "set", "lim", "2 300 0");
        expect_end("error permits_exceed_rate", answer, waits);
    }

    void deleted_while_the_other_waits(Side& deletes, Side& waits)
    {
        begin(deletes.name() + " deletes what " + waits.name() + " waits for");
        all_taken(waits);
        auto answer = start_waiting(waits, "acquire lim 1");
        if (scene_.version.delete_tells()) {
            expect_answer("true", deletes, "delete", "lim");
        } else {
            deletes("delete", "lim");
        }
        expect_end("error not_initialized", answer, waits);
    }

    void expires(Side& sets, Side& other)
    {
        begin(sets.name() + " lets it expire");
        all_taken(other);
        expect_answer("true", sets, "expire", "lim", 1000);
        if (scene_.version.has_expiry()) expect_answer("1000", other, "time-to-live", "lim");
        scene_.advance(999);
        expect_answer("true", other, "exists", "lim");
        scene_.advance(2);
        expect_answer("false", other, "exists", "lim");
        expect_answer("error not_initialized", other, "try", "lim", 1);
        expect_answer("true", sets, "try-set", "lim", five);
        expect_answer("5", scene_.ration, "available", "lim");
    }

    void expires_while_the_other_waits(Side& sets, Side& waits)
    {
        begin(sets.name() + " lets expire what " + waits.name() + " waits for");
        all_taken(waits);
        auto answer = start_waiting(waits, "acquire lim 1");
        expect_answer("true", sets, "expire", "lim", 100);
        scene_.advance(101);
        expect_end("error not_initialized", answer, waits);
    }

    void kept_alive(Side& sets, Side& uses)
    {
        begin(uses.name() + " keeps alive what " + sets.name() + " has set");
        expect_answer("true", sets, "try-set", "lim", "5 1000 0 3000");
        scene_.advance(2000);
        expect_answer("true", uses, "try", "lim", 5);
        expect_answer("3000", sets, "time-to-live", "lim");
        scene_.advance(500);
        expect_answer("false", uses, "try", "lim", 1);
        expect_answer("3000", sets, "time-to-live", "lim");
        scene_.advance(2999);
        expect_answer("true", sets, "exists", "lim");
        scene_.advance(2);
        expect_answer("error not_initialized", uses, "try", "lim", 1);
        expect(scene_.redis.list("KEYS", "*").empty(), story_ + ": something is left");
    }

    /// It does not renew it, and it obeys.
    void kept_alive_unknown_to_java()
    {
        begin("ration keeps alive what Java uses");
        expect_answer("true", scene_.ration, "try-set", "lim", "5 1000 0 3000");
        scene_.advance(2000);
        expect_answer("true", scene_.java, "try", "lim", 1);
        expect_answer("1000", scene_.ration, "time-to-live", "lim");
        expect_answer("true", scene_.ration, "try", "lim", 1);
        expect_answer("3000", scene_.ration, "time-to-live", "lim");
        scene_.advance(3001);
        expect_answer("error not_initialized", scene_.java, "try", "lim", 1);
    }

    void each_client_for_itself()
    {
        for (Side* const sets : {static_cast<Side*>(&scene_.java), static_cast<Side*>(&scene_.ration)}) {
            begin("each client for itself, set by " + sets->name());
            expect_answer("true", *sets, "try-set", "lim", "2 60000 1");
            for (Side* const uses : {static_cast<Side*>(&scene_.java), static_cast<Side*>(&scene_.ration)}) {
                expect_answer("true", *uses, "try", "lim", 2);
                expect_answer("false", *uses, "try", "lim", 1);
            }
        }
        expect_answer("true", scene_.ration, "update", "lim", "3 60000 1 0 1");
        expect_answer("true", scene_.ration, "try", "lim", 1);
        expect_answer("false", scene_.java, "try", "lim", 1);
        if (!scene_.version.has_set_rate()) return;
        expect_answer("", scene_.java, "set", "lim", "5 60000 1");
        expect_answer("2", scene_.ration, "available", "lim");  // obeys the new rate; its grants are its own
        if (scene_.version.set_rate_clears_own_state()) expect_answer("true", scene_.java, "try", "lim", 5);
    }

    Scene& scene_;
    std::string story_;
    int stories_ = 0;
};

}  // namespace

std::string lifecycle(Scene& frozen)
{
    return Lifecycle{frozen}.run();
}

}  // namespace ration::interop
