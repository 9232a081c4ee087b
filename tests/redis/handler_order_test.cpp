// In which order handlers run. Those who are answered together run where the answer came in, without going through the executor,
// which must not let them overtake anybody who is on his way through it.

#include "redis/support/redis_server.hpp"

#include <ration/ration.hpp>

#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

namespace ration::redis_test {
namespace {

using namespace std::chrono_literals;
using boost::system::error_code;

TEST(Handlers, RunInTheOrderInWhichTheyWereCompleted)
{
    RedisServer const server;
    Client client{server.unix_url(), {.command_timeout = 20s}};
    auto limiter = client.rate_limiter("mail");
    limiter.set_rate(Rate::per(100, 1h));

    std::vector<std::string> order;
    std::promise<void> all_ran;
    auto const ran = [&](char const* who) {
        order.emplace_back(who);
        if (order.size() == 4) all_ran.set_value();
    };
    boost::asio::post(client.get_executor(), [&] {
        limiter.async_try_acquire(1, [&](error_code, Decision) { ran("alone in its call"); });
        limiter.async_try_acquire(1, [&](error_code, Decision) {
            ran("first of the next call");
            limiter.async_try_acquire(0, [&](error_code error, Decision) {
                EXPECT_EQ(error, Errc::invalid_argument);
                ran("refused meanwhile");
            });
        });
        limiter.async_try_acquire(1, [&](error_code, Decision) { ran("second of the next call"); });
    });
    ASSERT_EQ(all_ran.get_future().wait_for(60s), std::future_status::ready);
    EXPECT_THAT(order, ::testing::ElementsAre("alone in its call", "first of the next call",
                                              "refused meanwhile", "second of the next call"));
}

}  // namespace
}  // namespace ration::redis_test
