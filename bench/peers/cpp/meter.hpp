#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace ration::peers {

using WallClock = std::chrono::system_clock;  // one clock for all processes, so that their logs can be merged
using Moment = WallClock::time_point;

/// Told by the thread that keeps the time, looked at by those who ask.
enum class Phase { warming_up, measuring, over };

inline std::atomic<Phase> phase{Phase::warming_up};

/// What one thread has seen.
class Meter {
public:
    explicit Meter(bool keeps_log) : keeps_log_{keeps_log} {}

    void answered(Moment start, Moment end, bool granted)
    {
        count(1, granted ? 1 : 0);
        if (phase.load(std::memory_order_relaxed) == Phase::measuring) time(start, end);
        if (keeps_log_) log(start, end, granted ? 1 : 0);
    }

    void count(std::uint64_t decisions, std::uint64_t granted)
    {
        granted_in_all_ += granted;
        if (phase.load(std::memory_order_relaxed) != Phase::measuring) return;
        decisions_ += decisions;
        granted_ += granted;
    }

    void time(Moment start, Moment end);

    /// A decision: the wall clock in microseconds before and after, and its permits. A waiter: the same, and its number.
    void log(Moment start, Moment end, std::int64_t value);
    bool keeps_log() const { return keeps_log_; }

    void add(Meter const& other);
    std::string json(double seconds) const;
    void write_log(std::string const& file) const;

private:
    struct Record {
        std::int64_t start;
        std::int64_t end;
        std::int64_t value;
    };

    bool keeps_log_;
    std::uint64_t decisions_ = 0;
    std::uint64_t granted_ = 0;
    std::uint64_t granted_in_all_ = 0;
    std::array<std::uint64_t, 6000> latencies_{};  // bucket b holds e^(b/200) ns and up: half a percent apart
    std::vector<Record> log_;
};

}  // namespace ration::peers
