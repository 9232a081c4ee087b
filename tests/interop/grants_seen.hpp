#pragma once

#include "redis/monitor.hpp"

#include <ration/rate.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ration::interop {

/// All grants of one limiter as its server executed them, whoever made them, and the law that they must obey.
class GrantsSeen {
public:
    virtual ~GrantsSeen() = default;
    GrantsSeen(GrantsSeen const&) = delete;
    GrantsSeen& operator=(GrantsSeen const&) = delete;

    virtual void see(redis_test::MonitorLine const& line) = 0;

    /// Nothing more will be seen: what can only be judged as a whole is judged now.
    virtual void finish() {}

    Permits granted() const { return granted_between(0, std::numeric_limits<std::int64_t>::max()); }
    Permits granted_between(std::int64_t from_ms, std::int64_t to_ms) const;

    /// The first breach of the law, or nothing.
    std::string problem() const { return problem_; }

    /// What else is worth telling.
    virtual std::string remark() const = 0;

protected:
    GrantsSeen() = default;
    void complain(std::string text)
    {
        if (problem_.empty()) problem_ = std::move(text);
    }

    /// The most that the server granted in any span of this length.
    Permits most_in(std::int64_t span_ms) const;

    void note(std::int64_t time_ms, Permits permits) { grants_.emplace_back(time_ms, permits); }

private:
    std::vector<std::pair<std::int64_t, Permits>> grants_;
    std::string problem_;
};

/// Of a log. A grant is out from the moment the server executed it until `interval` after the time that is stored with it: the
/// server's for ration, for Java that at which it began to ask, a little earlier. At no moment of the server more is out than
/// the rate; nor was more granted in any interval of the server's time, less the longest way of a call to the server.
std::unique_ptr<GrantsSeen> grants_of_a_log(std::string const& name, Rate const& rate);

/// Of a counter: it never falls below zero, and it begins anew at most once in an interval.
std::unique_ptr<GrantsSeen> grants_of_a_window(std::string const& name, Rate const& rate);

}  // namespace ration::interop
