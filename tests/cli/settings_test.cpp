// Where the store comes from: arguments, environment, config file; and that passwords stay secret.

#include "cli/on_server.hpp"

#include <filesystem>
#include <fstream>

namespace ration::cli_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Settings : public OnServer {
protected:
    /// Writes the file, and says where it is.
    Environment config(std::string const& text)
    {
        std::filesystem::create_directories(home_.path() / "ration");
        std::ofstream{home_.path() / "ration" / "config"} << text;
        std::filesystem::permissions(home_.path() / "ration" / "config",
                                     std::filesystem::perms::owner_read
                                         | std::filesystem::perms::owner_write);
        return {{"XDG_CONFIG_HOME", home_.path()}};
    }

    redis_test::TemporaryDirectory home_;
};

TEST_F(Settings, without_a_store_a_command_says_what_to_set)
{
    for (std::vector<std::string> const& arguments : {std::vector<std::string>{"set", "x", "1/s"},
                                                      {"try", "x"},
                                                      {"acquire", "x"},
                                                      {"release", "x", "1"},
                                                      {"info", "x"},
                                                      {"list"},
                                                      {"watch", "x"},
                                                      {"delete", "x"},
                                                      {"--store", "memory:shared", "info", "x"}}) {
        SCOPED_TRACE(::testing::PrintToString(arguments));
        auto const result = run(arguments);
        EXPECT_EQ(result.exit, 2);
        EXPECT_THAT(result.err, HasSubstr("set RATION_STORE or give --store"));
    }
}

TEST_F(Settings, argument_before_environment_before_file)
{
    auto const store = server().unix_url();
    auto file = config("# mine\n\n  store =  " + store + "  \n");
    EXPECT_EQ(run({"set", "x", "1/h"}, file).exit, 0);
    file.emplace_back("RATION_STORE", "redis://127.0.0.1:1");
    EXPECT_EQ(run({"--command-timeout", "50ms", "info", "x"}, file).exit, 3);
    EXPECT_EQ(run({"info", "x", "--store", store}, file).exit, 0);
}

TEST_F(Settings, the_file_is_also_in_the_home_folder)
{
    std::filesystem::create_directories(home_.path() / ".config" / "ration");
    std::ofstream{home_.path() / ".config" / "ration" / "config"} << "store=" + server().unix_url();
    EXPECT_EQ(run({"list"}, {{"HOME", home_.path()}, {"XDG_CONFIG_HOME", ""}}).exit, 0);
}

TEST_F(Settings, a_bad_file_is_told_with_its_line)
{
    struct Row {
        char const* text;
        char const* says;
    };
    Row const rows[] = {
        {"store redis://u:secret@h", "config:1: write a line as 'key = value'"},
        {"\nshop = secret\n", "config:2: there is no setting \"shop\""},
        {"command_timeout = soon", "command_timeout \"soon\": write a number"},
        {"store = redis://secret:port", "store URL"},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.text);
        auto const result = run({"list"}, config(row.text));
        EXPECT_EQ(result.exit, 2);
        EXPECT_THAT(result.err, HasSubstr(row.says));
        EXPECT_THAT(result.err, Not(HasSubstr("secret")));
    }
    std::filesystem::remove(home_.path() / "ration" / "config");
    std::filesystem::create_directory(home_.path() / "ration" / "config");
    EXPECT_EQ(run({"--version"}, {{"XDG_CONFIG_HOME", home_.path()}}).exit, 0);
}

TEST_F(Settings, the_timeout_comes_from_the_file_too)
{
    auto const file = config("command_timeout = 30ms\nstore = redis://127.0.0.1:1\n");
    EXPECT_EQ(run({"list"}, file).exit, 3);
}

class Passwords : public ::testing::Test {
protected:
    Passwords()
    {
        redis_test::RespClient{server_.socket_path()}.command({"CONFIG", "SET", "requirepass", "s3cret"});
        url_ = "redis://:s3cret@127.0.0.1:" + std::to_string(server_.tcp_port());
    }

    redis_test::RedisServer server_{{.tcp = true}};
    std::string url_;
    redis_test::TemporaryDirectory home_;
};

TEST_F(Passwords, in_an_argument_work_with_a_warning)
{
    auto const result = run({"--store", url_, "set", "x", "1/h"});
    EXPECT_EQ(result.exit, 0);
    EXPECT_THAT(result.err, StartsWith("ration: warning: everybody on this machine can see the password"));
    EXPECT_THAT(result.err, HasSubstr("RATION_STORE"));
    EXPECT_THAT(result.err, Not(HasSubstr("s3cret")));
    auto const json = run({"--json", "--store=" + url_, "info", "x"});
    EXPECT_EQ(text_at(object_of(json.err), "warning"), "password_in_argument");
    EXPECT_EQ(object_of(json.out).at("available").as_int64(), 1);
}

TEST_F(Passwords, in_the_environment_and_in_a_private_file_are_fine)
{
    EXPECT_EQ(run({"list"}, {{"RATION_STORE", url_}}).err, "0 limiters, 0 keys passed\n");

    std::filesystem::create_directories(home_.path() / "ration");
    auto const file = home_.path() / "ration" / "config";
    std::ofstream{file} << "store = " << url_ << "\n";
    std::filesystem::permissions(file, std::filesystem::perms{0600});
    EXPECT_EQ(run({"list"}, {{"XDG_CONFIG_HOME", home_.path()}}).err, "0 limiters, 0 keys passed\n");
    std::filesystem::permissions(file, std::filesystem::perms{0644});
    EXPECT_THAT(run({"list"}, {{"XDG_CONFIG_HOME", home_.path()}}).err, HasSubstr("chmod 600"));
}

TEST_F(Passwords, are_crossed_out_where_ps_looks)
{
    run({"set", "x", "1/h"}, {{"RATION_STORE", url_}});
    run({"try", "x"}, {{"RATION_STORE", url_}});
    // Its own arguments, as everybody can read them, while it waits.
    Running waiting{{"--store", url_, "acquire", "x"}};
    std::string arguments;
    for (int i = 0; i < 12'000 && arguments.find("***") == std::string::npos; ++i) {
        arguments = file_text("/proc/" + std::to_string(waiting.pid()) + "/cmdline");
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    EXPECT_THAT(arguments, HasSubstr("redis://:******@127.0.0.1"));
    EXPECT_THAT(arguments, Not(HasSubstr("s3cret")));
}

TEST_F(Passwords, a_wrong_one_is_an_error_that_does_not_show_it)
{
    auto const result =
        run({"list", "--json"},
            {{"RATION_STORE", "redis://:wr0ng@127.0.0.1:" + std::to_string(server_.tcp_port())}});
    EXPECT_EQ(result.exit, 3);
    EXPECT_EQ(text_at(object_of(result.err), "error"), "access_denied");
    EXPECT_THAT(result.err, Not(HasSubstr("wr0ng")));
}

}  // namespace
}  // namespace ration::cli_test
