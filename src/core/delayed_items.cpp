#include "core/delayed_items.hpp"

#include <algorithm>
#include <charconv>

namespace ration::core {

std::string DelayedItems::offer(std::string value, Time due)
{
    Number const number = ++last_;
    auto const place = waiting_.emplace(std::pair{due, number}, number).first;
    values_.emplace(number, Content{std::move(value), place});
    return std::to_string(number);
}

Taken DelayedItems::take(std::size_t count, std::optional<Duration> lease, Time now)
{
    return_unacked(now);
    Taken taken;
    while (taken.items.size() < count && !waiting_.empty() && waiting_.begin()->first.first <= now) {
        Number const number = waiting_.begin()->second;
        auto const entry = values_.find(number);
        waiting_.erase(waiting_.begin());
        if (lease) {
            taken.items.push_back({std::to_string(number), entry->second.value});
            entry->second.is_leased = true;
            entry->second.place = leased_.emplace(std::pair{now + *lease, number}, number).first;
        } else {
            taken.items.push_back({std::to_string(number), std::move(entry->second.value)});
            values_.erase(entry);
        }
    }
    if (auto const next = earliest()) taken.next_in = std::max(*next - now, Duration{});
    return taken;
}

bool DelayedItems::ack(std::string_view id, Time now)
{
    return_unacked(now);
    auto const entry = find(id);
    if (entry == values_.end() || !entry->second.is_leased) return false;
    leased_.erase(entry->second.place);
    values_.erase(entry);
    return true;
}

bool DelayedItems::cancel(std::string_view id, Time now)
{
    return_unacked(now);
    auto const entry = find(id);
    if (entry == values_.end() || entry->second.is_leased) return false;
    waiting_.erase(entry->second.place);
    values_.erase(entry);
    return true;
}

std::optional<Item> DelayedItems::peek(Time now)
{
    return_unacked(now);
    if (waiting_.empty()) return std::nullopt;
    Number const number = waiting_.begin()->second;
    return Item{std::to_string(number), values_.at(number).value};
}

std::size_t DelayedItems::size(Time now)
{
    return_unacked(now);
    return waiting_.size();
}

std::optional<Time> DelayedItems::earliest() const
{
    std::optional<Time> moment;
    if (!waiting_.empty()) moment = waiting_.begin()->first.first;
    if (!leased_.empty()) moment = std::min(moment.value_or(Time::max()), leased_.begin()->first.first);
    return moment;
}

std::unordered_map<DelayedItems::Number, DelayedItems::Content>::iterator DelayedItems::find(
    std::string_view id)
{
    Number number = 0;
    auto const* const end = id.data() + id.size();
    auto const [stop, error] = std::from_chars(id.data(), end, number);
    return error == std::errc{} && stop == end ? values_.find(number) : values_.end();
}

void DelayedItems::return_unacked(Time now)
{
    while (!leased_.empty() && leased_.begin()->first.first <= now) {
        auto node = leased_.extract(leased_.begin());
        auto& content = values_.at(node.mapped());
        content.is_leased = false;
        content.place = waiting_.insert(std::move(node)).position;
    }
}

}  // namespace ration::core
