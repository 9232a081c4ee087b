// Rates as text: PERMITS/[COUNT]UNIT[;burst=N][@ZONE], e.g. 5/2s, 60/m;burst=10, 10000/day@Asia/Shanghai.
//
// A zone makes it a calendar rate, and so do month and year, whose length only a calendar knows (UTC unless a
// zone is given). Everything else is elapsed time: 100/day is 100 per 24 hours. Strict on purpose: a rate
// that was mistyped must not silently become another rate.

#include "core/quote.hpp"
#include "core/rate_bounds.hpp"
#include "core/time_zone.hpp"

#include <ration/rate.hpp>

#include <algorithm>
#include <iterator>

namespace ration {
namespace {

using core::quoted;

struct Unit {
    std::string_view spellings;  // separated by spaces, the one that to_string writes first
    Duration length;             // zero: only a calendar knows
    std::optional<CalendarUnit> calendar;
    std::string_view plural;  // what to_string writes behind a count
};

constexpr Unit units[] = {
    {"week w weeks", std::chrono::days{7}, CalendarUnit::week, "weeks"},
    {"day d days", std::chrono::days{1}, CalendarUnit::day, "days"},
    {"h hour hours", std::chrono::hours{1}, CalendarUnit::hour, "h"},
    {"m min minute minutes", std::chrono::minutes{1}, CalendarUnit::minute, "m"},
    {"s sec second seconds", std::chrono::seconds{1}, CalendarUnit::second, "s"},
    {"ms", std::chrono::milliseconds{1}, std::nullopt, "ms"},
    {"us", std::chrono::microseconds{1}, std::nullopt, "us"},
    {"month months", Duration{}, CalendarUnit::month, "months"},
    {"year y years", Duration{}, CalendarUnit::year, "years"},
};

bool is_spelling_of(Unit const& unit, std::string_view word)
{
    for (auto rest = unit.spellings; !rest.empty();) {
        auto const end = std::min(rest.find(' '), rest.size());
        if (rest.substr(0, end) == word) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

std::string count_and_unit(std::int64_t count, Unit const& unit)
{
    if (count != 1) return std::to_string(count) + std::string{unit.plural};
    return std::string{unit.spellings.substr(0, unit.spellings.find(' '))};
}

constexpr bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

class Parser {
public:
    explicit Parser(std::string_view text) : text_{text} {}

    /// Nothing: problem() says why.
    std::optional<Rate> parse()
    {
        auto const permits = read_number("permits", Rate::max_permits, "write permits/interval, e.g. 5/2s");
        if (!permits) return std::nullopt;
        if (!next_is('/')) return fail_at(position_, "expected \"/\"", "write permits/interval, e.g. 5/2s");
        ++position_;
        auto const interval = read_interval();
        if (!interval) return std::nullopt;
        auto const burst_at = position_;
        auto const burst = read_burst();
        if (!burst) return std::nullopt;
        if (position_ < text_.size() && !next_is('@')) {
            return fail_at(position_, "expected the end", "only ;burst=N or @ZONE may follow the interval");
        }
        bool const calendar = next_is('@') || interval->unit->length == Duration{};
        if (!calendar) return elapsed(*permits, *interval, *burst);
        if (*burst != 0) return burst_on_calendar(burst_at);
        return on_calendar(*permits, *interval);
    }

    std::string problem() const { return "rate " + quoted(text_) + ": " + problem_; }

private:
    struct Interval {
        std::int64_t count;
        Unit const* unit;
        std::size_t count_at;
        std::size_t unit_at;
    };

    bool next_is(char c) const { return position_ < text_.size() && text_[position_] == c; }

    static std::string at(std::size_t position) { return " at character " + std::to_string(position + 1); }

    std::nullopt_t fail(std::string what, std::string_view hint)
    {
        problem_ = std::move(what) + "; " + std::string{hint};
        return std::nullopt;
    }

    std::nullopt_t fail_at(std::size_t position, std::string what, std::string_view hint)
    {
        auto const found = position < text_.size() ? quoted(text_.substr(position, 1)) : "the end";
        return fail(std::move(what) + at(position) + ", found " + found, hint);
    }

    // From 1 to `most`; without sign, space or leading zero.
    std::optional<std::int64_t> read_number(std::string const& name, std::int64_t most, std::string_view hint)
    {
        auto const begin = position_;
        std::int64_t value = 0;
        while (position_ < text_.size() && is_digit(text_[position_])) {
            // `most` is far from overflow, and once above it the exact value no longer matters.
            value = std::min(value * 10 + (text_[position_] - '0'), most + 1);
            ++position_;
        }
        auto const digits = text_.substr(begin, position_ - begin);
        if (digits.empty()) return fail_at(begin, "expected a number (" + name + ")", hint);
        if (value < 1 || value > most) {
            auto const found = std::string{digits.substr(0, 24)} + (digits.size() > 24 ? "..." : "");
            return fail(name + at(begin) + " must be 1 to " + std::to_string(most) + ", not " + found, hint);
        }
        if (digits.front() == '0')
            return fail(name + at(begin) + " must not begin with 0", "leave out the zeros");
        return value;
    }

    std::optional<Interval> read_interval()
    {
        static constexpr std::string_view hint = "use ms, s, m, h, day, week, month or year";
        Interval interval{1, nullptr, position_, position_};
        if (position_ < text_.size() && is_digit(text_[position_])) {
            auto const count =
                read_number("the interval's count", Rate::max_interval.count(), "write e.g. 5/2s");
            if (!count) return std::nullopt;
            interval.count = *count;
        }
        interval.unit_at = position_;
        while (position_ < text_.size() && is_letter(text_[position_])) ++position_;
        auto const word = text_.substr(interval.unit_at, position_ - interval.unit_at);
        if (word.empty()) return fail_at(interval.unit_at, "expected a unit", hint);
        auto const unit = std::find_if(std::begin(units), std::end(units),
                                       [&](Unit const& u) { return is_spelling_of(u, word); });
        if (unit == std::end(units))
            return fail("unknown unit " + quoted(word, 24) + at(interval.unit_at), hint);
        interval.unit = unit;
        return interval;
    }

    // 0: none was given.
    std::optional<Permits> read_burst()
    {
        if (!next_is(';')) return 0;
        ++position_;
        static constexpr std::string_view name = "burst=";
        if (text_.substr(position_, name.size()) != name) {
            return fail_at(position_, "expected \"burst=\"", "write e.g. 60/m;burst=10");
        }
        position_ += name.size();
        return read_number("burst", Rate::max_permits, "write e.g. 60/m;burst=10");
    }

    std::optional<Rate> elapsed(Permits permits, Interval const& interval, Permits burst)
    {
        auto const length = interval.unit->length;
        if (interval.count > Rate::max_interval / length)
            return too_long(interval, Rate::max_interval / length);
        if (interval.count * length < Rate::min_interval) {
            return fail("the interval" + at(interval.count_at) + " is too short", "1 ms is the shortest");
        }
        auto const rate = Rate::per(permits, interval.count * length);
        return burst != 0 ? rate.with_burst(burst) : rate;
    }

    std::optional<Rate> on_calendar(Permits permits, Interval const& interval)
    {
        auto const unit = interval.unit->calendar;
        if (!unit) {
            return fail(quoted(interval.unit->spellings) + at(interval.unit_at)
                            + " is not a unit of the calendar",
                        "use s, m, h, day, week, month or year with a time zone");
        }
        if (interval.count > core::max_every(*unit)) return too_long(interval, core::max_every(*unit));
        auto const every = static_cast<int>(interval.count);
        if (!next_is('@')) return Rate::calendar(permits, *unit, "UTC", every);

        ++position_;
        auto const zone = text_.substr(position_);
        if (zone.empty()) return fail_at(position_, "expected a time zone", core::time_zone_hint);
        if (auto const burst = zone.find(";burst="); burst != zone.npos) {
            return burst_on_calendar(position_ + burst);
        }
        if (core::find_time_zone(zone) == nullptr) {
            return fail("unknown time zone " + quoted(zone, 40) + at(position_), core::time_zone_hint);
        }
        return Rate::calendar(permits, *unit, zone, every);
    }

    std::nullopt_t burst_on_calendar(std::size_t position)
    {
        return fail("a calendar rate cannot have the burst" + at(position),
                    "leave it out, or give elapsed time without a zone, e.g. 24h or 30days");
    }

    std::nullopt_t too_long(Interval const& interval, std::int64_t most)
    {
        return fail("the interval" + at(interval.count_at) + " is too long",
                    "10 years is the longest, here " + count_and_unit(most, *interval.unit));
    }

    std::string_view text_;
    std::size_t position_ = 0;
    std::string problem_;
};

}  // namespace

Rate Rate::parse(std::string_view text)
{
    Parser parser{text};
    if (auto const rate = parser.parse()) return *rate;
    throw Error{Errc::invalid_argument, parser.problem()};
}

std::optional<Rate> Rate::try_parse(std::string_view text)
{
    return Parser{text}.parse();
}

std::string to_string(Rate const& rate)
{
    auto text = std::to_string(rate.permits()) + "/";
    if (rate.is_calendar()) {
        auto const unit = std::find_if(std::begin(units), std::end(units),
                                       [&](Unit const& u) { return u.calendar == rate.unit(); });
        return text + count_and_unit(rate.every(), *unit) + "@" + std::string{rate.zone()};
    }
    // Sorted by length, and every interval is a whole number of microseconds: the largest unit that divides
    // it.
    auto const unit = std::find_if(std::begin(units), std::end(units),
                                   [&](Unit const& u) { return rate.interval() % u.length == Duration{}; });
    text += count_and_unit(rate.interval() / unit->length, *unit);
    if (auto const burst = rate.burst()) text += ";burst=" + std::to_string(*burst);
    return text;
}

}  // namespace ration
