#pragma once

// What `watch` has seen of a limiter in the last minute: plain data. watch_view.cpp draws it.

#include "redis/inspector.hpp"
#include "redis/sight.hpp"

#include <deque>
#include <optional>
#include <string>

namespace ration::cli {

class WatchedLimiter {
public:
    static constexpr Duration remembered = std::chrono::minutes{1};

    struct Sample {
        Time at{};
        Permits available = 0;  ///< per client: for the one who has least
        Permits granted = 0;    ///< since the sample before
    };

    explicit WatchedLimiter(std::string name) : name_{std::move(name)} {}

    std::string const& name() const { return name_; }

    /// It looked like this now.
    void saw(redis::LimiterSight const& sight);

    /// It could not be looked at.
    void failed(std::string const& why) { problem_ = why; }

    /// As it looked when it was last seen; nothing before that.
    std::optional<redis::LimiterSight> const& sight() const { return sight_; }
    std::string const& problem() const { return problem_; }  ///< empty: it was seen just now
    std::deque<Sample> const& samples() const { return samples_; }

    /// What is shared; with a limit per client, of the client who has least, if there is one. Requires: sight().
    redis::StateSight const& tightest() const;

    /// Permits granted within the last second; from the log if there is one, else from what was seen.
    Permits granted_in_last_second() const;

private:
    Permits granted_since(redis::LimiterSight const& sight) const;

    std::string name_;
    std::string problem_;
    std::optional<redis::LimiterSight> sight_;
    std::deque<Sample> samples_;
};

}  // namespace ration::cli
