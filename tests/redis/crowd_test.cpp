// Many who ask again as soon as they are answered, and do not wait: their calls are large, and there may be two of them out.

#include "redis/support/redis_server.hpp"

#include <ration/ration.hpp>

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>

namespace ration::redis_test {
namespace {

using namespace std::chrono_literals;
using boost::system::error_code;

/// Callers on a client's own thread.
class Crowd {
public:
    Crowd(Client& client, RateLimiter limiter, int callers, int questions)
        : limiter_{std::move(limiter)}, present_{callers}, left_{questions}
    {
        boost::asio::post(client.get_executor(), [this, callers] {
            for (int i = 0; i < callers; ++i) ask();
        });
    }

    /// Until everybody has left.
    bool is_gone_within(Duration limit)
    {
        return gone_.get_future().wait_for(limit) == std::future_status::ready;
    }

    std::atomic<int> answered = 0;
    // To be looked at when all have left.
    int granted = 0;
    int failed = 0;
    error_code failure;

private:
    void ask()
    {
        --left_;
        limiter_.async_try_acquire(1, [this](error_code error, Decision const& decision) {
            ++answered;
            if (decision.granted) ++granted;
            if (error) {
                failure = error;
                ++failed;
            } else if (left_ > 0) {
                ask();
                return;
            }
            if (--present_ == 0) gone_.set_value();
        });
    }

    RateLimiter limiter_;
    int present_;
    int left_;
    std::promise<void> gone_;
};

ClientOptions const unhurried{.command_timeout = 20s};

class CrowdOf : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Callers, CrowdOf, testing::Values(1, 31, 64, 300, 1500),
                         [](auto const& test) { return std::to_string(test.param); });

TEST_P(CrowdOf, GetsEveryPermitOnceAndEveryAnswer)
{
    constexpr int permits = 60'000;
    constexpr int questions = 200'000;
    RedisServer const server;
    Client client{server.unix_url(), unhurried};
    for (auto const algorithm : {Algorithm::sliding_log, Algorithm::token_bucket}) {
        SCOPED_TRACE(to_string(algorithm));
        auto limiter = client.rate_limiter(std::string{to_string(algorithm)}, {.algorithm = algorithm});
        limiter.set_rate(Rate::per(permits, 24h * 3000));
        int const asked = GetParam() == 1 ? questions / 50 : questions;
        Crowd crowd{client, limiter, GetParam(), asked};
        ASSERT_TRUE(crowd.is_gone_within(120s)) << "after " << crowd.answered << " answers";
        EXPECT_EQ(crowd.failed, 0) << crowd.failure.message();
        EXPECT_EQ(crowd.answered, asked);
        EXPECT_EQ(crowd.granted, std::min(permits, asked));
    }
}

/// Rounds, because a crowd begins with one call out and learns to have two.
TEST(Crowds, EndWithTheirClient)
{
    RedisServer const server;
    for (int answers : {1, 100, 20'000, 50'000}) {
        Client client{server.unix_url(), unhurried};
        auto limiter = client.rate_limiter("mail");
        limiter.set_rate(Rate::per(1'000'000, 1h));
        Crowd crowd{client, limiter, 64, 100'000'000};
        while (crowd.answered < answers) std::this_thread::sleep_for(1ms);
        client.close();
        ASSERT_TRUE(crowd.is_gone_within(60s));
        EXPECT_EQ(crowd.failed, 64);
        EXPECT_EQ(crowd.failure, Errc::client_closed);
    }
}

TEST(Crowds, HearOfADeadServer)
{
    auto server = std::make_unique<RedisServer>();
    Client client{server->unix_url(), unhurried};
    auto limiter = client.rate_limiter("mail");
    limiter.set_rate(Rate::per(1'000'000'000, 1h));
    Crowd crowd{client, limiter, 64, 100'000'000};
    while (crowd.answered < 50'000) std::this_thread::sleep_for(1ms);
    server.reset();
    ASSERT_TRUE(crowd.is_gone_within(60s));
    EXPECT_EQ(crowd.failed, 64);
    EXPECT_TRUE(crowd.failure == Errc::outcome_unknown || crowd.failure == Errc::store_unavailable)
        << crowd.failure.message();
}

/// Somebody who waits is served although the others never stop asking.
TEST(Crowds, DoNotKeepOutWhoWaits)
{
    RedisServer const server;
    Client client{server.unix_url(), unhurried};
    auto limiter = client.rate_limiter("mail");
    limiter.set_rate(Rate::per(1000, 100ms));
    Crowd crowd{client, limiter, 64, 100'000'000};
    while (crowd.answered < 50'000) std::this_thread::sleep_for(1ms);
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(limiter.acquire(500));
    client.close();
    ASSERT_TRUE(crowd.is_gone_within(60s));
}

}  // namespace
}  // namespace ration::redis_test
