#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ration::bench {

/// One benchmark with so many threads.
using Subject = std::pair<std::string, int>;

/// Collects all repetitions and prints, at the end, each subject as a multiple of a floor measured in the same run:
/// median by median, which is what targets are about, and best by best.
///
/// Why so: on a machine with neighbours a single number says more about them.
class Summary : public benchmark::BenchmarkReporter {
public:
    struct Row {
        std::string what;
        Subject subject;
        Subject floor;
        std::optional<double> target{};  ///< the most it may be, as a multiple of the floor
    };

    void row(Row row) { rows_.push_back(std::move(row)); }

    /// Says if every target was met.
    bool print() const;

    bool ReportContext(Context const& context) override;
    void ReportRuns(std::vector<Run> const& runs) override;

private:
    void warn_if_noisy() const;

    std::vector<Row> rows_;
    std::map<Subject, std::vector<double>> nanoseconds_;  // per operation, as one thread sees it
};

}  // namespace ration::bench
