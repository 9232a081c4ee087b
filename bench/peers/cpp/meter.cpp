#include "meter.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace ration::peers {

namespace {

std::int64_t microseconds(Moment moment)
{
    return std::chrono::duration_cast<std::chrono::microseconds>(moment.time_since_epoch()).count();
}

}  // namespace

void Meter::time(Moment start, Moment end)
{
    auto const nanoseconds =
        std::max(1.0, static_cast<double>(std::chrono::nanoseconds{end - start}.count()));
    auto const bucket = static_cast<std::size_t>(std::log(nanoseconds) * 200);
    ++latencies_[std::min(bucket, latencies_.size() - 1)];
}

void Meter::log(Moment start, Moment end, std::int64_t value)
{
    log_.push_back({microseconds(start), microseconds(end), value});
}

void Meter::add(Meter const& other)
{
    decisions_ += other.decisions_;
    granted_ += other.granted_;
    granted_in_all_ += other.granted_in_all_;
    for (std::size_t i = 0; i < latencies_.size(); ++i) latencies_[i] += other.latencies_[i];
    log_.insert(log_.end(), other.log_.begin(), other.log_.end());
}

std::string Meter::json(double seconds) const
{
    std::string text = R"("seconds": )" + std::to_string(seconds) + R"(, "decisions": )"
                       + std::to_string(decisions_) + R"(, "granted": )" + std::to_string(granted_)
                       + R"(, "granted_in_all": )" + std::to_string(granted_in_all_) + R"(, "latency": {)";
    bool is_first = true;
    for (std::size_t i = 0; i < latencies_.size(); ++i) {
        if (latencies_[i] == 0) continue;
        if (!is_first) text += ", ";
        is_first = false;
        text += '"' + std::to_string(i) + "\": " + std::to_string(latencies_[i]);
    }
    return text + '}';
}

void Meter::write_log(std::string const& file) const
{
    std::ofstream out{file, std::ios::binary};
    out.write(reinterpret_cast<char const*>(log_.data()),
              static_cast<std::streamsize>(log_.size() * sizeof(Record)));
    if (!out.flush()) throw std::runtime_error{"cannot write the log " + file};
}

}  // namespace ration::peers
