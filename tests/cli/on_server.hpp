#pragma once

#include "cli/json.hpp"
#include "cli/process.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ration::cli_test {

/// The command on a server of its own, one for all tests of a suite.
class OnServer : public ::testing::Test {
protected:
    static void SetUpTestSuite() { server_ = new redis_test::RedisServer{}; }
    static void TearDownTestSuite()
    {
        delete server_;
        server_ = nullptr;
    }

    OnServer() { redis_.command({"FLUSHALL"}); }

    static redis_test::RedisServer& server() { return *server_; }
    redis_test::RespClient& redis() { return redis_; }

    static Environment environment() { return {{"RATION_STORE", server_->unix_url()}}; }
    static Finished ration(std::vector<std::string> const& arguments)
    {
        return run(arguments, environment());
    }

    /// With --json, and what it printed.
    static boost::json::object json(std::vector<std::string> arguments, int exit = 0)
    {
        arguments.insert(arguments.begin(), "--json");
        auto const result = ration(arguments);
        EXPECT_EQ(result.exit, exit) << result.out << result.err;
        return object_of(exit < 2 ? result.out : result.err);
    }

private:
    inline static redis_test::RedisServer* server_ = nullptr;
    redis_test::RespClient redis_{server_->socket_path()};
};

}  // namespace ration::cli_test
