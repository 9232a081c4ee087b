#include "cli/bench_run.hpp"

#include "cli/store.hpp"

#include <boost/asio/post.hpp>

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

constexpr Duration look_every = 20ms;

/// Which key the next request of a caller is for.
class KeyChoice {
public:
    KeyChoice(BenchPlan const& plan, int caller)
        : keys_{static_cast<std::uint64_t>(std::max(plan.keys, 1))},
          hot_{plan.hot},
          next_{static_cast<std::uint64_t>(caller) * 7919}
    {}

    std::size_t next()
    {
        ++next_;
        if (hot_ && next_ % 10 != 0) return 0;
        return next_ % keys_;
    }

private:
    std::uint64_t keys_;
    bool hot_;
    std::uint64_t next_;
};

/// The limiter that is asked, whichever it is, under a name that nobody else has.
class Target {
public:
    Target(Client& client, BenchPlan const& plan) : name_{"ration-bench:" + client.id()}
    {
        if (plan.keys > 0) {
            keyed_.emplace(
                client.keyed_rate_limiter(name_, {.rate = plan.rate, .algorithm = plan.algorithm}));
            for (int i = 0; i < plan.keys; ++i) keys_.push_back(std::to_string(i));
        } else {
            limiter_.emplace(client.rate_limiter(name_, {.algorithm = plan.algorithm}));
            // Should this process be killed, it goes by itself.
            limiter_->set_rate(plan.rate, {.keep_alive = std::max<Duration>(plan.rate.interval(), 1min)});
        }
    }

    ~Target()
    {
        try {
            if (limiter_) limiter_->remove();
        } catch (Error const&) {
            // The store is gone, or will forget it by itself.
        }
    }
    Target(Target const&) = delete;
    Target& operator=(Target const&) = delete;

    Decision try_acquire(std::size_t key, Permits n)
    {
        return limiter_ ? limiter_->try_acquire(n) : keyed_->try_acquire(keys_[key], n);
    }

    template <class Handler>
    void async_try_acquire(std::size_t key, Permits n, Handler handler)
    {
        if (limiter_) {
            limiter_->async_try_acquire(n, std::move(handler));
        } else {
            keyed_->async_try_acquire(keys_[key], n, std::move(handler));
        }
    }

private:
    std::string name_;
    std::optional<RateLimiter> limiter_;
    std::optional<KeyedRateLimiter> keyed_;
    std::vector<std::string> keys_;
};

/// What all callers share.
struct Load {
    BenchPlan const& plan;
    Target& target;
    std::atomic<bool> over{false};
    std::atomic<std::uint64_t> decided{0};  ///< for the progress line; now and then
};

/// Counts what one caller was told.
class Tally {
public:
    explicit Tally(Load& load) : load_{load} {}

    void told(Steady::time_point asked, bool granted)
    {
        result.latency.add(Steady::now() - asked);
        ++(granted ? result.granted : result.denied);
        constexpr std::uint64_t now_and_then = 64;
        if (result.decisions() % now_and_then == 0)
            load_.decided.fetch_add(now_and_then, std::memory_order_relaxed);
    }

    void failed(std::string const& why)
    {
        if (result.failed++ == 0) result.first_failure = why;
    }

    BenchResult result;

private:
    Load& load_;
};

/// Waits for the end, or for an interruption.
Duration wait_for_end(Load& load, Steady::time_point begin, std::function<bool()> const& interrupted,
                      std::function<void(Duration, std::uint64_t)> const& progress)
{
    auto const elapsed = [&] { return std::chrono::floor<Duration>(Steady::now() - begin); };
    while (elapsed() < load.plan.length && !interrupted()) {
        std::this_thread::sleep_for(std::min(look_every, load.plan.length - elapsed()));
        progress(elapsed(), load.decided.load(std::memory_order_relaxed));
    }
    load.over = true;
    return elapsed();
}

// ---- threads ----

BenchResult run_threads(Load& load, std::function<bool()> const& interrupted,
                        std::function<void(Duration, std::uint64_t)> const& progress)
{
    auto const callers = static_cast<std::size_t>(load.plan.callers);
    std::vector<std::unique_ptr<Tally>> tallies;
    std::vector<std::thread> threads;
    std::latch ready{static_cast<std::ptrdiff_t>(callers) + 1};
    for (std::size_t i = 0; i < callers; ++i) {
        auto& tally = *tallies.emplace_back(std::make_unique<Tally>(load));
        threads.emplace_back([&load, &tally, &ready, i] {
            KeyChoice choice{load.plan, static_cast<int>(i)};
            ready.arrive_and_wait();
            while (!load.over.load(std::memory_order_relaxed)) {
                auto const asked = Steady::now();
                tally.told(asked, load.target.try_acquire(choice.next(), load.plan.permits).granted);
            }
        });
    }
    ready.arrive_and_wait();
    BenchResult result;
    result.elapsed = wait_for_end(load, Steady::now(), interrupted, progress);
    for (auto& thread : threads) thread.join();
    for (auto const& tally : tallies) result.add(tally->result);
    return result;
}

// ---- callers on one client ----

/// Asks again as soon as it is answered. All of them live on the client's one thread.
class AsyncCaller {
public:
    AsyncCaller(Load& load, Tally& tally, int number, std::latch& ended)
        : load_{load}, tally_{tally}, choice_{load.plan, number}, ended_{ended}
    {}

    void ask()
    {
        if (load_.over.load(std::memory_order_relaxed)) {
            ended_.count_down();
            return;
        }
        load_.target.async_try_acquire(
            choice_.next(), load_.plan.permits,
            [this, asked = Steady::now()](boost::system::error_code const& error, Decision const& decision) {
                if (error) {
                    tally_.failed(error.message());
                } else {
                    tally_.told(asked, decision.granted);
                }
                ask();
            });
    }

private:
    Load& load_;
    Tally& tally_;
    KeyChoice choice_;
    std::latch& ended_;
};

BenchResult run_async(Load& load, Client& client, std::function<bool()> const& interrupted,
                      std::function<void(Duration, std::uint64_t)> const& progress)
{
    Tally tally{load};
    std::latch ended{load.plan.callers};
    std::vector<std::unique_ptr<AsyncCaller>> callers;
    callers.reserve(static_cast<std::size_t>(load.plan.callers));
    for (int i = 0; i < load.plan.callers; ++i)
        callers.push_back(std::make_unique<AsyncCaller>(load, tally, i, ended));
    auto const begin = Steady::now();
    for (auto const& caller : callers) {
        // On the client's thread, where all their answers come.
        boost::asio::post(client.get_executor(), [&caller] { caller->ask(); });
    }
    auto const elapsed = wait_for_end(load, begin, interrupted, progress);
    ended.wait();
    tally.result.elapsed = elapsed;
    return tally.result;
}

}  // namespace

void BenchResult::add(BenchResult const& other)
{
    granted += other.granted;
    denied += other.denied;
    if (failed == 0) first_failure = other.first_failure;
    failed += other.failed;
    latency.add(other.latency);
}

BenchResult run_bench(BenchPlan const& plan, GlobalOptions const& global,
                      std::function<bool()> const& interrupted,
                      std::function<void(Duration, std::uint64_t)> const& progress)
{
    auto client = open_client(global);
    Target target{client, plan};
    static_cast<void>(target.try_acquire(0, plan.permits));  // connects, and throws what every call would
    auto const before = client.stats().calls;
    Load load{.plan = plan, .target = target};
    auto result = plan.on_server ? run_async(load, client, interrupted, progress)
                                 : run_threads(load, interrupted, progress);
    result.calls = client.stats().calls - before;
    return result;
}

}  // namespace ration::cli
