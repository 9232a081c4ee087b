#pragma once

#include "processors.hpp"

#include <ration/ration.hpp>

#include <boost/asio/post.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace ration::bench {

/// So many callers in one process, each of which asks again as soon as it was answered.
///
/// `ask(handler)` starts one request. Handlers run on the client's own I/O thread.
template <class Ask>
class Crowd {
public:
    Crowd(Client& client, std::size_t callers, Ask ask) : ask_{std::move(ask)}, present_{callers}
    {
        boost::asio::post(client.get_executor(), [this, callers] {
            for (std::size_t i = 0; i < callers; ++i) ask_(Next{this});
        });
    }

    Crowd(Crowd const&) = delete;
    Crowd& operator=(Crowd const&) = delete;

    ~Crowd()
    {
        is_over_ = true;
        for (auto present = present_.load(); present > 0; present = present_.load()) present_.wait(present);
    }

    struct Pace {
        double decisions_per_second;
        double client_nanoseconds;  ///< on the processor, for each decision
    };

    /// Throws if one of them was refused or failed.
    Pace watch(std::chrono::milliseconds span)
    {
        using Clock = std::chrono::steady_clock;
        std::this_thread::sleep_for(span / 5);  // until it is connected, and all are under way
        auto const begin = Clock::now();
        auto const busy_before = processor_seconds();
        auto const before = granted();
        std::this_thread::sleep_for(span);
        auto const count = static_cast<double>(granted() - before);
        auto const busy = processor_seconds() - busy_before;
        std::chrono::duration<double> const elapsed = Clock::now() - begin;
        if (has_failed_) throw std::runtime_error{"a call was not granted: " + failure_.message()};
        return {count / elapsed.count(), busy * 1e9 / count};
    }

    std::uint64_t granted() const { return granted_.load(std::memory_order_relaxed); }

private:
    struct Next {
        Crowd* crowd;

        void operator()(boost::system::error_code error, Decision const& decision) const
        {
            if (error || !decision.granted) {
                crowd->failure_ = error;
                crowd->has_failed_ = true;
            }
            // One thread writes: no need for the dearer fetch_add.
            auto& granted = crowd->granted_;
            granted.store(granted.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            if (!crowd->is_over_.load(std::memory_order_relaxed) && !crowd->has_failed_) {
                crowd->ask_(*this);
            } else if (crowd->present_.fetch_sub(1) == 1) {
                crowd->present_.notify_one();
            }
        }
    };

    Ask ask_;
    std::atomic<std::size_t> present_;
    std::atomic<std::uint64_t> granted_{0};
    std::atomic<bool> is_over_{false};
    std::atomic<bool> has_failed_{false};
    boost::system::error_code failure_;  // set before has_failed_
};

}  // namespace ration::bench
