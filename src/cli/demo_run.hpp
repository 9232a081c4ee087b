#pragma once

#include "cli/demo_state.hpp"

#include <ration/client.hpp>
#include <ration/testing/manual_clock.hpp>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ration::cli {

/// Worker threads that share one limiter. Each asks for a permit, works for a moment, and asks again.
///
/// A thread learns of its grant a little after it was made, now more, now less: moments taken by the workers
/// would be too inexact to check a limit with. So the limiter runs on a clock that follows real time in small
/// steps and stands still while grants are made and written down. The moments in the events are exact.
class DemoRun {
public:
    DemoRun(DemoPlan const& plan, std::string const& store);
    ~DemoRun();
    DemoRun(DemoRun const&) = delete;
    DemoRun& operator=(DemoRun const&) = delete;

    LimiterConfig config() const { return limiter_.config(); }

    void start();

    /// Lets the limiter's clock catch up with real time. Returns what happened since the last call; throws
    /// what a worker threw.
    std::vector<DemoEvent> catch_up();

    /// Since the start, on the limiter's clock.
    Duration elapsed() const { return clock_->now() - begin_; }

    /// Ends all waiting and all workers.
    void stop();

private:
    void work(int worker);
    bool may_ask();
    bool ask(int worker);
    bool pause();
    void record(DemoEvent const& event);

    DemoPlan const plan_;
    std::shared_ptr<testing::ManualClock> const clock_;
    Client client_;
    RateLimiter limiter_;
    Time const begin_;
    std::chrono::steady_clock::time_point real_begin_{};

    std::mutex clock_mutex_;  // held: the clock stands still
    std::mutex mutex_;        // guards all below
    std::condition_variable changed_;
    bool started_ = false;
    bool stopped_ = false;
    Permits asked_ = 0;
    std::vector<DemoEvent> events_;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

}  // namespace ration::cli
