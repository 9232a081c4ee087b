#include "core/time_zone.hpp"

#include <date/tz.h>

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>

namespace ration::core {
namespace {

// What date's own search expects of a name, checked first because names come from outside.
bool could_be_a_zone(std::string_view name)
{
    auto const fits = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '/'
               || c == '_' || c == '-' || c == '+';
    };
    return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), fits);
}

std::vector<TimeZone::Change> changes_of(date::time_zone const& zone)
{
    using date::sys_days;
    // Rates speak of 1970 to 2200; a window that is open in 1970 may have begun up to ten years before.
    constexpr date::sys_seconds from = sys_days{date::year{1900} / 1 / 1};
    constexpr date::sys_seconds to = sys_days{date::year{2300} / 1 / 1};

    std::vector<TimeZone::Change> changes;
    for (auto moment = from; moment < to;) {
        auto const info = zone.get_info(moment);
        // Clocks that only changed their name (MST to PDT) go on as before.
        if (changes.empty() || changes.back().offset != info.offset) {
            changes.push_back({changes.empty() ? Time::min() : Time{moment}, info.offset});
        }
        moment = std::max(info.end, moment + std::chrono::seconds{1});
    }
    return changes;
}

std::optional<TimeZone> load(std::string_view name)
{
    if (!could_be_a_zone(name) || name == "localtime") return std::nullopt;
    // UTC needs no database, so that the default works on a machine without tzdata.
    if (name == "UTC") return TimeZone{"UTC", {{Time::min(), Duration{}}}};
    try {
        return TimeZone{std::string{name}, changes_of(*date::locate_zone(name))};
    } catch (std::exception const&) {  // unknown, or the system has no (readable) database
        return std::nullopt;
    }
}

struct Zones {
    std::shared_mutex mutex;
    std::map<std::string, TimeZone, std::less<>> by_name;  // a map: elements stay where they are
};

}  // namespace

TimeZone::TimeZone(std::string name, std::vector<Change> changes)
    : name_{std::move(name)}, changes_{std::move(changes)}
{}

ZoneSpan TimeZone::span_at(Time moment) const noexcept
{
    auto const next = std::upper_bound(changes_.begin() + 1, changes_.end(), moment,
                                       [](Time t, Change const& change) { return t < change.since; });
    return {(next - 1)->since, next == changes_.end() ? Time::max() : next->since, (next - 1)->offset};
}

TimeZone const* find_time_zone(std::string_view name)
{
    static Zones& zones = *new Zones;  // leaked on purpose, see the header
    {
        std::shared_lock const lock{zones.mutex};
        if (auto const found = zones.by_name.find(name); found != zones.by_name.end()) return &found->second;
    }
    // Loaded under the lock: date reads each zone's file on first use, and one reader at a time is plain to
    // see for ThreadSanitizer too, which cannot look into date's library.
    std::unique_lock const lock{zones.mutex};
    if (auto const found = zones.by_name.find(name); found != zones.by_name.end()) return &found->second;
    auto loaded = load(name);
    if (!loaded) return nullptr;
    return &zones.by_name.try_emplace(std::string{name}, std::move(*loaded)).first->second;
}

}  // namespace ration::core
