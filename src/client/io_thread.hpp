#pragma once

#include "client/looking.hpp"

#include <ration/types.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/system_executor.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>

namespace ration::client {

/// The thread on which a client's timers fire and its handlers run, unless the user gave an executor.
/// It starts with the first use: a client that only decides inline never has one.
class IoThread {
public:
    /// `busy_wait`: how long it looks for an answer that is due before it goes to sleep.
    explicit IoThread(Duration busy_wait);

    boost::asio::any_io_executor const& executor() const noexcept { return executor_; }
    /// How many answers are due. To be kept by the store, on the thread.
    std::shared_ptr<std::size_t> const& answers_due() const noexcept { return loop_->answers_due; }
    void start();

    /// Runs `function` on the thread, or on one of the system's if this one has been stopped: a handler that comes
    /// too late has to run all the same.
    template <class Function>
    void post(Function function)
    {
        std::lock_guard const lock{mutex_};  // so that nothing comes behind the order to stop
        if (stopped_) {
            boost::asio::post(boost::asio::system_executor{}, std::move(function));
        } else {
            start_locked();
            boost::asio::post(loop_->io, std::move(function));
        }
    }

    bool is_current() const noexcept;
    bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

    /// Lets what was posted before run, then ends the thread and waits for it. Safe on the thread itself, which
    /// then ends soon after.
    void stop();

    /// Returns when everything posted before has run. Requires: not on the thread itself.
    void drain();

private:
    void start_locked();

    struct Loop {
        boost::asio::io_context io{1};
        boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{io.get_executor()};
        Duration const busy_wait;
        std::shared_ptr<std::size_t> const answers_due = std::make_shared<std::size_t>(0);
        Looking looking;

        explicit Loop(Duration wait) : busy_wait{wait} {}
        void run();
        bool look_for_answer();
    };

    std::shared_ptr<Loop> loop_;  // shared with the thread, which may outlive this object when it destroys it
    boost::asio::any_io_executor const executor_{loop_->io.get_executor()};
    mutable std::mutex mutex_;
    std::thread thread_;
    std::atomic<bool> started_{false};
    std::atomic<bool> stopped_{false};
};

}  // namespace ration::client
