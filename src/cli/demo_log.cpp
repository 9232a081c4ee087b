#include "cli/demo_log.hpp"

#include <algorithm>

namespace ration::cli {

DemoLog::DemoLog(GlobalOptions const& global, std::string limiter)
    : inspector_{global.store, global.tls, global.command_timeout}, limiter_{std::move(limiter)}
{}

void DemoLog::read()
{
    std::map<Time, Permits> seen;
    for (auto const& entry : inspector_.look(limiter_, {.memory = false}).state.log)
        seen[entry.at] += entry.permits;
    // Within a millisecond more may still come; what has left the log stays here.
    for (auto const& [at, permits] : seen) permits_[at] = std::max(permits_[at], permits);
}

std::vector<DemoGrant> DemoLog::grants() const
{
    std::vector<DemoGrant> grants;
    for (auto const& [at, permits] : permits_)
        grants.insert(grants.end(), static_cast<std::size_t>(permits),
                      {at - permits_.begin()->first, Duration{}});
    return grants;
}

}  // namespace ration::cli
