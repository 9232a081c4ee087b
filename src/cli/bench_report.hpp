#pragma once

#include "cli/bench_run.hpp"
#include "cli/json_line.hpp"

#include <string>
#include <vector>

namespace ration::cli {

/// What was measured, on what; `where` is the store as it may be shown.
std::string bench_title(BenchPlan const& plan, std::string const& where);
std::vector<std::string> bench_lines(BenchPlan const& plan, BenchResult const& result);
JsonLine bench_json(BenchPlan const& plan, BenchResult const& result, std::string const& where);

/// How long decisions took, as one SVG file.
std::string bench_svg(BenchPlan const& plan, BenchResult const& result, std::string const& where);

/// E.g. "85ns", "12.3us", "1.25ms", "2.1s".
std::string latency_text(Histogram::Span span);

}  // namespace ration::cli
