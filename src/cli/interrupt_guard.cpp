#include "cli/interrupt_guard.hpp"

#include <array>
#include <csignal>

namespace ration::cli {

namespace {

constexpr std::array interrupts{SIGINT, SIGTERM, SIGHUP};
std::array<struct sigaction, interrupts.size()> actions_before;
std::sig_atomic_t volatile interrupted_by = 0;

extern "C" void remember_interrupt(int signal)
{
    interrupted_by = signal;
}

}  // namespace

InterruptGuard::InterruptGuard()
{
    interrupted_by = 0;
    struct sigaction action {};
    action.sa_handler = remember_interrupt;
    for (std::size_t i = 0; i < interrupts.size(); ++i) {
        ::sigaction(interrupts[i], &action, &actions_before[i]);
        // What whoever started us has ignored (nohup) stays ignored.
        if (actions_before[i].sa_handler == SIG_IGN) ::sigaction(interrupts[i], &actions_before[i], nullptr);
    }
}

InterruptGuard::~InterruptGuard()
{
    for (std::size_t i = 0; i < interrupts.size(); ++i)
        ::sigaction(interrupts[i], &actions_before[i], nullptr);
}

int InterruptGuard::signal() const
{
    return interrupted_by;
}

}  // namespace ration::cli
