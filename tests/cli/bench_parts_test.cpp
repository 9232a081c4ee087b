// `ration bench`: its histogram and its reports.

#include "cli/bench_report.hpp"
#include "cli/xml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ration::cli {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Histogram, is_right_to_six_percent)
{
    for (std::int64_t const ns :
         {0LL, 1LL, 15LL, 16LL, 17LL, 100LL, 12'345LL, 1'000'000LL, 987'654'321LL, 60'000'000'000LL}) {
        Histogram histogram;
        histogram.add(1h);  // so that max does not help
        for (int i = 0; i < 100; ++i) histogram.add(std::chrono::nanoseconds{ns});
        auto const found = static_cast<double>(histogram.percentile(0.5).count());
        EXPECT_GE(found, static_cast<double>(ns)) << ns;
        EXPECT_LE(found, static_cast<double>(ns) * 1.07 + 1) << ns;
    }
}

TEST(Histogram, knows_percentiles_and_adds_up)
{
    Histogram one;
    Histogram other;
    for (int i = 1; i <= 900; ++i) one.add(1us);
    for (int i = 1; i <= 100; ++i) other.add(1ms);
    one.add(other);
    EXPECT_EQ(one.count(), 1000U);
    EXPECT_LT(one.percentile(0.5), 2us);
    EXPECT_LT(one.percentile(0.89), 2us);
    EXPECT_EQ(one.percentile(0.95), 1ms);
    EXPECT_EQ(one.max(), 1ms);
    EXPECT_EQ(Histogram{}.percentile(0.5), 0ns);
    Histogram extreme;
    extreme.add(-1ns);
    extreme.add(std::chrono::nanoseconds::max());
    EXPECT_EQ(extreme.count(), 2U);
}

TEST(Latency, is_written_with_three_digits)
{
    EXPECT_EQ(latency_text(0ns), "0ns");
    EXPECT_EQ(latency_text(85ns), "85ns");
    EXPECT_EQ(latency_text(1230ns), "1.23us");
    EXPECT_EQ(latency_text(12'340ns), "12.3us");
    EXPECT_EQ(latency_text(123'400ns), "123us");
    EXPECT_EQ(latency_text(2100ms), "2.10s");
}

BenchResult some_result()
{
    BenchResult result;
    result.granted = 3000;
    result.denied = 1000;
    result.elapsed = 2s;
    result.calls = 400;
    for (int i = 0; i < 4000; ++i) result.latency.add(std::chrono::microseconds{50 + i % 300});
    return result;
}

TEST(BenchReport, tells_throughput_and_percentiles)
{
    BenchPlan const plan{.callers = 50, .on_server = true};
    auto const lines = bench_lines(plan, some_result());
    EXPECT_EQ(lines[0], "throughput  2 000 decisions/s");
    EXPECT_EQ(lines[1], "decisions   4 000 in 2.000s: 3 000 granted, 1 000 denied, 0 failed");
    EXPECT_THAT(lines[2], HasSubstr("p50 "));
    EXPECT_THAT(lines[2], HasSubstr("p99.9 "));
    EXPECT_THAT(lines[2], HasSubstr("max 349us"));
    EXPECT_EQ(lines[3], "calls       400, of 10.0 requests on average");
    EXPECT_EQ(bench_title({.callers = 1, .permits = 2, .keys = 10, .hot = true}, "memory:"),
              "memory:, 1 caller for 2 permits, 10 keys, one of them hot, 1000000/s (sliding_log)");
}

TEST(BenchReport, draws_a_histogram)
{
    auto const svg = bench_svg({.callers = 50}, some_result(), "redis://<here>");
    EXPECT_EQ(cli_test::xml_problem(svg), "");
    for (auto const* word :
         {"p50 ", "p90 ", "p99 ", "p99.9 ", ">10us<", ">100us<", ">1ms<", "redis://&lt;here&gt;"})
        EXPECT_THAT(svg, HasSubstr(word));
    EXPECT_EQ(cli_test::xml_problem(bench_svg({}, {}, "memory:")), "") << "nothing was measured";
}

}  // namespace
}  // namespace ration::cli
