// Measures the embedded store through the public API, against a floor measured in the same run.
//
//   micro [--quick] [Google Benchmark's options, e.g. --benchmark_filter=token_bucket]
//
// --quick: fewer repetitions, and a million keys at most. Ends with 1 if a target was missed.

#include "summary.hpp"
#include "topics.hpp"

#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include <string>
#include <vector>

int main(int argc, char** argv)
{
    using namespace ration::bench;

    std::vector<std::string> options{argv, argv + argc};
    bool const quick = std::erase(options, "--quick") > 0;
    // In front of the user's, so that his win. Interleaved, so that a noisy minute is spread over all.
    options.insert(options.begin() + 1,
                   {"--benchmark_enable_random_interleaving=true", "--benchmark_min_time=0.01",
                    quick ? "--benchmark_repetitions=11" : "--benchmark_repetitions=41"});
    std::vector<char*> arguments;
    for (std::string& option : options) arguments.push_back(option.data());
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

    // Neighbours should wait while we measure. Without the right to ask for that, it is measured all the same.
    setpriority(PRIO_PROCESS, 0, -20);

    // Two runs, because ten million keys leave no cache as it was.
    Summary hot;
    add_floor(hot);
    add_hot_limiter(hot);
    add_waiting(hot);
    benchmark::RunSpecifiedBenchmarks(&hot);
    bool const met = hot.print();

    std::string const filter = benchmark::GetBenchmarkFilter();
    if (!filter.empty() && filter.find("keyed") == std::string::npos) return met ? 0 : 1;
    benchmark::ClearRegisteredBenchmarks();
    Summary keyed;
    add_floor(keyed);
    add_keyed(keyed, quick);
    benchmark::RunSpecifiedBenchmarks(&keyed);
    keyed.print();
    return met ? 0 : 1;
}
