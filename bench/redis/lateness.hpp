#pragma once

// How late something happens, and how late a timer of Asio and nothing else would have been.

#include "scene.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/system_timer.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace ration::bench {

using WallClock = std::chrono::system_clock;

/// In milliseconds.
double lateness(WallClock::time_point due, WallClock::time_point happened = WallClock::now());

/// Half of them, and 99 of 100, were not later than this.
void record_lateness(Scene& scene, std::string const& name, std::vector<double> milliseconds);

class BareTimer {
public:
    /// Returns how late it came back.
    double sleep_until(WallClock::time_point moment);

private:
    boost::asio::io_context io_;
    boost::asio::system_timer timer_{io_};
};

}  // namespace ration::bench
