// Clocks that differ, for real: libfaketime sets that of a process, and leaves alone what measures spans.

#include "interop/checks.hpp"
#include "interop/expect.hpp"
#include "interop/process_side.hpp"
#include "interop/ration_side.hpp"
#include "interop/scene.hpp"
#include "interop/stored.hpp"

#include <cstdlib>
#include <filesystem>

namespace ration::interop {

namespace {

constexpr std::int64_t skew_ms = 5000;

/// `seconds` is +5 or -5.
ProcessSide::Command skewed(ProcessSide::Command command, std::string const& seconds)
{
    command.name += " " + seconds + " s";
    command.arguments.insert(command.arguments.begin(), {"faketime", "-m", "-f", seconds + "s"});
    // The fix is for programs that get their waits wrong; it makes those of a Java process end at once, over and over.
    command.environment.insert(command.environment.end(),
                               {"DONT_FAKE_MONOTONIC=1", "FAKETIME_FORCE_MONOTONIC_FIX=0"});
    return command;
}

class Skew {
public:
    Skew(Jars const& jars, Version const& version)
        : redis_{server_.socket_path()},
          ahead_{skewed(java_command(jars, version, server_), "+5")},
          behind_{skewed(java_command(jars, version, server_), "-5")},
          ration_ahead_{skewed(ration_command("ahead"), "+5")},
          ration_behind_{skewed(ration_command("behind"), "-5")},
          ration_{server_.unix_url(), {}}
    {
        expect_skew(ahead_, skew_ms);
        expect_skew(behind_, -skew_ms);
        expect_skew(ration_ahead_, skew_ms);
        expect_skew(ration_behind_, -skew_ms);
    }

    std::string run()
    {
        // One takes all, the other wants it: what is measured is when it gets it, by the server's clock.
        Case cases[] = {
            {"ration, then Java 5 s ahead", ration_, 0, ahead_, skew_ms, 1000},
            {"Java 5 s ahead, then ration", ahead_, skew_ms, ration_, 0, 11'000},
            {"ration, then Java 5 s behind", ration_, 0, behind_, -skew_ms, 11'000},
            {"Java 5 s behind, then ration", behind_, -skew_ms, ration_, 0, 1000},
            {"ration 5 s ahead, then ration 5 s behind", ration_ahead_, 0, ration_behind_, 0, 6000},
        };
        for (auto& each : cases) begin(each);
        std::string text = "of 6 s, until the other gets the permits:";
        for (auto& each : cases) text += " " + end(each);
        nothing_is_left_of_a_short_interval();
        return text;
    }

private:
    static constexpr std::int64_t interval_ms = 6000;

    struct Case {
        std::string name;  // of the limiter, and in the report
        Side& first;
        std::int64_t first_skew;  // of the times that it stores
        Side& second;
        std::int64_t second_skew;
        std::int64_t expected_ms;
        std::int64_t first_at = 0;
        std::future<std::string> answer = {};
    };

    ProcessSide::Command ration_command(std::string const& name)
    {
        return {.name = "ration",
                .arguments = {std::filesystem::read_symlink("/proc/self/exe"), "--drive", server_.unix_url()},
                .environment = {},
                .log = std::filesystem::path{server_.socket_path()}.replace_filename(name + ".log")};
    }

    void expect_skew(Side& side, std::int64_t skew)
    {
        auto const time = redis_.list("TIME");
        auto const ahead =
            std::stoll(side("clock", "none")) - (std::stoll(time[0]) * 1000 + std::stoll(time[1]) / 1000);
        expect(std::abs(ahead - skew) < 4000,
               side.name() + ": its clock is " + std::to_string(ahead) + " ms ahead");
    }

    static std::string limiter_of(Case const& each)
    {
        auto name = each.name;
        for (auto& c : name) c = c == ' ' ? '_' : c;
        return name;
    }

    std::int64_t newest_time(Case const& each)
    {
        auto const log = read_stored(redis_, LimiterKeys{limiter_of(each)}).log;
        expect(!log.empty(), each.name + ": no grant is stored");
        return log.back().time_ms;
    }

    void begin(Case& each)
    {
        auto const name = limiter_of(each);
        expect_equal(ration_("try-set", name, 10, interval_ms, 0), "true", each.name);
        expect_equal(each.first("try", name, 10), "true", each.name + ", the first");
        each.first_at = newest_time(each) - each.first_skew;
        each.answer = each.second.start(Side::line_of("acquire", name, 10));
    }

    std::string end(Case& each)
    {
        expect_equal(answer_of(each.answer, each.name), "", each.name + ", the second");
        auto const log = read_stored(redis_, LimiterKeys{limiter_of(each)}).log;
        // In the order of the log a grant of the past stands before one of the future that is still there.
        auto const second = each.second_skew < each.first_skew ? log.front() : log.back();
        auto const waited = second.time_ms - each.second_skew - each.first_at;
        constexpr std::int64_t precision_ms = 20;  // of two clocks that are read one after the other
        constexpr std::int64_t patience_ms = 10'000;
        expect(waited > each.expected_ms - precision_ms && waited < each.expected_ms + patience_ms,
               each.name + " waited " + std::to_string(waited) + " ms, expected about "
                   + std::to_string(each.expected_ms));
        return each.name + " " + std::to_string(waited) + " ms;";
    }

    /// A clock that is ahead by more than the interval frees everybody's permits whenever it looks.
    void nothing_is_left_of_a_short_interval()
    {
        expect_equal(ration_("try-set", "short", 10, 4000, 0), "true", "a short interval");
        for (int i = 0; i < 3; ++i) {
            expect_equal(ration_("try", "short", 10), "true", "a short interval, round " + std::to_string(i));
            expect_equal(ahead_("available", "short"), "10", "a short interval, what Java finds");
        }
    }

    redis_test::RedisServer server_{{.tcp = true}};
    redis_test::RespClient redis_;
    ProcessSide ahead_;
    ProcessSide behind_;
    ProcessSide ration_ahead_;
    ProcessSide ration_behind_;
    RationSide ration_;
};

}  // namespace

std::string clock_skew(Jars const& jars, Version const& version)
{
    return Skew{jars, version}.run();
}

}  // namespace ration::interop
