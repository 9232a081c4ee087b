#pragma once

#include <memory>
#include <stop_token>

namespace ration::cli {

/// While it lives, Ctrl-C, SIGTERM and SIGHUP ask a wait to stop instead of ending the process. Those that whoever started
/// us has ignored (nohup) stay ignored.
///
/// They are blocked for this thread and for those it starts from then on: make one before there are any others.
class StopSignals {
public:
    StopSignals();
    ~StopSignals();
    StopSignals(StopSignals const&) = delete;
    StopSignals& operator=(StopSignals const&) = delete;

    std::stop_token token() const;

    /// The signal that came, or 0.
    int signal() const;

private:
    class Listener;
    std::unique_ptr<Listener> listener_;
};

}  // namespace ration::cli
