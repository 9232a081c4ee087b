#pragma once

#include <ration/error.hpp>
#include <ration/types.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace ration {

/// A natural unit of time. Weeks begin on Monday.
enum class CalendarUnit : std::uint8_t { second, minute, hour, day, week, month, year };

/// Permits per interval: a value that reads like the requirement.
///
///     constexpr auto api   = Rate::per_minute(60).with_burst(10);
///     constexpr auto oops  = Rate::per_second(0);              // does not compile
///     auto           quota = Rate::calendar(10'000, CalendarUnit::day, "Asia/Shanghai");
///     auto           text  = Rate::parse("60/m;burst=10");     // throws Error for nonsense
///
/// Requires: 1 <= permits, burst <= 2^32 - 1; 1 ms <= interval <= 10 years. In a constant anything else
/// does not compile; at run time it throws Error with Errc::invalid_argument.
class Rate {
public:
    static constexpr Permits max_permits = 0xFFFF'FFFF;
    static constexpr Duration min_interval = std::chrono::milliseconds{1};
    static constexpr Duration max_interval = std::chrono::hours{24} * 3653;  // 10 years, leap days included

    static constexpr Rate per(Permits permits, Duration interval)
    {
        if (permits < 1 || permits > max_permits) reject_permits("permits", permits);
        if (interval < min_interval || interval > max_interval) reject_interval(interval);
        return Rate{permits, interval};
    }
    static constexpr Rate per_second(Permits permits) { return per(permits, std::chrono::seconds{1}); }
    static constexpr Rate per_minute(Permits permits) { return per(permits, std::chrono::minutes{1}); }
    static constexpr Rate per_hour(Permits permits) { return per(permits, std::chrono::hours{1}); }
    static constexpr Rate per_day(Permits permits) { return per(permits, std::chrono::hours{24}); }

    /// Permits per natural unit of a time zone, e.g. per day in "Asia/Shanghai" or, with `every` = 3, per
    /// quarter. Throws if the system does not know the zone.
    static Rate calendar(Permits permits, CalendarUnit unit, std::string_view zone = "UTC", int every = 1);

    /// The same rate with room for a burst of `burst` permits: makes it a token bucket's rate.
    constexpr Rate with_burst(Permits burst) const
    {
        if (is_calendar()) reject_burst_on_calendar();
        if (burst < 1 || burst > max_permits) reject_permits("burst", burst);
        Rate copy = *this;
        copy.burst_ = burst;
        return copy;
    }

    /// Reads "5/2s", "100/m", "1/500ms", "60/m;burst=10", "10000/day@Asia/Shanghai", "1/3months" …
    /// (grammar: docs/guide.md). Throws Error whose text points at the character that is wrong.
    static Rate parse(std::string_view text);

    /// The same for those who do not want exceptions; `ErrorCode` is std::error_code or Boost's. If `error` is
    /// set, the result is the tightest rate there is, so that ignoring the error lets nothing extra through.
    template <class ErrorCode>
    static Rate parse(std::string_view text, ErrorCode& error)
    {
        auto const rate = try_parse(text);
        error = rate ? ErrorCode{} : ErrorCode{make_error_code(Errc::invalid_argument)};
        return rate.value_or(Rate{1, max_interval});
    }

    constexpr Permits permits() const noexcept { return permits_; }

    /// The length of the window; of a calendar rate its longest nominal length (day 24 h, month 31 days).
    constexpr Duration interval() const noexcept { return interval_; }

    /// The most that can ever be granted at one moment: the burst, else the permits.
    constexpr Permits capacity() const noexcept { return burst_ ? burst_ : permits_; }

    constexpr std::optional<Permits> burst() const noexcept
    {
        return burst_ ? std::optional{burst_} : std::nullopt;
    }

    constexpr bool is_calendar() const noexcept { return every_ != 0; }
    constexpr CalendarUnit unit() const noexcept { return unit_; }      ///< Requires: is_calendar()
    constexpr int every() const noexcept { return every_; }             ///< Requires: is_calendar()
    constexpr std::string_view zone() const noexcept { return zone_; }  ///< Requires: is_calendar()

    friend constexpr bool operator==(Rate const&, Rate const&) = default;

private:
    constexpr Rate(Permits permits, Duration interval) noexcept : permits_{permits}, interval_{interval} {}

    // Not constexpr on purpose: reaching one of them in a constant expression is the compile-time error.
    [[noreturn]] static void reject_permits(char const* what, Permits value);
    [[noreturn]] static void reject_interval(Duration value);
    [[noreturn]] static void reject_burst_on_calendar();
    static std::optional<Rate> try_parse(std::string_view text);

    Permits permits_;
    Duration interval_;
    Permits burst_ = 0;        // 0: none was given
    std::string_view zone_{};  // lives as long as the process: it is the time zone database's own text
    int every_ = 0;            // 0: not a calendar rate
    CalendarUnit unit_{};
};

/// The shortest text that `Rate::parse` reads back as the same rate, e.g. "5/2s".
std::string to_string(Rate const& rate);

}  // namespace ration
