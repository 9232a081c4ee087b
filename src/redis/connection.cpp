#include "redis/connection.hpp"

#include "redis/listener.hpp"
#include "redis/session.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>

#include <utility>

namespace ration::redis {
namespace {

boost::asio::any_io_executor serial(boost::asio::any_io_executor const& executor, bool executor_is_ours)
{
    if (executor_is_ours) return executor;
    return boost::asio::make_strand(executor);
}

Failure closed_failure()
{
    return {Errc::client_closed, false, "the client is closed; make a new one"};
}

}  // namespace

Connection::Connection(boost::asio::any_io_executor const& executor, bool executor_is_ours,
                       core::StoreUrl const& url, TlsOptions tls, Duration command_timeout,
                       std::shared_ptr<std::size_t> answers_due)
    : executor_{serial(executor, executor_is_ours)},
      settings_{std::make_shared<Settings const>(Settings{
          url, std::move(tls), command_timeout, executor_is_ours, to_string(url), std::move(answers_due)})},
      session_{std::make_shared<std::weak_ptr<Session>>()}
{}

Connection::~Connection()
{
    close();
}

void Connection::run(Command command, Deadline deadline, Done done)
{
    // What comes from our own thread need not wait for the lock, which may be held by who has just woken it. (Once it is closed
    // that thread may be gone, and another have its id.)
    if (!is_closed_ && std::this_thread::get_id() == thread_.load(std::memory_order_relaxed)) {
        submit(std::move(command), deadline, std::move(done));
        return;
    }
    {
        std::lock_guard const lock{mutex_};  // so that nothing comes behind the order to close
        if (!is_closed_) {
            boost::asio::dispatch(executor_, [self = shared_from_this(), command = std::move(command),
                                              deadline, done = std::move(done)]() mutable {
                self->submit(std::move(command), deadline, std::move(done));
            });
            return;
        }
    }
    done(closed_failure());
}

void Connection::plain(std::vector<std::string> words, Deadline deadline, Done done)
{
    run({nullptr, {}, std::move(words)}, deadline, std::move(done));
}

void Connection::transaction(std::vector<std::vector<std::string>> steps, Deadline deadline, Done done)
{
    run({nullptr, {}, {}, std::move(steps)}, deadline, std::move(done));
}

bool Connection::call_soon(core::UniqueFunction<void()> function)
{
    std::lock_guard const lock{mutex_};  // so that nothing comes behind the order to close
    if (is_closed_) return false;
    boost::asio::post(executor_, std::move(function));
    return true;
}

void Connection::submit(Command command, Deadline deadline, Done done)
{
    if (settings_->executor_is_ours) thread_.store(std::this_thread::get_id(), std::memory_order_relaxed);
    if (is_closed_.load(std::memory_order_relaxed)) {
        boost::asio::post(executor_, [done = std::move(done)]() mutable { done(closed_failure()); });
        return;
    }
    auto session = session_->lock();
    if (!session || session->is_over()) {
        session = std::make_shared<Session>(executor_, settings_, counters_);
        *session_ = session;
    }
    session->submit(std::move(command), deadline, std::move(done));
}

/// Ends its part of the listener, on the connection's executor.
class Connection::Listening final : public core::Watch {
public:
    Listening(std::shared_ptr<Connection> connection, std::string channel, std::shared_ptr<Heard> heard)
        : connection_{std::move(connection)}, channel_{std::move(channel)}, heard_{std::move(heard)}
    {}
    ~Listening() override
    {
        boost::asio::post(connection_->executor_, [slot = connection_->listener_,
                                                   channel = std::move(channel_), heard = std::move(heard_)] {
            if (*slot) (*slot)->remove(channel, heard);
        });
    }

private:
    std::shared_ptr<Connection> connection_;
    std::string channel_;
    std::shared_ptr<Heard> heard_;
};

std::unique_ptr<core::Watch> Connection::listen(std::string channel, Heard heard)
{
    auto shared = std::make_shared<Heard>(std::move(heard));
    boost::asio::post(executor_, [weak = weak_from_this(), channel, shared] {
        auto const self = weak.lock();
        if (!self || self->is_closed_.load(std::memory_order_relaxed)) return;
        if (!*self->listener_) {
            *self->listener_ = std::make_shared<Listener>(self->executor_, self->settings_);
        }
        (*self->listener_)->add(channel, shared);
    });
    return std::make_unique<Listening>(shared_from_this(), std::move(channel), std::move(shared));
}

void Connection::close()
{
    std::lock_guard const lock{mutex_};
    if (is_closed_.exchange(true)) return;
    // Without this object, which may be in its destructor.
    boost::asio::post(executor_, [slot = session_, listener = listener_] {
        if (auto const session = slot->lock()) session->close();
        if (*listener) (*listener)->close();
        listener->reset();
    });
}

}  // namespace ration::redis
