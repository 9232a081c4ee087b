#pragma once

#include <ration/types.hpp>

#include <chrono>
#include <concepts>
#include <initializer_list>
#include <limits>
#include <ranges>
#include <ratio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ration::detail {

template <class T>
inline constexpr bool is_chrono_duration = false;
template <class Rep, class Period>
inline constexpr bool is_chrono_duration<std::chrono::duration<Rep, Period>> = true;

/// Tells a span of time from a completion token.
template <class T>
concept ChronoDuration = is_chrono_duration<std::remove_cvref_t<T>>;

/// A span of time in any unit, as whole microseconds: rounded up, so that nothing ends early, and what is too large for
/// them is the most there is.
class AnyDuration {
public:
    template <class Rep, class Period>
    constexpr AnyDuration(std::chrono::duration<Rep, Period> span)  // implicit: 1s, 1500us, 0.5h
        : value_{to_micros(span)}
    {}

    constexpr operator Duration() const noexcept { return value_; }

private:
    template <class Rep, class Period>
    static constexpr Duration to_micros(std::chrono::duration<Rep, Period> span)
    {
        using Wide = std::chrono::duration<long double, std::micro>;
        auto const wide = std::chrono::duration_cast<Wide>(span);
        if (wide >= Wide{Duration::max()}) return Duration::max();
        if (wide <= Wide{Duration::min()}) return Duration::min();
        return std::chrono::ceil<Duration>(span);
    }

    Duration value_;
};

template <class T>
concept Text = std::convertible_to<T, std::string_view>;

template <class T>
concept TextRange = std::ranges::input_range<T> && Text<std::ranges::range_reference_t<T>>;

template <class T>
concept TextPair = Text<decltype(T::first)> && Text<decltype(T::second)>;

template <class T>
concept EntryRange = std::ranges::input_range<T> && TextPair<std::ranges::range_value_t<T>>;

/// Fields as anybody writes them: {"ann", "bob"}, a vector, a set, a span of texts.
class FieldList {
public:
    FieldList(std::initializer_list<std::string_view> fields) : texts{fields.begin(), fields.end()} {}

    template <class Range>
        requires(TextRange<Range const> && !Text<Range const&>)
    FieldList(Range const& fields)  // implicit, as above
    {
        for (auto const& field : fields) texts.emplace_back(std::string_view{field});
    }

    std::vector<std::string> texts;
};

/// Fields with their values: {{"ann", "1"}, {"bob", "2"}}, a map, a vector of pairs.
class EntryList {
public:
    using Entry = std::pair<std::string, std::string>;

    EntryList(std::initializer_list<std::pair<std::string_view, std::string_view>> list)
        : entries{list.begin(), list.end()}
    {}

    template <class Range>
        requires(EntryRange<Range const>)
    EntryList(Range const& range)  // implicit, as above
    {
        for (auto const& entry : range)
            entries.emplace_back(std::string_view{entry.first}, std::string_view{entry.second});
    }

    std::vector<Entry> entries;
};

}  // namespace ration::detail
