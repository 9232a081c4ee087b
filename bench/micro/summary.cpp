#include "summary.hpp"

#include <algorithm>
#include <cstdio>

namespace ration::bench {

namespace {

double median(std::vector<double> values)
{
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double least(std::vector<double> const& values)
{
    return *std::min_element(values.begin(), values.end());
}

}  // namespace

bool Summary::ReportContext(Context const&)
{
    return true;
}

void Summary::ReportRuns(std::vector<Run> const& runs)
{
    for (Run const& run : runs) {
        if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
        double const seconds = run.real_accumulated_time / static_cast<double>(run.iterations);
        nanoseconds_[{run.run_name.function_name, static_cast<int>(run.threads)}].push_back(
            seconds * 1e9 * static_cast<double>(run.threads));
    }
}

bool Summary::print() const
{
    bool all_met = true;
    std::printf("\n%-46s %9s %9s %9s %9s\n", "an operation, as one thread sees it", "ns", "x floor", "x best",
                "target");
    for (Row const& row : rows_) {
        auto const subject = nanoseconds_.find(row.subject);
        auto const floor = nanoseconds_.find(row.floor);
        if (subject == nanoseconds_.end() || floor == nanoseconds_.end()) continue;  // filtered out
        double const ns = median(subject->second);
        double const typical = ns / median(floor->second);
        double const best = least(subject->second) / least(floor->second);
        std::printf("%-46s %9.1f %9.2f %9.2f", row.what.c_str(), ns, typical, best);
        if (row.target) {
            bool const met = typical <= *row.target;
            all_met = all_met && met;
            std::printf(" %9.2f %s", *row.target, met ? "ok" : "MISSED");
        }
        std::printf("\n");
    }
    warn_if_noisy();
    return all_met;
}

/// Looks at the floor alone, so it can excuse no limiter: the verdicts above stay what they are.
void Summary::warn_if_noisy() const
{
    constexpr double quiet = 1.1;
    auto const floor = nanoseconds_.find({"floor", 1});
    if (floor == nanoseconds_.end()) return;
    double const spread = median(floor->second) / least(floor->second);
    if (spread <= quiet) return;
    std::printf("The floor's median is %.2f x its own best: the machine is busy, and neither ok nor MISSED "
                "means much.\n",
                spread);
}

}  // namespace ration::bench
