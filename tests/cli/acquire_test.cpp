// `ration acquire`: waiting, becoming a command, and being interrupted.

#include "cli/on_server.hpp"

#include <csignal>
#include <fstream>

#include <sys/stat.h>

namespace ration::cli_test {
namespace {

using ::testing::HasSubstr;

class Acquire : public OnServer {
protected:
    std::int64_t available() { return json({"info", "job"}).at("available").as_int64(); }

    void wait_until_somebody_waits()
    {
        // A waiter asks by a script: the server then has a connection that ran one.
        for (int i = 0; i < 12'000; ++i) {  // a minute at least
            auto const clients = redis().text("CLIENT", "LIST");
            if (clients.find("cmd=evalsha") != clients.npos || clients.find("cmd=eval ") != clients.npos)
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
        }
        FAIL() << "nobody came to wait";
    }

    redis_test::TemporaryDirectory directory_;
};

TEST_F(Acquire, waits_for_a_permit)
{
    ration({"set", "job", "1/100ms"});
    for (int i = 0; i < 3; ++i) EXPECT_EQ(ration({"acquire", "job"}).out, "granted, 0 left\n");
    EXPECT_TRUE(json({"acquire", "job"}).at("granted").as_bool());
}

TEST_F(Acquire, becomes_the_command_with_its_exit_code_and_output)
{
    ration({"set", "job", "9/h"});
    auto const result =
        ration({"acquire", "job", "2", "--", "sh", "-c", "echo out; echo err >&2; exit 7", "x"});
    EXPECT_EQ(result.exit, 7);
    EXPECT_EQ(result.out, "out\n");
    EXPECT_EQ(result.err, "err\n");
    EXPECT_EQ(available(), 7);
    auto const json = ration({"--json", "acquire", "job", "--", "echo", "--json", "--help"});
    EXPECT_EQ(json.out, "--json --help\n");
    EXPECT_TRUE(object_of(json.err).at("granted").as_bool())
        << "the decision stands beside, on standard error";
}

TEST_F(Acquire, leaves_the_command_nothing_of_its_own)
{
    ration({"set", "job", "9/h"});
    auto const result = ration({"acquire", "job", "--", "sh", "-c",
                                "ls -l /proc/$$/fd | grep -c socket; grep SigBlk /proc/self/status"});
    EXPECT_THAT(result.out, HasSubstr("0\n"));
    EXPECT_THAT(result.out, HasSubstr("SigBlk:\t0000000000000000"));
}

TEST_F(Acquire, signals_reach_the_command)
{
    ration({"set", "job", "9/h"});
    for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
        auto const name = std::to_string(signal);
        Running running{{"acquire", "job", "--", "sh", "-c",
                         "trap 'echo got it; exit 5' " + name + "; echo ready; while :; do sleep 0.05; done"},
                        environment()};
        ASSERT_EQ(running.read_line(), "ready");
        running.signal(signal);
        auto const result = running.finish();
        EXPECT_EQ(result.out, "got it\n");
        EXPECT_EQ(result.exit, 5);
    }
    Running killed{{"acquire", "job", "--", "sh", "-c", "echo ready; exec sleep 60"}, environment()};
    ASSERT_EQ(killed.read_line(), "ready");
    killed.signal(SIGTERM);
    EXPECT_EQ(killed.finish().exit, 128 + SIGTERM);
}

TEST_F(Acquire, takes_nothing_for_a_command_that_cannot_run)
{
    ration({"set", "job", "9/h"});
    auto const file = directory_.path() / "plain";
    std::ofstream{file} << "echo hi\n";
    struct Row {
        std::string command;
        int exit;
        char const* error;
    };
    Row const rows[] = {
        {"no-such-command-here", 127, "command_not_found"},
        {"/no/such/path", 127, "command_not_found"},
        {"", 127, "command_not_found"},
        {file.string(), 126, "command_not_runnable"},
        {"/", 126, "command_not_runnable"},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.command);
        EXPECT_EQ(text_at(json({"acquire", "job", "--", row.command}, row.exit), "error"), row.error);
    }
    EXPECT_EQ(available(), 9);
}

TEST_F(Acquire, gives_back_what_it_took_if_the_command_does_not_start_after_all)
{
    ration({"set", "job", "9/h"});
    auto const program = directory_.path() / "program";
    std::ofstream{program} << "#!/no/such/interpreter\n";
    ::chmod(program.c_str(), 0755);
    auto const result = ration({"acquire", "job", "3", "--", program.string()});
    EXPECT_EQ(result.exit, 127);
    EXPECT_THAT(result.err, HasSubstr("the permits were given back"));
    EXPECT_EQ(available(), 9);
}

TEST_F(Acquire, runs_a_script_that_does_not_say_by_whom_as_shells_do)
{
    ration({"set", "job", "9/h"});
    auto const script = directory_.path() / "script";
    std::ofstream{script} << "echo $1; exit 3\n";
    ::chmod(script.c_str(), 0755);
    auto const result = ration({"acquire", "job", "--", script.string(), "word"});
    EXPECT_EQ(result.out, "word\n");
    EXPECT_EQ(result.exit, 3);
}

TEST_F(Acquire, interrupted_while_it_waits_it_takes_nothing)
{
    ration({"set", "job", "1/h"});
    ration({"try", "job"});
    for (int const signal : {SIGINT, SIGTERM}) {
        Running running{{"acquire", "job", "--", "echo", "never"}, environment()};
        wait_until_somebody_waits();
        running.signal(signal);
        auto const result = running.finish();
        EXPECT_EQ(result.exit, 128 + signal);
        EXPECT_EQ(result.out, "");
    }
    EXPECT_EQ(json({"info", "job"}).at("in_use").as_int64(), 1);
}

TEST_F(Acquire, per_client_and_more_than_the_rate)
{
    ration({"set", "job", "2/h", "--type", "per-client"});
    EXPECT_EQ(ration({"acquire", "job", "--", "echo"}).exit, 2);
    EXPECT_EQ(ration({"acquire", "job", "--client-id", "a", "--", "true"}).exit, 0);
    EXPECT_EQ(text_at(json({"acquire", "job", "3", "--client-id", "a"}, 2), "error"), "permits_exceed_rate");
}

}  // namespace
}  // namespace ration::cli_test
