#pragma once

#include "core/url.hpp"
#include "redis/connection.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ration::redis {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

inline constexpr auto plenty = 20s;  // a deadline that is not what the test is about

/// A connection on a thread of its own, as a client without a user's executor has it.
class ConnectedThread {
public:
    explicit ConnectedThread(std::string const& url, TlsOptions tls = {}, Duration command_timeout = 250ms)
        : connection{std::make_shared<Connection>(io_.get_executor(), true, core::parse_store_url(url),
                                                  std::move(tls), command_timeout, answers_due_)}
    {}

    ~ConnectedThread()
    {
        connection->close();
        work_.reset();
        thread_.join();
        EXPECT_EQ(*answers_due_, 0U) << "whatever became of the commands";
    }

    ConnectedThread(ConnectedThread const&) = delete;
    ConnectedThread& operator=(ConnectedThread const&) = delete;

    std::future<Reply> start(Command command, steady_clock::duration timeout = plenty)
    {
        std::promise<Reply> promise;
        auto reply = promise.get_future();
        connection->run(std::move(command), steady_clock::now() + timeout, fulfil(std::move(promise)));
        return reply;
    }

    std::future<Reply> start_plain(std::vector<std::string> words, steady_clock::duration timeout = plenty)
    {
        std::promise<Reply> promise;
        auto reply = promise.get_future();
        connection->plain(std::move(words), steady_clock::now() + timeout, fulfil(std::move(promise)));
        return reply;
    }

    Reply run(Command command, steady_clock::duration timeout = plenty)
    {
        return start(std::move(command), timeout).get();
    }

    Reply plain(std::vector<std::string> words, steady_clock::duration timeout = plenty)
    {
        return start_plain(std::move(words), timeout).get();
    }

private:
    static Done fulfil(std::promise<Reply> promise)
    {
        return [promise = std::move(promise)](Reply reply) mutable { promise.set_value(std::move(reply)); };
    }

    std::shared_ptr<std::size_t> const answers_due_ = std::make_shared<std::size_t>(0);
    boost::asio::io_context io_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
    std::thread thread_{[this] { io_.run(); }};

public:
    std::shared_ptr<Connection> connection;
};

/// On an io_context that the test runs itself.
inline std::shared_ptr<Connection> connect(boost::asio::io_context& io, std::string const& url,
                                           bool executor_is_ours)
{
    return std::make_shared<Connection>(io.get_executor(), executor_is_ours, core::parse_store_url(url),
                                        TlsOptions{}, 250ms);
}

/// What a command was answered: at most once, if all is well.
struct Answers {
    std::vector<Reply> all;

    Done next()
    {
        return [this](Reply reply) { all.push_back(std::move(reply)); };
    }
};

inline Value integer(std::int64_t value)
{
    return {Value::Kind::integer, value, {}};
}

inline Value text(std::string value)
{
    return {Value::Kind::text, 0, std::move(value)};
}

inline std::vector<Value> values_of(Reply const& reply)
{
    if (auto const* failure = std::get_if<Failure>(&reply)) throw Error{failure->code, failure->detail};
    return std::get<std::vector<Value>>(reply);
}

inline Failure failure_of(Reply const& reply)
{
    if (auto const* failure = std::get_if<Failure>(&reply)) return *failure;
    return {Errc{}, true, "it succeeded"};
}

/// Counts how often it was executed, whatever its callers learn of that.
inline constexpr Script count_up{"count_up", "61636018f4e6b5817b89791bbed242f93fa089e3",
                                 "return redis.call('INCR', KEYS[1])"};

}  // namespace ration::redis
