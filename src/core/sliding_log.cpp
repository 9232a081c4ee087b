#include "core/sliding_log.hpp"

namespace ration::core {

namespace {

// Without a resolution, only grants of the same microsecond join.
constexpr Duration shortest_span{1};

}  // namespace

Verdict SlidingLogCell::take_at_other_time(SlidingLogParams const& params, Time now, Permits n,
                                           Duration resolution)
{
    purge(params.interval, now);
    Permits const left = params.permits - n - static_cast<Permits>(total_ - freed_);
    if (left < 0) return denial(params, now, n, freed_);

    Duration const span = std::max(resolution, shortest_span);
    if (total_ == freed_ || now >= last_) {
        append(now, n, span);
    } else {
        sort_in(now, n, span);
    }
    return {true, left, Duration{}, last_ + params.interval - now};
}

Verdict SlidingLogCell::look(SlidingLogParams const& params, Time now, Permits n) const
{
    std::uint64_t const freed = freed_at(params.interval, now);
    Permits const left = params.permits - n - static_cast<Permits>(total_ - freed);
    if (left < 0) return denial(params, now, n, freed);
    return {true, left, Duration{}, (total_ == freed ? now : std::max(now, last_)) + params.interval - now};
}

void SlidingLogCell::release(SlidingLogParams const& params, Time now, Permits n)
{
    purge(params.interval, now);
    std::uint64_t const in_use = total_ - freed_;
    if (static_cast<std::uint64_t>(n) >= in_use) {
        clear();
        return;
    }
    // Oldest first, so that what stays in use stays so for as long as it was granted.
    freed_ += static_cast<std::uint64_t>(n);
    std::uint64_t const in_use_now = total_ - freed_;
    older_.pop_front(older_.count_first([&](Entry const& e) { return total_ - e.total >= in_use_now; }));
}

void SlidingLogCell::change_rate(SlidingLogParams const& from, SlidingLogParams const& to, Time now)
{
    purge(from.interval, now);
    purge(to.interval, now);
}

Permits SlidingLogCell::available(SlidingLogParams const& params, Time now) const
{
    auto const in_use = static_cast<Permits>(total_ - freed_at(params.interval, now));
    return std::max<Permits>(params.permits - in_use, 0);
}

// The wait ends when the entry expires that covers what is lacking.
Verdict SlidingLogCell::denial(SlidingLogParams const& params, Time now, Permits n, std::uint64_t freed) const
{
    Permits const left = params.permits - static_cast<Permits>(total_ - freed);
    auto const lacking = static_cast<std::uint64_t>(n - left);
    // An entry that has expired, but is still here because `look` stores nothing, frees nothing more.
    std::uint64_t const expired = freed - freed_;
    std::size_t const i =
        older_.count_first([&](Entry const& e) { return e.total - freed_ < expired + lacking; });
    Time const covering = i < older_.size() ? older_[i].last : last_;
    return {false, std::max<Permits>(left, 0), covering + params.interval - now,
            last_ + params.interval - now};
}

void SlidingLogCell::append(Time now, Permits n, Duration span)
{
    bool const empty = total_ == freed_;
    if (empty || (now - first_ >= span && now != last_)) {
        if (!empty) older_.push_back({last_, total_});
        first_ = now;
    }
    last_ = now;
    total_ += static_cast<std::uint64_t>(n);
}

// Joins the next later entry if that is near enough. Else it gets an entry of its own, dated at the end of
// its span: were it dated `now`, the grants that follow it could not join, and one step back could fill the
// memory.
void SlidingLogCell::sort_in(Time now, Permits n, Duration span)
{
    auto const permits = static_cast<std::uint64_t>(n);
    std::size_t i = older_.count_first([&](Entry const& e) { return e.last < now; });
    Time const next = i < older_.size() ? older_[i].last : last_;
    if (next - now >= span) {
        std::uint64_t const before = i == 0 ? freed_ : older_[i - 1].total;
        older_.insert(i++, {now + span - shortest_span, before + permits});
    }
    for (; i < older_.size(); ++i) older_[i].total += permits;
    total_ += permits;
}

// Drops what is free at `now`.
void SlidingLogCell::purge(Duration interval, Time now)
{
    Time const horizon = now - interval;
    if (last_ <= horizon) {
        clear();
        return;
    }
    if (older_.size() == 0 || older_[0].last > horizon) return;
    std::size_t const expired = older_.count_first([&](Entry const& e) { return e.last <= horizon; });
    freed_ = older_[expired - 1].total;
    older_.pop_front(expired);
}

// As good as never used: a small block of memory may stay.
void SlidingLogCell::clear()
{
    total_ = freed_ = 0;
    first_ = last_ = Time{};
    older_.clear();
}

// What freed_ would be after purge.
std::uint64_t SlidingLogCell::freed_at(Duration interval, Time now) const
{
    Time const horizon = now - interval;
    if (last_ <= horizon) return total_;
    std::size_t const expired = older_.count_first([&](Entry const& e) { return e.last <= horizon; });
    return expired == 0 ? freed_ : older_[expired - 1].total;
}

}  // namespace ration::core
