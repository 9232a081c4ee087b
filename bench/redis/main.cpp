// Measures ration through Redis, against what redis-benchmark gets from the same server in the same run.
//
//   redis [--quick] [--rounds N] [--filter TEXT] [--json]
//
// Starts a server of its own, on one processor, and runs everything else on another. All is measured once per round, each
// round beginning elsewhere, so that a noisy moment meets them all. --filter: only what has TEXT in its name. --json: an object
// per line. Ends with 1 if a target was missed, 2 if it could not be measured.

#include "hash_place.hpp"
#include "processors.hpp"
#include "topics.hpp"

#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

struct Options {
    std::size_t rounds = 7;
    std::chrono::milliseconds span{1000};
    std::string filter{};
    bool json = false;
};

Options parse(std::vector<std::string> const& words)
{
    Options options;
    for (std::size_t i = 0; i < words.size(); ++i) {
        bool const has_value = i + 1 < words.size();
        if (words[i] == "--quick") {
            options.rounds = 3;
            options.span = std::chrono::milliseconds{400};
        } else if (words[i] == "--json") {
            options.json = true;
        } else if (words[i] == "--rounds" && has_value && std::atoi(words[i + 1].c_str()) > 0) {
            options.rounds = static_cast<std::size_t>(std::atoi(words[++i].c_str()));
        } else if (words[i] == "--filter" && has_value) {
            options.filter = words[++i];
        } else {
            throw std::runtime_error{"usage: redis [--quick] [--rounds N] [--filter TEXT] [--json]"};
        }
    }
    return options;
}

bool run(Options const& options)
{
    using namespace ration::bench;

    // Neighbours should wait while we measure. Without the right to ask for that, it is measured all the same.
    setpriority(PRIO_PROCESS, 0, -20);
    auto const processors = choose_processors();
    pin_to(processors.server);
    Scene scene{options.span};
    start_newer_server();
    pin_to(processors.client);

    Measurements all;
    add_baselines(all, scene.report());
    add_hot_limiter(all, scene.report());
    add_keyed(all, scene.report());
    add_one_at_a_time(all, scene.report());
    add_server_cost(all, scene.report());
    add_waiting(all, scene.report());
    add_hash_cost(all, scene.report());
    add_hash_memory(all, scene.report());
    add_hash_lateness(all, scene.report());
    std::erase_if(all,
                  [&](Measurement const& one) { return one.name.find(options.filter) == std::string::npos; });

    std::fprintf(
        stderr, "%s on processor %u, client and redis-benchmark on processor %u, over loopback; %zu rounds\n",
        scene.version().c_str(), processors.server, processors.client, options.rounds);
    for (std::size_t round = 0; round < options.rounds; ++round) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            auto const& [name, measure] = all[(i + round * all.size() / options.rounds) % all.size()];
            try {
                measure(scene);
            } catch (std::exception const& problem) {
                throw std::runtime_error{name + ": " + problem.what()};
            }
        }
        std::fprintf(stderr, "round %zu of %zu done\n", round + 1, options.rounds);
    }
    if (options.json) {
        scene.report().print_json();
    } else {
        scene.report().print();
    }
    return scene.report().all_met();
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        return run(parse({argv + 1, argv + argc})) ? 0 : 1;
    } catch (std::exception const& problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return 2;
    }
}
