#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ration::core {

/// Where a store is:
///
///     memory:                                            in this process, for one client
///     memory:NAME                                        in this process, shared by all who give that name
///     redis://[user[:password]@]host[:port][/db]         rediss:// is the same with TLS
///     unix:/path/of/the/socket[?db=n]
struct StoreUrl {
    enum class Kind : std::uint8_t { memory, redis, unix_socket };
    static constexpr std::uint16_t default_port = 6379;

    Kind kind = Kind::memory;
    std::string name{};                 ///< memory: empty if not shared, else 1 to 1024 bytes
    bool tls = false;                   ///< redis
    std::string user{};                 ///< redis: decoded; empty if none
    std::string password{};             ///< redis: decoded; empty if none
    std::string host{};                 ///< redis: a name or an address, IPv6 without brackets
    std::uint16_t port = default_port;  ///< redis
    std::string path{};                 ///< unix_socket: decoded, absolute
    std::int32_t db = 0;                ///< redis and unix_socket

    friend bool operator==(StoreUrl const&, StoreUrl const&) = default;
};

/// Throws Error (invalid_argument) that says what is wrong, at which character, and what to write instead.
///
/// The text of the error never quotes the URL: where a URL is malformed, any of its parts may belong to a
/// password (in redis://user:secret/0 the host is missing and "secret" stands where a port would).
StoreUrl parse_store_url(std::string_view url);

/// In full, with defaults filled in and *** for a password, e.g. "redis://app:***@db.internal:6379/0", or for a
/// user without one, who is often a password whose colon was forgotten. Apart from these, parse_store_url reads
/// it back as the same.
std::string to_string(StoreUrl const& url);

}  // namespace ration::core
