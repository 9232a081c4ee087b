// `ration bench`: measures a store from this machine.

#include "cli/arguments.hpp"
#include "cli/bench_report.hpp"
#include "cli/interrupt_guard.hpp"
#include "cli/output.hpp"
#include "cli/text.hpp"
#include "core/algorithms.hpp"
#include "core/quote.hpp"
#include "core/url.hpp"

#include <cstdio>
#include <cstring>

#include <arpa/inet.h>
#include <netdb.h>
#include <unistd.h>

namespace ration::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto details =
    "Callers ask for permits (try) as fast as they are answered, on limiters that bench makes\n"
    "and deletes. The embedded store (memory:) is asked by one thread per caller; a server by\n"
    "callers that share one client and its connection, as in a service. The latencies are what\n"
    "the callers see.\n"
    "\n"
    "A server that is not on this machine is not measured unless --yes-load-this-server says\n"
    "so: it would get all the load that it can take.\n"
    "\n"
    "Examples:\n"
    "  ration bench                                     the embedded store\n"
    "  ration bench --store redis://127.0.0.1 --callers 200 --seconds 10\n"
    "  ration bench --store unix:/run/redis.sock --keys 10000 --hot --svg latency.svg\n"
    "\n"
    "Exit codes: 0 done, 2 wrong usage, 3 store or data error, 128 + n ended by signal n.";

struct BenchArguments {
    std::string callers;
    std::string permits = "1";
    std::string seconds = "5";
    std::string keys;
    bool hot = false;
    bool spread = false;
    std::string rate;
    std::string algorithm;
    std::string svg;
    bool yes = false;

    BenchPlan plan(bool on_server) const
    {
        BenchPlan plan;
        plan.on_server = on_server;
        plan.callers = on_server ? 50 : 4;
        if (!callers.empty())
            plan.callers = static_cast<int>(parse_count("--callers", callers, 1, on_server ? 100'000 : 1000));
        plan.permits = parse_count("--permits", permits, 1, Rate::max_permits);
        plan.length = 1s * parse_count("--seconds", seconds, 1, 3600);
        if (!keys.empty()) plan.keys = static_cast<int>(parse_count("--keys", keys, 1, 1'000'000));
        plan.hot = hot;
        plan.rate = Rate::parse(!rate.empty() ? rate : on_server ? "1000000/s" : "4000000000/s");
        plan.algorithm = plan.keys > 0 && !plan.rate.is_calendar() ? Algorithm::token_bucket
                                                                   : core::natural_algorithm(plan.rate);
        if (!algorithm.empty()) plan.algorithm = parse_algorithm("--algorithm", algorithm);
        if (plan.permits > plan.rate.capacity())
            throw UsageError{"--permits " + core::quoted(permits) + ": the rate never holds more than "
                             + std::to_string(plan.rate.capacity())};
        if (hot && spread) throw UsageError{"give --hot or --spread, not both"};
        if ((hot || spread) && plan.keys < 2) throw UsageError{"--hot and --spread need --keys of 2 or more"};
        return plan;
    }
};

bool is_loopback(sockaddr const& address)
{
    if (address.sa_family == AF_INET) {
        sockaddr_in in{};
        std::memcpy(&in, &address, sizeof in);
        return (ntohl(in.sin_addr.s_addr) >> 24U) == 127;
    }
    if (address.sa_family != AF_INET6) return false;
    sockaddr_in6 in{};
    std::memcpy(&in, &address, sizeof in);
    if (IN6_IS_ADDR_V4MAPPED(&in.sin6_addr)) return in.sin6_addr.s6_addr[12] == 127;
    return IN6_IS_ADDR_LOOPBACK(&in.sin6_addr);
}

/// All addresses that the name has are this machine's own.
bool is_on_this_machine(core::StoreUrl const& url)
{
    if (url.kind != core::StoreUrl::Kind::redis) return true;
    addrinfo* found = nullptr;
    if (::getaddrinfo(url.host.c_str(), nullptr, nullptr, &found) != 0) return false;
    bool all = true;
    for (auto const* entry = found; entry != nullptr; entry = entry->ai_next)
        all = all && is_loopback(*entry->ai_addr);
    ::freeaddrinfo(found);
    return all;
}

/// One line on standard error that is written over and over, if somebody looks at it.
class ProgressLine {
public:
    explicit ProgressLine(BenchPlan const& plan) : length_{plan.length} {}
    ~ProgressLine()
    {
        if (shown_) std::fputs("\r\x1b[K", stderr);
    }
    ProgressLine(ProgressLine const&) = delete;
    ProgressLine& operator=(ProgressLine const&) = delete;

    void show(Duration elapsed, std::uint64_t decisions)
    {
        if (!terminal_ || elapsed < next_) return;
        next_ = elapsed + 100ms;
        shown_ = true;
        auto const rate = static_cast<double>(decisions) / std::chrono::duration<double>{elapsed}.count();
        std::fprintf(stderr, "\r%s of %s, %s decisions/s\x1b[K", seconds_text(elapsed).substr(0, 5).c_str(),
                     span_text(length_).c_str(), grouped(static_cast<std::int64_t>(rate)).c_str());
    }

private:
    Duration const length_;
    bool const terminal_ = ::isatty(STDERR_FILENO) == 1;
    bool shown_ = false;
    Duration next_{};
};

Exit run(BenchArguments const& arguments, GlobalOptions const& global)
{
    auto const url = core::parse_store_url(global.store);
    auto const where = to_string(url);
    auto const plan = arguments.plan(url.kind != core::StoreUrl::Kind::memory);
    if (!arguments.yes && !is_on_this_machine(url)) {
        throw UsageError{
            where
            + " is not on this machine, and bench would put all the load on it that it can take; "
              "give --yes-load-this-server if that is wanted"};
    }
    InterruptGuard const guard;
    BenchResult result;
    {
        ProgressLine line{plan};
        result = run_bench(
            plan, global, [&] { return guard.signal() != 0; },
            [&](Duration elapsed, std::uint64_t decisions) { line.show(elapsed, decisions); });
    }
    if (result.decisions() == 0 && result.failed > 0)
        throw Error{Errc::store_unavailable, where + ": no request was answered: " + result.first_failure};
    if (global.json) {
        say(bench_json(plan, result, where).text());
    } else {
        say(bench_title(plan, where));
        for (auto const& line : bench_lines(plan, result)) say(line);
    }
    if (result.failed > 0) say_note(global.json, "the first failure was: " + result.first_failure);
    if (!arguments.svg.empty()) write_file(arguments.svg, bench_svg(plan, result, where));
    return guard.signal() == 0 ? Exit::done : exit_for_signal(guard.signal());
}

}  // namespace

Command bench_command(GlobalOptions const& global)
{
    auto const given = std::make_shared<BenchArguments>();
    return {
        .name = "bench",
        .group = "Trying and measuring",
        .summary = "Measure a store from this machine",
        .details = details,
        .arguments =
            {
                {"--callers", "N", "How many ask at the same time (4; on a server 50)", &given->callers},
                {"--permits", "N", "How many permits each asks for", &given->permits},
                {"--seconds", "N", "For how long", &given->seconds},
                {"--keys", "N", "Ask a keyed limiter with so many keys", &given->keys},
                {"--hot", "", "Nine of ten requests are for the first key", &given->hot},
                {"--spread", "", "Requests are spread evenly over the keys (this is so\nif nothing is said)",
                 &given->spread},
                {"--rate", "RATE", "The limit; if not given, one that grants nearly all", &given->rate},
                {"--algorithm", "A", "If not given, sliding_log, with keys token_bucket", &given->algorithm},
                {"--svg", "FILE", "Draw how long requests took", &given->svg},
                {"--yes-load-this-server", "", "Also if the server is not on this machine", &given->yes},
            },
        .run = [given, &global] { return run(*given, global); },
        .usage = "bench [--callers N] [--permits N] [--seconds N] [--keys N [--hot|--spread]]\n"
                 "         [--rate RATE] [--algorithm A] [--svg FILE] [--yes-load-this-server]"};
}

}  // namespace ration::cli
