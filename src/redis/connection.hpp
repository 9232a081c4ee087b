#pragma once

#include "core/hash_store.hpp"
#include "redis/heard.hpp"
#include "redis/pending.hpp"
#include "redis/settings.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ration::redis {

class Listener;
class Session;

/// One connection to a Redis server: connects with the first command, reconnects by itself, and answers every
/// command exactly once, at its deadline at the latest. Safe to use from any thread.
///
/// Nothing is sent again that may have been executed:
///
///     store_unavailable   nothing was sent, or the server refused it; nothing was taken
///     outcome_unknown     sent, and the answer did not come in time or the connection was lost
///     client_closed       close() came first; sent or not
///
/// `done` is called on the connection's executor and never inside the call, unless it is closed already. Must be gone, or closed and let
/// go, before an io_context of the user's is destroyed.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    /// Does nothing yet; the first command starts it. An executor of ours has one thread, and the connection
    /// stays. A user's may have many, and must be able to run out of work: there it ends when it has been
    /// idle for a second. `answers_due` says on the executor how many commands are with the server.
    Connection(boost::asio::any_io_executor const& executor, bool executor_is_ours, core::StoreUrl const& url,
               TlsOptions tls, Duration command_timeout,
               std::shared_ptr<std::size_t> answers_due = std::make_shared<std::size_t>(0));
    ~Connection();
    Connection(Connection const&) = delete;
    Connection& operator=(Connection const&) = delete;

    /// Calls a script: by its name, and if the server does not know it, with its text.
    void run(Command command, Deadline deadline, Done done);

    /// Sends an ordinary command such as {"EXISTS", "key"}. Requires: at least one word.
    void plain(std::vector<std::string> words, Deadline deadline, Done done);

    /// Sends ordinary commands that are executed as one step. The reply is what MULTI says, "QUEUED" for each, and what each says,
    /// spliced. Requires: at least one command of at least one word each.
    void transaction(std::vector<std::vector<std::string>> steps, Deadline deadline, Done done);

    /// Calls `function` behind all that waits on the connection's executor already. Says whether it will: not if it is closed.
    bool call_soon(core::UniqueFunction<void()> function);

    /// Listens to a channel until the watch is destroyed. Calls `heard` for each message, and also whenever one may have
    /// been missed: once it listens, and again after the connection was lost. Never inside the call. An error says that this
    /// user may not listen there. Uses a connection of its own, one for all channels.
    std::unique_ptr<core::Watch> listen(std::string channel, Heard heard);

    /// Ends every command with client_closed, at once, and later ones too. May be called more than once.
    void close();

    std::uint64_t reconnects() const { return counters_->reconnects.load(std::memory_order_relaxed); }
    std::uint64_t lost_answers() const { return counters_->lost_answers.load(std::memory_order_relaxed); }
    Counters& counters() const { return *counters_; }

private:
    class Listening;
    void submit(Command command, Deadline deadline, Done done);

    boost::asio::any_io_executor const executor_;
    std::shared_ptr<Settings const> const settings_;
    std::shared_ptr<Counters> const counters_ = std::make_shared<Counters>();
    std::shared_ptr<std::weak_ptr<Session>> const
        session_;  // touched on the executor only; shared with close()
    std::shared_ptr<std::shared_ptr<Listener>> const listener_ =
        std::make_shared<std::shared_ptr<Listener>>();  // likewise
    std::mutex mutex_;
    std::atomic<bool> is_closed_{false};
    std::atomic<std::thread::id> thread_{};  // that of an executor of ours, once it has run
};

}  // namespace ration::redis
