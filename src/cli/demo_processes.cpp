#include "cli/demo_processes.hpp"

#include "cli/store.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ration::cli {

namespace {

using Steady = std::chrono::steady_clock;

/// What goes through the pipe: written at once, so that those of several threads do not mix.
struct Record {
    enum class Kind : std::int32_t { waiting, granted, failed };

    Kind kind{};
    std::int32_t worker = 0;
    std::int64_t at_us = 0;
    std::int64_t waited_us = 0;
    std::int64_t remaining = 0;
    std::int64_t retry_after_us = 0;
    std::int64_t reset_after_us = 0;
    char problem[400] = {};
};
static_assert(sizeof(Record) <= 512, "a pipe takes this much at once, whole (PIPE_BUF is 4096)");

Duration since(Steady::time_point begin)
{
    return std::chrono::floor<Duration>(Steady::now() - begin);
}

// ---- in the child ----

void send(int pipe, Record const& record)
{
    // If the parent is gone or has ended the demo, so has this process.
    if (::write(pipe, &record, sizeof record) != sizeof record) ::_exit(0);
}

Record record_of(int worker, Record::Kind kind, Steady::time_point begin, Duration waited,
                 Decision const& decision)
{
    return {.kind = kind,
            .worker = worker,
            .at_us = since(begin).count(),
            .waited_us = waited.count(),
            .remaining = decision.remaining,
            .retry_after_us = decision.retry_after.count(),
            .reset_after_us = decision.reset_after.count()};
}

void work(int worker, RateLimiter limiter, int pipe, Steady::time_point begin)
{
    try {
        for (;;) {
            auto const asked = Steady::now();
            auto decision = limiter.try_acquire();
            if (!decision) {
                send(pipe, record_of(worker, Record::Kind::waiting, begin, Duration{}, decision));
                decision = limiter.acquire();
                send(pipe, record_of(worker, Record::Kind::granted, begin, since(asked), decision));
            } else {
                send(pipe, record_of(worker, Record::Kind::granted, begin, Duration{}, decision));
            }
            std::this_thread::sleep_for(DemoPlan::work_time);
        }
    } catch (std::exception const& error) {
        Record record{.kind = Record::Kind::failed, .worker = worker};
        std::strncpy(record.problem, error.what(), sizeof record.problem - 1);
        send(pipe, record);
    }
}

[[noreturn]] void be_child(int number, DemoPlan const& plan, GlobalOptions const& global,
                           std::string const& name, int pipe, Steady::time_point begin)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::signal(SIGPIPE, SIG_IGN);
    for (int const signal : {SIGINT, SIGHUP}) ::signal(signal, SIG_IGN);  // the parent ends us
    {
        auto client = open_client(global);
        auto const limiter = client.rate_limiter(name);
        std::vector<std::thread> threads;
        for (int worker = number; worker <= plan.workers; worker += plan.processes)
            threads.emplace_back(work, worker, limiter, pipe, begin);
        for (auto& thread : threads) thread.join();
    }
    ::_exit(0);
}

// ---- in the parent ----

DemoEvent event_of(Record const& record)
{
    bool const granted = record.kind == Record::Kind::granted;
    return {.kind = granted ? DemoEvent::Kind::granted : DemoEvent::Kind::waiting,
            .worker = record.worker,
            .at = Duration{record.at_us},
            .waited = Duration{record.waited_us},
            .decision = {.granted = granted,
                         .remaining = record.remaining,
                         .retry_after = Duration{record.retry_after_us},
                         .reset_after = Duration{record.reset_after_us}}};
}

}  // namespace

DemoProcesses::DemoProcesses(DemoPlan const& plan, GlobalOptions const& global, std::string const& limiter)
    : begin_{Steady::now()}
{
    for (int number = 1; number <= plan.processes; ++number) {
        int pipe[2];
        if (::pipe2(pipe, O_CLOEXEC) != 0)
            throw std::runtime_error{std::string{"no pipe: "} + std::strerror(errno)};
        pid_t const pid = ::fork();
        if (pid < 0) {
            stop();
            throw std::runtime_error{std::string{"no new process: "} + std::strerror(errno)};
        }
        if (pid == 0) {
            ::close(pipe[0]);
            for (auto const& sibling : children_) ::close(sibling.pipe);
            be_child(number, plan, global, limiter, pipe[1], begin_);
        }
        ::close(pipe[1]);
        ::fcntl(pipe[0], F_SETFL, O_NONBLOCK);
        children_.push_back({pid, pipe[0]});
    }
}

DemoProcesses::~DemoProcesses()
{
    stop();
}

void DemoProcesses::stop()
{
    for (auto const& child : children_) ::kill(child.pid, SIGKILL);
    for (auto const& child : children_) {
        ::waitpid(child.pid, nullptr, 0);
        ::close(child.pipe);
    }
    children_.clear();
}

Duration DemoProcesses::elapsed() const
{
    return since(begin_);
}

void DemoProcesses::take_records(Child& child, std::vector<DemoEvent>& events)
{
    char bytes[64 * sizeof(Record)];
    for (ssize_t size = 0; (size = ::read(child.pipe, bytes, sizeof bytes)) > 0;)
        child.unread.append(bytes, static_cast<std::size_t>(size));
    std::size_t at = 0;
    for (; at + sizeof(Record) <= child.unread.size(); at += sizeof(Record)) {
        Record record;
        std::memcpy(&record, child.unread.data() + at, sizeof record);
        if (record.kind == Record::Kind::failed) throw Error{Errc::store_unavailable, record.problem};
        events.push_back(event_of(record));
    }
    child.unread.erase(0, at);
}

std::vector<DemoEvent> DemoProcesses::events(std::chrono::milliseconds patience)
{
    std::vector<struct pollfd> files;
    for (auto const& child : children_) files.push_back({child.pipe, POLLIN, 0});
    ::poll(files.data(), files.size(), static_cast<int>(patience.count()));
    std::vector<DemoEvent> events;
    for (auto& child : children_) take_records(child, events);
    std::ranges::stable_sort(events, {}, &DemoEvent::at);
    return events;
}

}  // namespace ration::cli
