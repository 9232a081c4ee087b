// ration as a contender: one run of one workload, told and reported as docs/benchmarks-peers.md says.

#include "meter.hpp"
#include "run.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <random>
#include <thread>

namespace ration::peers {

void wait_for_go()
{
    std::puts("ready");
    std::fflush(stdout);
    std::string line;
    std::getline(std::cin, line);
}

double keep_time(Options const& options)
{
    std::this_thread::sleep_for(options.warmup);
    std::puts("begin");
    std::fflush(stdout);
    phase = Phase::measuring;
    auto const begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(options.seconds);
    phase = Phase::over;
    std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - begin;
    std::puts("end");
    std::fflush(stdout);
    return elapsed.count();
}

std::string key_of(std::size_t number)
{
    return "user:" + std::to_string(number);
}

std::vector<std::string> keys_to_ask(Options const& options)
{
    std::vector<std::string> keys(std::min<std::size_t>(std::size_t{1} << 20, 16 * options.keys));
    std::mt19937_64 random{options.process};
    for (auto& key : keys) key = key_of(random() % options.keys);
    return keys;
}

namespace {

std::string run(Options const& options)
{
    if (options.mode == "wait") return wait_in_line(options);
    return options.url == "memory:" ? ask_memory(options) : ask_redis(options);
}

}  // namespace

}  // namespace ration::peers

int main(int argc, char** argv)
{
    try {
        auto const result = ration::peers::run(ration::peers::parse({argv + 1, argv + argc}));
        std::printf("{%s}\n", result.c_str());
    } catch (std::exception const& problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return 2;
    }
}
