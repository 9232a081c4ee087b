#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ration::bench {

namespace {

/// Three digits that count: 1234567 -> 1.23 M, 12.3456 -> 12.3.
std::string short_number(double value)
{
    char const* unit = "";
    for (char const* const larger : {"k", "M", "G"}) {
        if (std::abs(value) < 9999.5) break;
        value /= 1000;
        unit = larger;
    }
    bool const is_whole = *unit == '\0' && value == std::floor(value);
    int const decimals = is_whole || std::abs(value) >= 99.95 ? 0 : std::abs(value) >= 9.995 ? 1 : 2;
    char text[32];
    std::snprintf(text, sizeof text, "%.*f%s", decimals, value, unit);
    return text;
}

std::string text_of(Target const& target)
{
    return (target.kind == Target::Kind::at_least ? ">= " : "<= ") + short_number(target.value);
}

}  // namespace

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    auto const middle = values.size() / 2;
    return values.size() % 2 == 1 ? values.at(middle) : (values.at(middle - 1) + values.at(middle)) / 2;
}

std::vector<double> const* Report::find(std::string const& name) const
{
    auto const found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
}

Report::Spread Report::spread(std::vector<double> values)
{
    auto const [low, high] = std::minmax_element(values.begin(), values.end());
    return {bench::median(values), *low, *high};
}

std::optional<Report::Spread> Report::of_subject(Row const& row) const
{
    auto const* const values = find(row.subject);
    if (!values) return std::nullopt;  // filtered out
    return spread(*values);
}

std::optional<Report::Spread> Report::of_comparison(Row const& row) const
{
    auto const* const ours = find(row.subject);
    auto const* const theirs = find(row.baseline);
    if (!ours || !theirs || row.against == Row::Against::nothing) return std::nullopt;
    std::vector<double> compared;
    for (std::size_t round = 0; round < std::min(ours->size(), theirs->size()); ++round) {
        double const a = (*ours)[round];
        double const b = (*theirs)[round];
        compared.push_back(row.against == Row::Against::ratio ? a / b : a - b);
    }
    return spread(compared);
}

/// The number that the target is about.
std::optional<Report::Spread> Report::judged(Row const& row) const
{
    return row.against == Row::Against::nothing ? of_subject(row) : of_comparison(row);
}

bool Report::all_met() const
{
    return std::all_of(lines_.begin(), lines_.end(), [this](Line const& line) {
        if (!line.row || !line.row->target) return true;
        auto const number = judged(*line.row);
        return !number || line.row->target->is_met_by(number->median);
    });
}

void Report::print() const
{
    for (auto const& [heading, row] : lines_) {
        if (!row) {
            std::printf("\n%-62s %8s %17s %9s %15s %9s\n", heading.c_str(), "median", "low .. high",
                        "compared", "low .. high", "target");
            continue;
        }
        auto const own = of_subject(*row);
        if (!own) continue;
        std::string const range = short_number(own->low) + " .. " + short_number(own->high);
        std::printf("%-62s %8s %17s", (row->what + (row->unit.empty() ? "" : ", " + row->unit)).c_str(),
                    short_number(own->median).c_str(), range.c_str());
        if (auto const compared = of_comparison(*row)) {
            bool const ratio = row->against == Row::Against::ratio;
            std::string const number = (ratio ? "x " : "+ ") + short_number(compared->median);
            std::string const spread = short_number(compared->low) + " .. " + short_number(compared->high);
            std::printf(" %9s %15s", number.c_str(), spread.c_str());
        } else {
            std::printf(" %9s %15s", "", "");
        }
        if (auto const number = judged(*row); number && row->target) {
            std::printf(" %9s %s", text_of(*row->target).c_str(),
                        row->target->is_met_by(number->median) ? "ok" : "MISSED");
        }
        std::printf("\n");
    }
}

void Report::print_json() const
{
    for (auto const& line : lines_) {
        if (!line.row) continue;
        Row const& row = *line.row;
        auto const own = of_subject(row);
        if (!own) continue;
        std::printf(R"({"what":"%s","unit":"%s","median":%.6g,"low":%.6g,"high":%.6g)", row.what.c_str(),
                    row.unit.c_str(), own->median, own->low, own->high);
        if (auto const compared = of_comparison(row)) {
            std::printf(R"(,"baseline":"%s","%s":%.6g,"compared_low":%.6g,"compared_high":%.6g)",
                        row.baseline.c_str(), row.against == Row::Against::ratio ? "ratio" : "difference",
                        compared->median, compared->low, compared->high);
        }
        if (auto const number = judged(row); number && row.target) {
            std::printf(R"(,"%s":%.6g,"met":%s)",
                        row.target->kind == Target::Kind::at_least ? "at_least" : "at_most",
                        row.target->value, row.target->is_met_by(number->median) ? "true" : "false");
        }
        std::printf("}\n");
    }
}

}  // namespace ration::bench
