#include "cli/stop_signals.hpp"

#include <atomic>
#include <csignal>
#include <system_error>
#include <thread>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace ration::cli {

namespace {

sigset_t stopping_signals()
{
    sigset_t set;
    ::sigemptyset(&set);
    for (int const signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction current {};
        ::sigaction(signal, nullptr, &current);
        if (current.sa_handler != SIG_IGN) ::sigaddset(&set, signal);
    }
    return set;
}

int opened(int file)
{
    if (file < 0) throw std::system_error{errno, std::generic_category(), "cannot listen for signals"};
    return file;
}

}  // namespace

class StopSignals::Listener {
public:
    Listener()
    {
        ::pthread_sigmask(SIG_BLOCK, &signals_, &before_);
        thread_ = std::thread{[this] { listen(); }};
    }

    ~Listener()
    {
        ::eventfd_write(wake_, 1);
        thread_.join();
        ::close(wake_);
        ::close(arrivals_);
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    Listener(Listener const&) = delete;
    Listener& operator=(Listener const&) = delete;

    std::stop_token token() const { return stop_.get_token(); }
    int signal() const { return signal_; }

private:
    void listen()
    {
        struct pollfd files[] = {{arrivals_, POLLIN, 0}, {wake_, POLLIN, 0}};
        while (::poll(files, 2, -1) < 0) {}
        struct signalfd_siginfo arrival {};
        if (files[0].revents == 0 || ::read(arrivals_, &arrival, sizeof arrival) != sizeof arrival) return;
        signal_ = static_cast<int>(arrival.ssi_signo);
        stop_.request_stop();
    }

    sigset_t const signals_ = stopping_signals();
    sigset_t before_{};
    int const arrivals_ = opened(::signalfd(-1, &signals_, SFD_CLOEXEC));
    int const wake_ = opened(::eventfd(0, EFD_CLOEXEC));
    std::atomic<int> signal_{0};
    std::stop_source stop_;
    std::thread thread_;
};

StopSignals::StopSignals() : listener_{std::make_unique<Listener>()} {}

StopSignals::~StopSignals() = default;

std::stop_token StopSignals::token() const
{
    return listener_->token();
}

int StopSignals::signal() const
{
    return listener_->signal();
}

}  // namespace ration::cli
