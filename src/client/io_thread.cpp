#include "client/io_thread.hpp"

#include <chrono>
#include <future>

namespace ration::client {

IoThread::IoThread(Duration busy_wait) : loop_{std::make_shared<Loop>(busy_wait)} {}

void IoThread::Loop::run()
{
    while (look_for_answer() || io.run_one() > 0) io.poll();
}

/// Waking up costs more than the way to a server nearby.
bool IoThread::Loop::look_for_answer()
{
    using Steady = std::chrono::steady_clock;
    if (busy_wait == Duration{0} || *answers_due == 0 || !looking.pays()) return false;
    for (auto const end = Steady::now() + busy_wait; *answers_due > 0 && Steady::now() < end;) {
        if (io.poll() > 0) {
            looking.found_it();
            return true;
        }
        std::this_thread::yield();  // to those who want to use the last answer, or to the server
    }
    looking.was_in_vain();
    return false;
}

void IoThread::start()
{
    if (started_.load(std::memory_order_relaxed)) return;
    std::lock_guard const lock{mutex_};
    start_locked();
}

void IoThread::start_locked()
{
    if (thread_.joinable() || stopped_) return;
    started_ = true;
    thread_ = std::thread{[loop = loop_] { loop->run(); }};
}

bool IoThread::is_current() const noexcept
{
    return loop_->io.get_executor().running_in_this_thread();
}

void IoThread::stop()
{
    std::thread thread;
    {
        std::lock_guard const lock{mutex_};
        if (stopped_.exchange(true)) return;
        thread = std::move(thread_);
    }
    if (!thread.joinable()) return;
    // Twice, because what the thread itself posts comes into the queue only when its handler is over: the second
    // stands behind that too.
    boost::asio::post(loop_->io,
                      [loop = loop_.get()] { boost::asio::post(loop->io, [loop] { loop->io.stop(); }); });
    if (thread.get_id() == std::this_thread::get_id()) {
        thread.detach();
    } else {
        thread.join();
    }
}

void IoThread::drain()
{
    std::promise<void> reached;
    {
        std::lock_guard const lock{mutex_};
        if (!thread_.joinable()) return;
        boost::asio::post(loop_->io, [&reached] { reached.set_value(); });  // before any order to stop
    }
    reached.get_future().wait();
}

}  // namespace ration::client
