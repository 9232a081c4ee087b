#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ration::bench {

/// What a row promises: at least or at most so much, of the number the row is about.
struct Target {
    enum class Kind : std::uint8_t { at_least, at_most };

    Kind kind;
    double value;

    bool is_met_by(double number) const { return kind == Kind::at_least ? number >= value : number <= value; }
};

constexpr Target at_least(double value)
{
    return {Target::Kind::at_least, value};
}
constexpr Target at_most(double value)
{
    return {Target::Kind::at_most, value};
}

/// One line of the report: a subject by itself, or against something measured in the same rounds.
struct Row {
    enum class Against : std::uint8_t { nothing, ratio, difference };

    std::string what;
    std::string unit;
    std::string subject;                 ///< the name under which it was recorded
    std::string baseline{};              ///< and what it is compared with
    Against against = Against::nothing;  ///< what the target is about
    std::optional<Target> target{};
};

/// Requires: at least one.
double median(std::vector<double> values);

/// Collects what every round measures and prints the rows, as medians over the rounds and the range they span.
///
/// A ratio is taken round by round, because a neighbour who slows down one round slows down both of its sides.
class Report {
public:
    void record(std::string const& name, double value) { values_[name].push_back(value); }
    void heading(std::string text) { lines_.push_back({std::move(text), {}}); }
    void row(Row row) { lines_.push_back({{}, std::move(row)}); }

    void print() const;
    void print_json() const;  ///< an object per line
    bool all_met() const;

private:
    struct Line {
        std::string heading;
        std::optional<Row> row;
    };
    struct Spread {
        double median;
        double low;
        double high;
    };

    std::vector<double> const* find(std::string const& name) const;
    std::optional<Spread> of_subject(Row const& row) const;
    std::optional<Spread> of_comparison(Row const& row) const;
    std::optional<Spread> judged(Row const& row) const;
    static Spread spread(std::vector<double> values);

    std::map<std::string, std::vector<double>> values_;
    std::vector<Line> lines_;
};

}  // namespace ration::bench
