#include "client/context.hpp"

#include "client/hash.hpp"
#include "client/keyed_limiter.hpp"
#include "client/limiter.hpp"
#include "client/queue.hpp"
#include "client/queue_driver.hpp"
#include "client/real_alarm.hpp"
#include "client/sentences.hpp"
#include "client/store_health.hpp"
#include "core/url.hpp"
#include "memory/memory_store.hpp"
#include "redis/redis_store.hpp"

#include <boost/asio/strand.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace ration::client {

namespace {

constexpr Duration longest_command_timeout = std::chrono::hours{1};
constexpr std::size_t longest_client_id = 128;
constexpr Duration longest_busy_wait = std::chrono::milliseconds{10};

std::shared_ptr<core::Store> open_store(std::string_view text, ClientOptions const& options,
                                        std::shared_ptr<Clock> clock, IoThread& io_thread)
{
    core::StoreUrl const url = core::parse_store_url(text);
    if (url.kind == core::StoreUrl::Kind::memory)
        return memory::MemoryStore::open(url.name, std::move(clock));
    if (options.clock) {
        throw Error{Errc::invalid_argument, "ClientOptions::clock is for \"memory:\" only; "
                                                + core::to_string(url) + " goes by the server's time"};
    }
    return redis::RedisStore::open(url,
                                   {
                                       .executor = options.executor ? options.executor : io_thread.executor(),
                                       .executor_is_ours = !options.executor,
                                       .tls = options.tls,
                                       .command_timeout = options.command_timeout,
                                       .answers_due = io_thread.answers_due(),
                                   });
}

ClientOptions checked(ClientOptions options)
{
    using namespace std::chrono_literals;
    if (options.command_timeout < 1ms || options.command_timeout > longest_command_timeout) {
        throw Error{Errc::invalid_argument, "ClientOptions::command_timeout is "
                                                + std::to_string(options.command_timeout.count())
                                                + " us; give 1 ms to 1 h"};
    }
    if (options.max_waiters == 0) {
        throw Error{Errc::invalid_argument,
                    "ClientOptions::max_waiters is 0, so nobody could ever wait; give at least 1"};
    }
    if (options.client_id.size() > longest_client_id) {
        throw Error{Errc::invalid_argument, "ClientOptions::client_id has "
                                                + std::to_string(options.client_id.size())
                                                + " bytes; 128 is the most"};
    }
    if (options.busy_wait < 0us || options.busy_wait > longest_busy_wait) {
        throw Error{Errc::invalid_argument, "ClientOptions::busy_wait is "
                                                + std::to_string(options.busy_wait.count())
                                                + " us; give 0 to 10 ms"};
    }
    return options;
}

template <class Executor>
bool runs_here(boost::asio::any_io_executor const& executor)
{
    auto const* target = executor.target<Executor>();
    return target && target->running_in_this_thread();
}

}  // namespace

Context::Context(std::string_view url, ClientOptions options)
    : options_{client::checked(std::move(options))},
      clock_{options_.clock ? options_.clock : system_clock()},
      id_{options_.client_id.empty() ? to_string(boost::uuids::random_generator{}()) : options_.client_id},
      store_{open_store(url, options_, clock_, io_thread_)},
      health_{std::make_shared<StoreHealth>(store_, clock_)}
{}

Context::~Context() = default;

// ---- limiters ----

std::shared_ptr<Limiter> Context::limiter(std::string_view name, LimiterOptions const& options)
{
    auto const who = describe_limiter(name);
    if (auto const problem = check_name(name)) throw make_error(who, *problem);
    if (auto const problem = check_options(options)) throw make_error(who, *problem);
    start_io_for_store();
    LimiterOptions shared = options;
    shared.algorithm.reset();  // each handle has its own
    return limiters_.open(name, shared, who, [&](std::string key) {
        return std::make_shared<Limiter>(shared_from_this(), std::move(key), shared);
    });
}

std::shared_ptr<KeyedLimiter> Context::keyed_limiter(std::string_view name, KeyedOptions const& options)
{
    auto const who = describe_keyed_limiter(name);
    if (auto const problem = check_name(name)) throw make_error(who, *problem);
    if (auto const problem = check_options(options)) throw make_error(who, *problem);
    start_io_for_store();
    return keyed_limiters_.open(name, options, who, [&](std::string key) {
        return std::make_shared<KeyedLimiter>(shared_from_this(), std::move(key), options);
    });
}

// ---- hashes and delay queues ----

std::shared_ptr<Hash> Context::hash(std::string_view name, HashOptions const& options)
{
    auto const who = describe_hash(name);
    if (auto const problem = check_name(name)) throw make_error(who, *problem);
    if (auto const problem = check_options(options)) throw make_error(who, *problem);
    start_io_for_store();
    return hashes_.open(name, options, who, [&](std::string key) {
        return Hash::open(shared_from_this(), std::move(key), options);
    });
}

std::shared_ptr<Queue> Context::queue(std::string_view name, QueueOptions const& options)
{
    auto const who = describe_queue(name);
    if (auto const problem = check_name(name)) throw make_error(who, *problem);
    if (auto const problem = check_options(options)) throw make_error(who, *problem);
    start_io_for_store();
    return queues_.open(name, options, who, [&](std::string key) {
        return std::make_shared<Queue>(shared_from_this(), std::move(key), options);
    });
}

// ---- queues ----

void Context::enroll(QueueDriver& driver)
{
    std::lock_guard const lock{drivers_mutex_};
    driver.next_ = first_driver_;
    if (first_driver_) first_driver_->previous_ = &driver;
    first_driver_ = &driver;
}

void Context::leave(QueueDriver& driver, QueueCounts const& counts)
{
    std::lock_guard const lock{drivers_mutex_};
    (driver.previous_ ? driver.previous_->next_ : first_driver_) = driver.next_;
    if (driver.next_) driver.next_->previous_ = driver.previous_;
    past_ += counts;
}

std::vector<std::shared_ptr<QueueDriver>> Context::drivers() const
{
    std::vector<std::shared_ptr<QueueDriver>> all;
    std::lock_guard const lock{drivers_mutex_};
    for (QueueDriver* one = first_driver_; one; one = one->next_) {
        // Nothing, if it is on its way here to leave.
        if (auto driver = one->weak_from_this().lock()) all.push_back(std::move(driver));
    }
    return all;
}

bool Context::admit_waiter() noexcept
{
    if (admitted_.fetch_add(1, std::memory_order_relaxed) < options_.max_waiters) return true;
    dismiss_waiter();
    return false;
}

void QueueCounts::add(Decision const& decision) noexcept
{
    if (decision.granted) {
        ++granted;
    } else if (decision.basis == Basis::local_fallback) {
        ++denied.local_fallback;
    } else if (decision.basis == Basis::fail_closed) {
        ++denied.fail_closed;
    } else {
        ++denied.store;
    }
}

QueueCounts& QueueCounts::operator+=(QueueCounts const& other) noexcept
{
    calls += other.calls;
    batches += other.batches;
    granted += other.granted;
    denied.store += other.denied.store;
    denied.local_fallback += other.denied.local_fallback;
    denied.fail_closed += other.denied.fail_closed;
    return *this;
}

Stats Context::stats() const
{
    QueueCounts sum;
    auto const all = drivers();
    {
        std::lock_guard const lock{drivers_mutex_};
        sum = past_;
    }
    for (auto const& driver : all) sum += driver->counts();
    auto const inline_counts = store_->counts();
    Stats stats;
    stats.calls = sum.calls + inline_counts.shared_calls;
    stats.batches = sum.batches + inline_counts.shared_batches;
    stats.denials = sum.denied;
    stats.denials.store += inline_counts.denied;
    stats.decisions = sum.granted + inline_counts.granted + stats.denials.store + stats.denials.local_fallback
                      + stats.denials.fail_closed;
    stats.waiters = waiting_.load();
    stats.lost_answers = inline_counts.lost_answers;
    stats.reconnects = inline_counts.reconnects;
    return stats;
}

// ---- the end ----

void Context::close()
{
    closed_.store(true, std::memory_order_relaxed);
    for (auto const& driver : drivers()) driver->close();
    for (auto const& hash : hashes_.all()) hash->close();
    for (auto const& queue : queues_.all()) queue->close();
    store_->close();
}

void Context::shut_down()
{
    close();
    io_thread_.stop();
}

// ---- time and threads ----

boost::asio::any_io_executor Context::executor() const
{
    if (options_.executor) return options_.executor;
    // A limiter that outlives its client still has to tell its callers so, on some thread.
    if (io_thread_.stopped()) return boost::asio::system_executor{};
    io_thread_
        .start();  // whoever gets it may have work of his own for it, e.g. the timer of asio::cancel_after
    return io_thread_.executor();
}

bool Context::on_io_thread() const
{
    if (owns_io_thread()) return io_thread_.is_current();
    using boost::asio::any_io_executor;
    using boost::asio::io_context;
    using boost::asio::strand;
    using boost::asio::thread_pool;
    namespace execution = boost::asio::execution;
    // Without the properties that make another type of the same executor.
    any_io_executor const executor =
        boost::asio::prefer(options_.executor, execution::blocking.possibly,
                            execution::outstanding_work.untracked, execution::relationship.fork);
    return runs_here<io_context::executor_type>(executor) || runs_here<thread_pool::executor_type>(executor)
           || runs_here<strand<io_context::executor_type>>(executor)
           || runs_here<strand<thread_pool::executor_type>>(executor)
           || runs_here<strand<any_io_executor>>(executor);
}

core::Outcome Context::nobody_runs_it() const
{
    return {Errc::would_deadlock,
            {},
            std::make_shared<std::string const>("this blocking call waits for ClientOptions::executor, but "
                                                "nobody runs that; run it on another thread, or "
                                                "use the async_ call")};
}

std::unique_ptr<Alarm> Context::make_alarm(std::function<void()> ring)
{
    auto manual = clock_->make_alarm([weak = weak_from_this(), ring] {
        ring();
        if (auto const self = weak.lock()) self->settle();
    });
    if (manual) return manual;
    start_io();
    return std::make_unique<RealAlarm>(executor(), *clock_, std::move(ring));
}

/// True for our thread's executor, and for the system's, which is content with any thread: a future's handler has
/// that one, and its future is to be ready when settle returns.
bool Context::belongs_to_our_thread(boost::asio::any_io_executor const& executor) const
{
    namespace execution = boost::asio::execution;
    if (!owns_io_thread()) return false;
    if (executor == io_thread_.executor()) return true;
    return &boost::asio::query(executor, execution::context)
           == &boost::asio::query(boost::asio::system_executor{}, execution::context);
}

/// For a clock moved by hand: lets the handlers of whoever was just served run, and those they cause.
void Context::settle()
{
    if (!owns_io_thread() || io_thread_.is_current()) return;
    do io_thread_.drain();
    while (tickets_.use_count() > 1 && !io_thread_.stopped());
}

}  // namespace ration::client
