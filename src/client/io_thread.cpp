#include "client/io_thread.hpp"

#include <future>

namespace ration::client {

IoThread::IoThread() : loop_{std::make_shared<Loop>()} {}

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
    thread_ = std::thread{[loop = loop_] { loop->io.run(); }};
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
