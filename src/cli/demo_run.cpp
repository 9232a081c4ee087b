#include "cli/demo_run.hpp"

#include <semaphore>

namespace ration::cli {

namespace {

Time wall_now()
{
    return std::chrono::floor<Duration>(std::chrono::system_clock::now());
}

}  // namespace

DemoRun::DemoRun(DemoPlan const& plan, std::string const& store)
    : plan_{plan},
      clock_{std::make_shared<testing::ManualClock>(wall_now())},
      client_{store, {.clock = clock_}},
      limiter_{client_.rate_limiter("demo", {.algorithm = plan.algorithm})},
      begin_{clock_->now()}
{
    limiter_.set_rate(plan.rate);
}

DemoRun::~DemoRun()
{
    stop();
}

void DemoRun::start()
{
    threads_.reserve(static_cast<std::size_t>(plan_.workers));
    for (int worker = 1; worker <= plan_.workers; ++worker) {
        threads_.emplace_back([this, worker] { work(worker); });
    }
    {
        std::lock_guard const lock{mutex_};
        started_ = true;
    }
    changed_.notify_all();
    real_begin_ = std::chrono::steady_clock::now();
}

std::vector<DemoEvent> DemoRun::catch_up()
{
    {
        std::lock_guard const lock{clock_mutex_};
        auto const real = std::chrono::steady_clock::now() - real_begin_;
        clock_->advance(std::chrono::floor<Duration>(real) - elapsed());
    }
    std::lock_guard const lock{mutex_};
    if (failure_) std::rethrow_exception(failure_);
    return std::exchange(events_, {});
}

void DemoRun::stop()
{
    {
        std::lock_guard const lock{mutex_};
        stopped_ = true;
    }
    changed_.notify_all();
    client_.close();
    for (auto& thread : threads_) thread.join();
    threads_.clear();
}

void DemoRun::work(int worker)
{
    {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [this] { return started_ || stopped_; });
    }
    try {
        while (may_ask() && ask(worker) && pause()) {}
    } catch (Error const& error) {
        if (error.code() == Errc::client_closed) return;
        std::lock_guard const lock{mutex_};
        failure_ = std::current_exception();
    }
}

/// Takes one of the grants that are to be made.
bool DemoRun::may_ask()
{
    std::lock_guard const lock{mutex_};
    return !stopped_ && (!plan_.grants || asked_++ < *plan_.grants);
}

/// Until granted; false if the demo ends before that.
bool DemoRun::ask(int worker)
{
    bool granted = false;
    std::binary_semaphore answered{0};
    {
        std::lock_guard const lock{clock_mutex_};
        DemoEvent event{.worker = worker, .at = elapsed(), .decision = limiter_.try_acquire()};
        event.kind = event.decision ? DemoEvent::Kind::granted : DemoEvent::Kind::waiting;
        record(event);
        if (event.decision) return true;

        // The handler runs on the client's own thread, before the clock goes on.
        limiter_.async_acquire(
            [&, since = event.at](boost::system::error_code error, Decision const& decision) {
                granted = !error;
                if (granted)
                    record({DemoEvent::Kind::granted, worker, elapsed(), elapsed() - since, decision});
                answered.release();
            });
    }
    answered.acquire();
    return granted;
}

/// Does some work; false if the demo ends meanwhile.
bool DemoRun::pause()
{
    std::unique_lock lock{mutex_};
    return !changed_.wait_for(lock, DemoPlan::work_time, [this] { return stopped_; });
}

void DemoRun::record(DemoEvent const& event)
{
    std::lock_guard const lock{mutex_};
    events_.push_back(event);
}

}  // namespace ration::cli
