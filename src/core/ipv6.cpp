#include "core/ipv6.hpp"

namespace ration::core {
namespace {

bool is_group(std::string_view text) noexcept
{
    return !text.empty() && text.size() <= 4
           && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

bool is_byte(std::string_view text) noexcept
{
    if (text.empty() || text.size() > 3 || (text.size() > 1 && text.front() == '0')) return false;
    if (text.find_first_not_of("0123456789") != std::string_view::npos) return false;
    return text.size() < 3 || text <= "255";
}

bool is_ipv4(std::string_view text) noexcept
{
    for (int bytes = 1;; ++bytes) {
        auto const dot = text.find('.');
        if (!is_byte(text.substr(0, dot))) return false;
        if (dot == std::string_view::npos) return bytes == 4;
        text.remove_prefix(dot + 1);
    }
}

// How many 16-bit groups these are, of which the last may be an IPv4 address; -1: something else.
int count_groups(std::string_view text, bool ipv4_at_end) noexcept
{
    if (text.empty()) return 0;
    for (int groups = 1;; ++groups) {
        auto const colon = text.find(':');
        if (colon == std::string_view::npos) {
            if (is_group(text)) return groups;
            return ipv4_at_end && is_ipv4(text) ? groups + 1 : -1;
        }
        if (!is_group(text.substr(0, colon))) return -1;
        text.remove_prefix(colon + 1);
    }
}

}  // namespace

bool is_ipv6(std::string_view text) noexcept
{
    auto const gap = text.find("::");
    if (gap == std::string_view::npos) return count_groups(text, true) == 8;
    int const before = count_groups(text.substr(0, gap), false);
    int const after = count_groups(text.substr(gap + 2), true);
    return before >= 0 && after >= 0 && before + after <= 7;
}

}  // namespace ration::core
