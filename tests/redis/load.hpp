#pragma once

// Threads that use one limiter in all ways at once, and keep the books.

#include "redis/claims.hpp"

#include <ration/ration.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace ration::redis_test {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

/// What the threads were told, in permits where nothing else is said.
struct Tally {
    Permits granted = 0;
    Permits released = 0;
    Permits unknown = 0;      ///< outcome_unknown: perhaps granted
    Permits unavailable = 0;  ///< store_unavailable
    std::int64_t denials = 0;
    std::int64_t cancels = 0;
    std::string surprise = {};  ///< the first error of any other kind
    std::vector<Claim> claims = {};

    Tally& operator+=(Tally const& other)
    {
        granted += other.granted;
        released += other.released;
        unknown += other.unknown;
        unavailable += other.unavailable;
        denials += other.denials;
        cancels += other.cancels;
        if (surprise.empty()) surprise = other.surprise;
        claims.insert(claims.end(), other.claims.begin(), other.claims.end());
        return *this;
    }
};

struct LoadOptions {
    int threads = 8;
    bool with_releases = false;
    std::uint32_t seed = 1;
};

/// Eight threads or so that take 1 to 5 permits at a time until told to end.
class Load {
public:
    Load(RateLimiter limiter, LoadOptions options) : limiter_{std::move(limiter)}, options_{options}
    {
        auto const count = static_cast<std::size_t>(options_.threads);
        stops_.resize(count);
        for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this, i] { take_permits(i); });
        canceller_ = std::thread{[this] { cancel_now_and_then(); }};
    }

    ~Load() { finish(); }
    Load(Load const&) = delete;
    Load& operator=(Load const&) = delete;

    /// Returns when every thread has ended, which none does before its last request is answered.
    Tally finish()
    {
        ending_ = true;
        for (auto& thread : threads_) thread.join();
        threads_.clear();
        if (canceller_.joinable()) canceller_.join();
        return tally_;
    }

private:
    void take_permits(std::size_t thread)
    {
        std::minstd_rand random{options_.seed * 1000 + static_cast<std::uint32_t>(thread)};
        auto const pick = [&](int from, int to) { return std::uniform_int_distribution{from, to}(random); };
        Tally mine;
        while (!ending_) {
            Permits const n = pick(1, 5);
            auto const before = SteadyClock::now();
            try {
                if (!take(n, pick(0, 4), pick(0, 40) * 1ms, new_stop(thread))) {
                    ++mine.denials;
                    continue;
                }
                mine.granted += n;
                mine.claims.push_back({before, SteadyClock::now(), n});
                if (options_.with_releases && pick(0, 3) == 0) {
                    Permits const part = pick(1, static_cast<int>(n));
                    limiter_.release(part);
                    mine.released += part;
                }
            } catch (Error const& error) {
                note(error, n, mine);
            }
        }
        std::lock_guard const lock{mutex_};
        tally_ += mine;
    }

    bool take(Permits n, int way, Duration patience, std::stop_token const& stop)
    {
        switch (way) {
        case 0: return limiter_.try_acquire(n).granted;
        case 1: return limiter_.try_acquire_for(patience, n).granted;
        case 2: return limiter_.acquire(n).granted;
        default: return limiter_.acquire(n, stop).granted;
        }
    }

    static void note(Error const& error, Permits n, Tally& mine)
    {
        if (error.code() == Errc::cancelled) {
            ++mine.cancels;
        } else if (error.code() == Errc::outcome_unknown) {
            mine.unknown += n;
        } else if (error.code() == Errc::store_unavailable) {
            mine.unavailable += n;
            std::this_thread::sleep_for(1ms);  // as a caller would, instead of asking in a tight loop
        } else if (mine.surprise.empty()) {
            mine.surprise = error.what();
        }
    }

    std::stop_token new_stop(std::size_t thread)
    {
        std::lock_guard const lock{mutex_};
        stops_[thread] = std::stop_source{};
        return stops_[thread].get_token();
    }

    void cancel_now_and_then()
    {
        std::minstd_rand random{options_.seed};
        while (!ending_) {
            std::this_thread::sleep_for(3ms);
            std::stop_source stop{std::nostopstate};
            {
                std::lock_guard const lock{mutex_};
                stop = stops_[random() % stops_.size()];
            }
            stop.request_stop();
        }
    }

    RateLimiter limiter_;
    LoadOptions const options_;
    std::atomic<bool> ending_{false};
    std::mutex mutex_;
    std::vector<std::stop_source> stops_;  // one for each thread's latest request
    Tally tally_;
    std::vector<std::thread> threads_;
    std::thread canceller_;
};

}  // namespace ration::redis_test
