#pragma once

#include "cli/command.hpp"
#include "cli/demo_state.hpp"
#include "redis/inspector.hpp"

#include <map>
#include <string>
#include <vector>

namespace ration::cli {

/// The grants of a limiter as the server's own log has them: exact moments, of all processes. A worker learns of its grant
/// a little later, now more, now less, which is too inexact to check a limit with.
///
/// Grants leave the log when they free up: read it several times per interval, or some are missed.
class DemoLog {
public:
    DemoLog(GlobalOptions const& global, std::string limiter);

    void read();

    /// All that were ever seen, one permit each, in order; moments count from the first.
    std::vector<DemoGrant> grants() const;

private:
    redis::Inspector inspector_;
    std::string const limiter_;
    std::map<Time, Permits> permits_;
};

}  // namespace ration::cli
