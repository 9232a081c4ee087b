#include <ration/rate.hpp>

#include "core/quote.hpp"
#include "core/rate_bounds.hpp"
#include "core/time_zone.hpp"

namespace ration {

Rate Rate::calendar(Permits permits, CalendarUnit unit, std::string_view zone, int every)
{
    if (permits < 1 || permits > max_permits) reject_permits("permits", permits);
    if (unit > CalendarUnit::year)
        throw Error{Errc::invalid_argument, "a rate's calendar unit is not one of CalendarUnit"};
    if (every < 1 || every > core::max_every(unit)) {
        throw Error{Errc::invalid_argument,
                    "a calendar rate must span 1 to " + std::to_string(core::max_every(unit))
                        + " of its units (10 years at most), not " + std::to_string(every)};
    }
    auto const* const known = core::find_time_zone(zone);
    if (known == nullptr) {
        throw Error{Errc::invalid_argument,
                    "unknown time zone " + core::quoted(zone) + "; " + std::string{core::time_zone_hint}};
    }
    Rate rate{permits, core::nominal_length(unit, every)};
    rate.zone_ = known->name();
    rate.every_ = every;
    rate.unit_ = unit;
    return rate;
}

void Rate::reject_permits(char const* what, Permits value)
{
    throw Error{Errc::invalid_argument, "a rate's " + std::string{what} + " must be 1 to "
                                            + std::to_string(max_permits) + ", not " + std::to_string(value)};
}

void Rate::reject_interval(Duration value)
{
    throw Error{Errc::invalid_argument, "a rate's interval must be 1 ms to 3653 days (10 years), not "
                                            + std::to_string(value.count()) + " us"};
}

void Rate::reject_burst_on_calendar()
{
    throw Error{Errc::invalid_argument,
                "a calendar rate cannot have a burst: a burst belongs to a token bucket, "
                "which refills evenly and knows no calendar; leave out with_burst or the "
                "calendar"};
}

}  // namespace ration
