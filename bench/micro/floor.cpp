#include "floor.hpp"

#include "summary.hpp"
#include "topics.hpp"

#include <benchmark/benchmark.h>

#include <array>

namespace ration::bench {

namespace {

void one_word(benchmark::State& state)
{
    static Floor floor;
    for (auto _ : state) benchmark::DoNotOptimize(floor.step());
}

void a_word_each(benchmark::State& state)
{
    static std::array<Floor, 2> floors;
    Floor& own = floors[static_cast<std::size_t>(state.thread_index())];
    for (auto _ : state) benchmark::DoNotOptimize(own.step());
}

}  // namespace

void add_floor(Summary& summary)
{
    benchmark::RegisterBenchmark("floor", one_word)->Threads(1)->Threads(2)->UseRealTime();
    benchmark::RegisterBenchmark("floor_apart", a_word_each)->Threads(2)->UseRealTime();
    summary.row({.what = "floor: clock + compare-and-swap", .subject = {"floor", 1}, .floor = {"floor", 1}});
    summary.row({.what = "floor, 2 threads on one word", .subject = {"floor", 2}, .floor = {"floor", 2}});
    summary.row({.what = "floor, 2 threads on a word each",
                 .subject = {"floor_apart", 2},
                 .floor = {"floor_apart", 2}});
}

}  // namespace ration::bench
