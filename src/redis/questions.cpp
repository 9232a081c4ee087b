#include "redis/questions.hpp"

#include "redis/connection.hpp"
#include "redis/tls.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <latch>
#include <thread>

namespace ration::redis {

class Questions::Worker {
public:
    Worker(core::StoreUrl const& url, TlsOptions const& tls, Duration command_timeout)
        : connection_{std::make_shared<Connection>(io_.get_executor(), true, url, tls, command_timeout)},
          command_timeout_{command_timeout},
          thread_{[this] { io_.run(); }}
    {}

    ~Worker()
    {
        connection_->close();
        connection_.reset();
        work_.reset();
        thread_.join();
    }
    Worker(Worker const&) = delete;
    Worker& operator=(Worker const&) = delete;

    std::vector<Reply> ask(std::vector<Question> questions)
    {
        std::vector<Reply> replies(questions.size());
        std::latch answered{static_cast<std::ptrdiff_t>(questions.size())};
        auto const deadline = std::chrono::steady_clock::now() + command_timeout_;
        for (std::size_t i = 0; i < questions.size(); ++i) {
            connection_->plain(std::move(questions[i]), deadline, [&, i](Reply reply) {
                replies[i] = std::move(reply);
                answered.count_down();
            });
        }
        answered.wait();
        return replies;
    }

private:
    boost::asio::io_context io_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
    std::shared_ptr<Connection> connection_;
    Duration const command_timeout_;
    std::thread thread_;
};

Questions::Questions(core::StoreUrl const& url, TlsOptions const& tls, Duration command_timeout)
{
    check_tls(url, tls);
    worker_ = std::make_unique<Worker>(url, tls, command_timeout);
}

Questions::~Questions() = default;

std::vector<Reply> Questions::ask(std::vector<Question> questions)
{
    return worker_->ask(std::move(questions));
}

Reply Questions::ask_one(Question question)
{
    std::vector<Question> questions;
    questions.push_back(std::move(question));
    return std::move(ask(std::move(questions)).front());
}

}  // namespace ration::redis
