#include "redis/server_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ration::redis {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string const where = "redis://127.0.0.1:6380/0";

struct Row {
    char const* text;
    Errc code;
    bool transient;
    char const* advice;
};

TEST(ServerError, EveryOneHasACodeAndAdvice)
{
    constexpr auto unavailable = Errc::store_unavailable;
    constexpr auto denied = Errc::access_denied;
    constexpr auto data = Errc::incompatible_data;
    constexpr auto argument = Errc::invalid_argument;
    Row const rows[] = {
        {"LOADING Redis is loading the dataset in memory", unavailable, true, "try again soon"},
        {"READONLY You can't write against a read only replica.", unavailable, true, "the primary"},
        {"MASTERDOWN Link with MASTER is down", unavailable, true, "the primary"},
        {"OOM command not allowed when used memory > 'maxmemory'.", unavailable, true, "maxmemory"},
        {"BUSY Redis is busy running a script.", unavailable, true, "SCRIPT KILL"},
        {"MISCONF Redis is configured to save RDB snapshots, but", unavailable, true, "log"},
        {"NOREPLICAS Not enough good replicas to write.", unavailable, true, "min-replicas-to-write"},
        {"TRYAGAIN Multiple keys request during rehashing of slot", unavailable, true, "try again"},
        {"CLUSTERDOWN The cluster is down", unavailable, true, "CLUSTER INFO"},
        {"ERR max number of clients reached", unavailable, true, "maxclients"},
        {"NOAUTH Authentication required.", denied, false, "password"},
        {"WRONGPASS invalid username-password pair or user is disabled.", denied, false, "password"},
        {"NOPERM this user has no permissions to run the 'evalsha' command", denied, false,
         "docs/operations.md"},
        {"ERR The user executing the script can't run this command or subcommand script: 146f, on "
         "@user_script:71.",
         denied, false, "docs/operations.md"},
        {"DENIED Redis is running in protected mode", denied, false, "protected-mode"},
        {"WRONGTYPE Operation against a key holding the wrong kind of value", data, false, "another name"},
        {"MOVED 3999 127.0.0.1:6381", argument, false, "Redis Cluster is not supported yet"},
        {"CROSSSLOT Keys in request don't hash to the same slot", argument, false, "not supported yet"},
        {"ERR something new", data, false, "not what ration expects"},
        {"", data, false, "not what ration expects"},
        // As Redis 6 and older report it from inside a script.
        {"ERR Error running script (call to f_5a): @user_script:1: WRONGTYPE Operation against a key", data,
         false, "another name"},
        {"ERR Error running script (call to f_5a): @user_script:3: OOM command not allowed", unavailable,
         true, "maxmemory"},
        // The word has to be a word, and the first one decides.
        {"ERR unknown command 'LOADING_DOCK'", data, false, "not what ration expects"},
        {"NOPERM this user has no permissions to access the key 'LOADING'", denied, false,
         "docs/operations.md"},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.text);
        auto const failure = server_failure(row.text, where);
        EXPECT_EQ(failure.code, row.code);
        EXPECT_EQ(failure.transient, row.transient);
        EXPECT_THAT(failure.detail, StartsWith(where + " answered \""));
        EXPECT_THAT(failure.detail, HasSubstr(row.advice));
    }
}

TEST(ServerError, InTheSetUp)
{
    Row const rows[] = {
        {"ERR DB index is out of range", Errc::invalid_argument, false, "a database that the server has"},
        {"ERR unknown command `HELLO`, with args beginning with: `3`", Errc::store_unavailable, true,
         "RESP3"},
        {"NOPROTO unsupported protocol version", Errc::store_unavailable, true, "RESP3"},
        {"WRONGPASS invalid username-password pair", Errc::access_denied, false, "password"},
        {"NOAUTH HELLO must be called with the client already authenticated", Errc::access_denied, false,
         "password"},
        {"LOADING Redis is loading the dataset in memory", Errc::store_unavailable, true, "try again soon"},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.text);
        auto const failure = setup_failure(row.text, where);
        EXPECT_EQ(failure.code, row.code);
        EXPECT_EQ(failure.transient, row.transient);
        EXPECT_THAT(failure.detail, HasSubstr(where));
        EXPECT_THAT(failure.detail, HasSubstr(row.advice));
    }
}

TEST(ServerError, KnowsAMissingScript)
{
    EXPECT_TRUE(is_missing_script("NOSCRIPT No matching script. Please use EVAL."));
    EXPECT_FALSE(is_missing_script("ERR NOSCRIPT"));
}

}  // namespace
}  // namespace ration::redis
