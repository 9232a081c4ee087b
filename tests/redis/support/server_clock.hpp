#pragma once

#include <ration/types.hpp>

#include <filesystem>

namespace ration::redis_test {

struct ClockPage;

/// The time of day as one server sees it. It starts as the real time.
///
/// A change is seen by the server's next command. What measures spans in the server, such as the timeout of a blocking
/// command, keeps to real time.
class ServerClock {
public:
    /// Makes the file through which the server is told. Servers started with it share this clock.
    explicit ServerClock(std::filesystem::path file);
    ~ServerClock();
    ServerClock(ServerClock const&) = delete;
    ServerClock& operator=(ServerClock const&) = delete;

    /// It is exactly `time` until further notice. Not 1970-01-01 00:00.
    void freeze(Time time);

    /// Moves a frozen clock, also back.
    void advance(Duration by);

    /// Sets a running clock ahead or back, as an administrator would. Steps add up.
    void step(Duration by);

    /// Lets the clock run again: the real time, and the steps so far.
    void run();

    Time now() const;

    std::filesystem::path const& file() const { return file_; }

private:
    std::filesystem::path file_;
    ClockPage* page_ = nullptr;
};

}  // namespace ration::redis_test
