#pragma once

// Where hashes are measured: the scene's own server, and for HashStrategy::native one that has it, if there is one.

#include "scene.hpp"

#include <ration/ration.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "redis/connection.hpp"

#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace ration::bench {

/// A server, and what it calls itself in the names of what is measured.
struct HashPlace {
    std::string version;
    std::uint16_t port;
    redis_test::RespClient& control;

    Client client() const;  ///< sleeps until an answer comes, as PlainClient does
    CommandStats stats(std::string const& command) const;
    void clear() const;
    double used_memory() const;
    double processor_time() const;  ///< of the thread that executes commands, in microseconds
};

/// How hashes are measured: each with its place and the place's own baselines.
struct HashKind {
    HashStrategy strategy;
    bool natively;

    std::string name() const { return std::string{to_string(strategy)}; }
};

/// If there is one. It stays on the processor that this thread is pinned to now.
void start_newer_server();

std::vector<HashKind> hash_kinds();
HashPlace place_of(Scene& scene, bool natively);

/// Plain commands by the client's own connection, one thread as a client has it.
class PlainClient {
public:
    explicit PlainClient(HashPlace const& place);
    ~PlainClient();
    PlainClient(PlainClient const&) = delete;
    PlainClient& operator=(PlainClient const&) = delete;

    void run(std::vector<std::string> words);  ///< waits for the answer
    void start(std::vector<std::string> words, std::function<void()> then);

private:
    boost::asio::io_context io_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
    std::shared_ptr<redis::Connection> connection_;
    std::thread thread_{[this] { io_.run(); }};
};

}  // namespace ration::bench
