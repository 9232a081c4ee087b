#pragma once

#include <string_view>

namespace ration::core {

/// An IPv6 address as RFC 4291 section 2.2 writes it, e.g. "::1", "2001:db8::7" or "::ffff:192.0.2.1"; no
/// zone.
bool is_ipv6(std::string_view text) noexcept;

}  // namespace ration::core
