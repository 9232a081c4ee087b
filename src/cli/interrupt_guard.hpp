#pragma once

namespace ration::cli {

/// While it lives, Ctrl-C, SIGTERM and SIGHUP do not end the process but are remembered, for a loop that
/// looks for them. (One that waits for permits takes StopSignals.)
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(InterruptGuard const&) = delete;
    InterruptGuard& operator=(InterruptGuard const&) = delete;

    /// The signal that came, or 0.
    int signal() const;
};

}  // namespace ration::cli
