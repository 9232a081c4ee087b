#pragma once

#include "client/io_thread.hpp"
#include "client/registry.hpp"
#include "core/store.hpp"

#include <ration/client.hpp>
#include <ration/detail/initiate.hpp>

#include <boost/asio/post.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ration::client {

class Hash;
class KeyedLimiter;
class Limiter;
class Queue;
class QueueDriver;
class StoreHealth;

/// What went through request queues.
struct QueueCounts {
    std::uint64_t calls = 0;
    std::uint64_t batches = 0;
    std::uint64_t granted = 0;
    Stats::Denials denied{};

    void add(Decision const& decision) noexcept;
    QueueCounts& operator+=(QueueCounts const& other) noexcept;
};

/// How a handler gets to run.
enum class Handlers : std::uint8_t {
    post,     ///< later: this may be inside the call that started its operation
    run_here  ///< at once, if this is the thread it belongs to and no other is on its way there
};

/// What all limiters of one client share: identity, store, time, executor, and the order to close.
class Context : public std::enable_shared_from_this<Context> {
public:
    Context(std::string_view url, ClientOptions options);
    ~Context();

    std::string const& id() const noexcept { return id_; }
    core::Store& store() const noexcept { return *store_; }
    Clock const& clock() const noexcept { return *clock_; }
    std::shared_ptr<Clock> const& shared_clock() const noexcept { return clock_; }
    std::shared_ptr<StoreHealth> const& health() const noexcept { return health_; }

    std::shared_ptr<Limiter> limiter(std::string_view name, LimiterOptions const& options);
    std::shared_ptr<KeyedLimiter> keyed_limiter(std::string_view name, KeyedOptions const& options);
    void forget_limiter(std::string const& name) { limiters_.forget(name); }
    void forget_keyed_limiter(std::string const& name) { keyed_limiters_.forget(name); }
    std::shared_ptr<Hash> hash(std::string_view name, HashOptions const& options);
    std::shared_ptr<Queue> queue(std::string_view name, QueueOptions const& options);
    void forget_hash(std::string const& name) { hashes_.forget(name); }
    void forget_queue(std::string const& name) { queues_.forget(name); }

    Stats stats() const;

    // ---- the end ----

    bool closed() const noexcept { return closed_.load(std::memory_order_relaxed); }
    void close();
    void shut_down();  ///< closes and ends the I/O thread

    // ---- waiters ----

    /// False: max_waiters are waiting already.
    bool admit_waiter() noexcept;
    void dismiss_waiter() noexcept { admitted_.fetch_sub(1, std::memory_order_relaxed); }

    /// What stats() shows. A queue tells once it has come to rest, so that whoever is counted has his place, and his
    /// alarm is set.
    void count_waiting(std::size_t before, std::size_t now) noexcept { waiting_.fetch_add(now - before); }

    /// Drivers register so that close() finds them and their counts are not lost with them.
    void enroll(QueueDriver& driver);
    void leave(QueueDriver& driver, QueueCounts const& counts);

    // ---- time and threads ----

    boost::asio::any_io_executor executor() const;

    /// A blocking wait on this thread would never end.
    bool on_io_thread() const;
    bool owns_io_thread() const noexcept { return !options_.executor; }

    /// The store's answer needs this very thread.
    bool would_deadlock() const { return !store_->replies_inside() && on_io_thread(); }

    /// Waits for what the store answers. False if it never can: the executor is the user's, and nobody runs it.
    template <class Waiting>
    bool await(Waiting& waiting) const
    {
        if (owns_io_thread() || store_->replies_inside()) {
            waiting.wait();
            return true;
        }
        for (;;) {
            auto const pulse = std::make_shared<std::atomic<bool>>(false);
            boost::asio::post(options_.executor, [pulse] { pulse->store(true); });
            if (waiting.wait_for(longest_silence())) return true;
            if (!pulse->load()) return false;
        }
    }
    core::Outcome nobody_runs_it() const;

    /// Calls `ring` at the moment it is set to. `ring` must hold only weak references.
    std::unique_ptr<Alarm> make_alarm(std::function<void()> ring);

    /// Whether this is our thread and no other handler is on its way to it, which would have to run before.
    bool may_run_handlers_here() const { return tickets_.use_count() == 1 && io_thread_.is_current(); }

    /// Completes an operation, in the order of these calls and never inside the one that started it.
    template <class T, class... Values>
    void post(detail::Handler<T> handler, boost::system::error_code error, Values... values)
    {
        bool const ours = belongs_to_our_thread(handler.executor);
        // Does not own the context: an io_context must not own itself by way of a handler that never runs.
        auto run = [ticket = ours ? tickets_ : nullptr, function = std::move(handler.function), error,
                    ... values = std::move(values)]() mutable {
            ticket.reset();
            std::move(function)(error, std::move(values)...);
        };
        if (ours) {
            io_thread_.post(std::move(run));
        } else {
            boost::asio::post(handler.executor, std::move(run));
        }
    }

    bool belongs_to_our_thread(boost::asio::any_io_executor const& executor) const;

    void start_io()
    {
        if (owns_io_thread()) io_thread_.start();
    }

private:
    std::vector<std::shared_ptr<QueueDriver>> drivers() const;
    Duration longest_silence() const noexcept
    {
        return 2 * options_.command_timeout + std::chrono::seconds{1};
    }
    void start_io_for_store()
    {
        if (!store_->replies_inside()) start_io();
    }
    void settle();

    ClientOptions const options_;
    std::shared_ptr<Clock> const clock_;
    std::string const id_;
    IoThread mutable io_thread_{options_.busy_wait};
    std::shared_ptr<core::Store> const store_;
    std::shared_ptr<StoreHealth> const health_;
    std::atomic<bool> closed_{false};
    std::atomic<std::size_t> admitted_{0};
    std::atomic<std::size_t> waiting_{0};
    std::shared_ptr<int> const tickets_ =
        std::make_shared<int>();  // held by each handler on its way to our thread

    Registry<Limiter, LimiterOptions> limiters_;
    Registry<KeyedLimiter, KeyedOptions> keyed_limiters_;
    Registry<Hash, HashOptions> hashes_;
    Registry<Queue, QueueOptions> queues_;

    std::mutex mutable drivers_mutex_;
    QueueDriver* first_driver_ = nullptr;  // of a list: keyed limiters come and go by the hundred thousand
    QueueCounts past_;                     // of drivers that are gone
};

}  // namespace ration::client
