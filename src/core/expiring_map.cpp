#include "core/expiring_map.hpp"

#include <iterator>

namespace ration::core {

bool ExpiringMap::put(std::string_view field, std::string value, Time until, bool if_absent, Time now)
{
    auto entry = fields_.find(field);
    if (entry == fields_.end()) {
        entry = fields_.emplace(std::string{field}, Content{}).first;
    } else if (if_absent && now < entry->second.until) {
        return false;
    }
    entry->second.value = std::move(value);
    reset_until(*entry, until);
    return true;
}

ExpiringMap::Fields::const_iterator ExpiringMap::find(std::string_view field, Time now) const
{
    auto const entry = fields_.find(field);
    return entry != fields_.end() && now < entry->second.until ? entry : fields_.end();
}

std::string const* ExpiringMap::get(std::string_view field, Time now) const
{
    auto const entry = find(field, now);
    return entry == fields_.end() ? nullptr : &entry->second.value;
}

std::optional<Time> ExpiringMap::until(std::string_view field, Time now) const
{
    auto const entry = find(field, now);
    if (entry == fields_.end()) return std::nullopt;
    return entry->second.until;
}

bool ExpiringMap::set_until(std::string_view field, Time until, Time now)
{
    if (find(field, now) == fields_.end()) return false;
    reset_until(*fields_.find(field), until);
    return true;
}

bool ExpiringMap::remove(std::string_view field, Time now)
{
    if (find(field, now) == fields_.end()) return false;
    auto const entry = fields_.find(field);
    reset_until(*entry, never);
    fields_.erase(entry);
    return true;
}

void ExpiringMap::clear()
{
    moments_.clear();
    fields_.clear();
}

std::size_t ExpiringMap::size(Time now) const
{
    auto const later = moments_.lower_bound({now + Duration{1}, {}});
    return fields_.size() - static_cast<std::size_t>(std::distance(moments_.begin(), later));
}

HashPage ExpiringMap::page(std::optional<std::string> const& from, std::size_t count, Time now) const
{
    HashPage page;
    auto entry = from ? fields_.lower_bound(*from) : fields_.begin();
    for (std::size_t seen = 0; entry != fields_.end(); ++entry) {
        if (seen++ == count) {
            page.next = entry->first;
            break;
        }
        if (now < entry->second.until) page.entries.push_back({entry->first, entry->second.value});
    }
    return page;
}

std::vector<HashEntry> ExpiringMap::sweep(std::size_t limit, Time now)
{
    std::vector<HashEntry> removed;
    while (removed.size() < limit && !moments_.empty() && moments_.begin()->first <= now) {
        auto const entry = fields_.find(moments_.begin()->second);
        moments_.erase(moments_.begin());
        auto node = fields_.extract(entry);
        removed.push_back({std::move(node.key()), std::move(node.mapped().value)});
    }
    return removed;
}

std::optional<Time> ExpiringMap::earliest() const
{
    if (moments_.empty()) return std::nullopt;
    return moments_.begin()->first;
}

void ExpiringMap::reset_until(Fields::value_type& entry, Time until)
{
    auto& [field, content] = entry;
    if (content.until == until) return;
    if (content.until != never) moments_.erase({content.until, field});
    content.until = until;
    if (until != never) moments_.emplace(until, field);
}

}  // namespace ration::core
