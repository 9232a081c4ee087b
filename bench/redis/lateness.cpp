#include "lateness.hpp"

#include <algorithm>

namespace ration::bench {

double lateness(WallClock::time_point due, WallClock::time_point happened)
{
    return std::chrono::duration<double, std::milli>{happened - due}.count();
}

void record_lateness(Scene& scene, std::string const& name, std::vector<double> milliseconds)
{
    std::sort(milliseconds.begin(), milliseconds.end());
    auto const part = [&](double share) {
        auto const rank = static_cast<std::size_t>(share * static_cast<double>(milliseconds.size()));
        return milliseconds.at(std::min(rank, milliseconds.size() - 1));
    };
    scene.report().record(name + ", p50", part(0.5));
    scene.report().record(name + ", p99", part(0.99));
}

double BareTimer::sleep_until(WallClock::time_point moment)
{
    double late = 0;
    timer_.expires_at(moment);
    timer_.async_wait([&](boost::system::error_code) { late = lateness(moment); });
    io_.restart();
    io_.run();
    return late;
}

}  // namespace ration::bench
