#include "cli/demo_check.hpp"

#include "cli/text.hpp"

#include <algorithm>

namespace ration::cli {

namespace {

using Grants = std::vector<DemoGrant>;
__extension__ typedef __int128 Wide;  // permits x microseconds does not fit 64 bits for every rate

/// The most grants in any (t - span, t].
Permits fullest_span(Grants const& grants, Duration span)
{
    std::size_t most = 0;
    for (std::size_t first = 0, last = 0; last < grants.size(); ++last) {
        while (grants[first].at <= grants[last].at - span) ++first;
        most = std::max(most, last - first + 1);
    }
    return static_cast<Permits>(most);
}

std::string most_text(Permits most)
{
    return "(most: " + std::to_string(most) + ")";
}

CheckResult check_sliding_log(Rate const& rate, Grants const& grants)
{
    Permits const most = fullest_span(grants, rate.interval());
    return {most <= rate.permits(), most, rate.permits(),
            "no span of " + span_text(rate.interval()) + " held more than " + std::to_string(rate.permits())
                + " " + most_text(most)};
}

/// A grant at or after the end of the window opens the next one; `ends(grant)` says when that one ends.
template <class Ends>
CheckResult check_windows(Grants const& grants, Permits limit, std::string const& kind, Ends ends)
{
    Permits most = 0;
    Permits held = 0;
    std::int64_t windows = 0;
    Duration end{};
    for (auto const& grant : grants) {
        if (windows == 0 || grant.at >= end) {
            ++windows;
            held = 0;
            end = ends(grant);
        }
        most = std::max(most, ++held);
    }
    return {most <= limit, most, limit,
            "none of " + count_text(windows, "window") + " " + kind + " held more than "
                + std::to_string(limit) + " " + most_text(most)};
}

/// n grants in a span T never exceed capacity + T x permits / interval. Multiplied by the interval, and with
/// grants numbered from 0:
///     (last + 1 - first) x interval - (t_last - t_first) x permits <= capacity x interval.
CheckResult check_token_bucket(Rate const& rate, Grants const& grants)
{
    Wide const interval = rate.interval().count();
    Wide const permits = rate.permits();
    Wide const allowed = interval * rate.capacity();
    Wide least = 0;  // of first x interval - t_first x permits
    bool holds = true;
    for (std::size_t i = 0; i < grants.size(); ++i) {
        Wide const level = static_cast<Wide>(i) * interval - grants[i].at.count() * permits;
        least = i == 0 ? level : std::min(least, level);
        holds = holds && level + interval - least <= allowed;
    }
    Permits const most = fullest_span(grants, rate.interval());
    return {holds, most, rate.capacity() + rate.permits(),
            "no span of time held more than the bucket's " + std::to_string(rate.capacity())
                + " and the refill of " + std::to_string(rate.permits()) + " per "
                + span_text(rate.interval()) + " (most in " + span_text(rate.interval()) + ": "
                + std::to_string(most) + ")"};
}

/// E.g. "of day@Asia/Shanghai".
std::string calendar_kind(Rate const& rate)
{
    auto const text = to_string(rate);
    return "of " + text.substr(text.find('/') + 1);
}

}  // namespace

CheckResult check_grants(LimiterConfig const& config, Grants const& grants)
{
    Rate const& rate = config.rate;
    switch (config.algorithm) {
    case Algorithm::sliding_log: return check_sliding_log(rate, grants);
    case Algorithm::fixed_window:
        return check_windows(grants, rate.permits(), "of " + span_text(rate.interval()),
                             [&](DemoGrant const& opening) { return opening.at + rate.interval(); });
    case Algorithm::calendar_window:
        return check_windows(grants, rate.permits(), calendar_kind(rate),
                             [](DemoGrant const& opening) { return opening.at + opening.reset_after; });
    case Algorithm::token_bucket: return check_token_bucket(rate, grants);
    }
    return {};
}

std::string check_sentence(CheckResult const& result, std::size_t grants)
{
    auto const count = count_text(static_cast<std::int64_t>(grants), "grant");
    return result.holds ? "checked: " + count + ", " + result.promise
                        : "broken: " + count + "; it should be that " + result.promise;
}

}  // namespace ration::cli
