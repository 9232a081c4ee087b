#pragma once

#include <ration/clock.hpp>
#include <ration/delay_queue.hpp>
#include <ration/expiring_hash.hpp>
#include <ration/keyed_rate_limiter.hpp>
#include <ration/limiter_options.hpp>
#include <ration/rate_limiter.hpp>
#include <ration/tls_options.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ration {

namespace client {
class Context;
}

/// How a client behaves. Every member has a default.
struct ClientOptions {
    Duration command_timeout =
        std::chrono::milliseconds{250};   ///< for the store to answer, 1 ms to 1 h; not for "memory:"
    std::size_t max_waiters = 1'000'000;  ///< more than this many waiting at once: queue_full
    /// Empty: the client runs an I/O thread of its own. Else somebody else must run this one while calls block.
    boost::asio::any_io_executor executor{};
    std::shared_ptr<Clock> clock{};  ///< the embedded store's time; empty: the machine's clocks
    TlsOptions tls{};                ///< for rediss://
    /// Who this client is for limits of RateType::per_client, 1 to 128 bytes; empty: a new UUIDv4. Give one to a
    /// process that is to find its permits again when it is started anew. Two clients of one id share a limit.
    std::string client_id{};
    /// How long the client's own thread looks for an answer of the server before it sleeps until it comes, 0 to 10 ms. Waking up
    /// takes a third of the time of a call to a server nearby. Where answers take longer it hardly looks. Of no effect with
    /// an executor.
    Duration busy_wait = std::chrono::microseconds{100};
};

/// What a client has done so far. Clients that share a store by "memory:NAME" share `decisions` and `denials`.
struct Stats {
    struct Denials {
        std::uint64_t store = 0;
        std::uint64_t local_fallback = 0;
        std::uint64_t fail_closed = 0;
    };

    std::uint64_t calls = 0;         ///< store calls made for requests that had to queue
    std::uint64_t batches = 0;       ///< of these, with more than one request
    std::uint64_t decisions = 0;     ///< requests answered, granted or denied
    std::uint64_t waiters = 0;       ///< waiting right now
    Denials denials{};               ///< of `decisions`, by who denied
    std::uint64_t lost_answers = 0;  ///< calls whose answer never came
    std::uint64_t reconnects = 0;
};

/// One process's handle on a store, and where limiters come from.
///
///     ration::Client client{"memory:"};           // this client alone
///     ration::Client client{"memory:billing"};    // all clients of this process that say so share one store
///     ration::Client client{"redis://127.0.0.1:6379/0"};  // all clients of that server; rediss:// is TLS
///     ration::Client client{"unix:/run/redis/redis.sock"};
///
/// Making one never waits; it throws only for a bad URL or options. Safe to use from any thread. When it is
/// destroyed it closes; limiters that outlive it fail with client_closed.
class Client {
public:
    explicit Client(std::string_view url, ClientOptions options = {});
    ~Client();
    Client(Client&&) noexcept;
    Client& operator=(Client&&) noexcept;

    /// This client's identity, ClientOptions::client_id or a UUIDv4 in text: what RateType::per_client counts by.
    std::string const& id() const noexcept;

    /// The limiter of that name, 1 to 1024 bytes. Opening never talks to the store. Two of one name are one
    /// limiter: they share one queue and, but for the algorithm, must be opened with the same options.
    RateLimiter rate_limiter(std::string_view name, LimiterOptions const& options = {});

    /// One rate for each of many keys. Two of one name must be opened with the same options.
    KeyedRateLimiter keyed_rate_limiter(std::string_view name, KeyedOptions const& options);

    /// The hash of that name, 1 to 1024 bytes. Opening never talks to the store; from then on this client helps to remove
    /// what has expired. Two of one name must be opened with the same options.
    ExpiringHash expiring_hash(std::string_view name, HashOptions const& options = {});

    /// The delay queue of that name, 1 to 1024 bytes. Opening never talks to the store. Two of one name must be opened with
    /// the same options.
    DelayQueue delay_queue(std::string_view name, QueueOptions const& options = {});

    Stats stats() const;

    /// Ends all waiters with client_closed; so do all later calls. May be called more than once.
    void close();

    /// Where async operations complete whose handler names no executor of its own.
    boost::asio::any_io_executor get_executor() const;

private:
    std::shared_ptr<client::Context> context_;
};

}  // namespace ration
