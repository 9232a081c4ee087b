#include "core/url.hpp"

#include "core/ipv6.hpp"

#include <ration/error.hpp>

#include <algorithm>
#include <limits>
#include <optional>

namespace ration::core {
namespace {

constexpr std::string_view redis_form =
    "write redis://[user[:password]@]host[:port][/db], e.g. redis://127.0.0.1:6379";
constexpr std::string_view ipv6_form = "write an IPv6 address in brackets, e.g. redis://[::1]:6379";
constexpr std::string_view unix_form = "write unix:/path?db=0, e.g. unix:/run/redis/redis.sock";
constexpr std::string_view escape_hint =
    "write such a character as % and two hex digits, e.g. %40 for @, %2F for /, %25 for %";

constexpr bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
constexpr char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_letter(char c)
{
    return lower(c) >= 'a' && lower(c) <= 'z';
}
constexpr bool is_control(char c)
{
    return (c >= 0 && c < ' ') || c == '\x7F';
}

constexpr int hex_value(char c)
{
    if (is_digit(c)) return c - '0';
    return lower(c) >= 'a' && lower(c) <= 'f' ? lower(c) - 'a' + 10 : -1;
}

// A part of the URL that knows where it stands, so that errors can tell.
struct Part {
    std::string_view text;
    std::size_t at = 0;

    Part sub(std::size_t from, std::size_t count = std::string_view::npos) const
    {
        return {text.substr(from, count), at + from};
    }
    std::size_t find(std::string_view any_of) const
    {
        return std::min(text.find_first_of(any_of), text.size());
    }
};

// What is wrong must not quote the URL, see the header.
[[noreturn]] void fail(std::string_view what, std::size_t at, std::string_view instead)
{
    throw Error{Errc::invalid_argument, "store URL, character " + std::to_string(at + 1) + ": "
                                            + std::string{what} + "; " + std::string{instead}};
}

std::string decoded(Part part)
{
    std::string out;
    for (std::size_t i = 0; i < part.text.size(); ++i) {
        if (part.text[i] != '%') {
            out += part.text[i];
            continue;
        }
        int const high = i + 2 < part.text.size() ? hex_value(part.text[i + 1]) : -1;
        int const low = i + 2 < part.text.size() ? hex_value(part.text[i + 2]) : -1;
        if (high < 0 || low < 0) fail("\"%\" is not followed by two hex digits", part.at + i, escape_hint);
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return out;
}

// Digits only, no leading zero, at most `most`.
std::optional<std::int64_t> number(std::string_view digits, std::int64_t most)
{
    if (digits.empty() || digits.size() > 10 || !std::all_of(digits.begin(), digits.end(), is_digit))
        return {};
    if (digits.size() > 1 && digits.front() == '0') return {};
    std::int64_t value = 0;
    for (char const c : digits) value = value * 10 + (c - '0');
    return value <= most ? std::optional{value} : std::nullopt;
}

std::int32_t parse_db(Part part, std::string_view form)
{
    auto const db = number(part.text, std::numeric_limits<std::int32_t>::max());
    if (!db) fail("the database is not a number from 0 to 2147483647", part.at, form);
    return static_cast<std::int32_t>(*db);
}

// ---- memory ----

StoreUrl parse_memory(Part rest)
{
    if (rest.text.starts_with("//")) fail("unexpected \"//\"", rest.at, "write memory: or memory:NAME");
    if (rest.text.size() > 1024) fail("the name is longer than 1024 bytes", rest.at, "use a shorter one");
    StoreUrl url;
    url.name = rest.text;
    return url;
}

// ---- unix ----

StoreUrl parse_unix(Part rest)
{
    static constexpr std::size_t longest_path = 107;  // what the system's socket address has room for
    StoreUrl url{.kind = StoreUrl::Kind::unix_socket};
    if (rest.text.starts_with("//")) {  // unix:///path is how others write it
        rest = rest.sub(2);
        if (!rest.text.starts_with('/')) fail("a host has no place in a unix: URL", rest.at, unix_form);
    }
    auto const path = rest.sub(0, rest.find("?#"));
    if (!path.text.starts_with('/')) fail("expected an absolute path", path.at, unix_form);
    url.path = decoded(path);
    if (url.path.size() > longest_path)
        fail("the path is longer than 107 bytes, the system's limit", path.at, unix_form);
    if (url.path.find('\0') != std::string::npos) fail("a zero byte in the path", path.at, unix_form);

    auto const query = rest.sub(path.text.size());
    if (query.text.empty()) return url;
    if (!query.text.starts_with("?db=")) fail("expected ?db=n or the end", query.at, unix_form);
    url.db = parse_db(query.sub(4), unix_form);
    return url;
}

// ---- redis ----

void parse_credentials(StoreUrl& url, Part part)
{
    if (auto const bad = part.find("@[]"); bad < part.text.size()) {
        fail("a character that must be encoded in the user or password", part.at + bad, escape_hint);
    }
    auto const colon = part.find(":");
    url.user = decoded(part.sub(0, colon));
    if (colon < part.text.size()) url.password = decoded(part.sub(colon + 1));
}

void parse_port(StoreUrl& url, Part part)
{
    auto const port = number(part.text, std::numeric_limits<std::uint16_t>::max());
    if (!port || *port == 0) fail("the port is not a number from 1 to 65535", part.at, redis_form);
    url.port = static_cast<std::uint16_t>(*port);
}

void parse_ipv6_and_port(StoreUrl& url, Part part)
{
    auto const close = part.find("]");
    url.host = part.text.substr(1, close - 1);
    if (close == part.text.size() || !is_ipv6(url.host)) {
        fail("not an IPv6 address in brackets", part.at, ipv6_form);
    }
    auto const rest = part.sub(close + 1);
    if (rest.text.empty()) return;
    if (rest.text.front() != ':') fail("expected a port or the end after the bracket", rest.at, ipv6_form);
    parse_port(url, rest.sub(1));
}

void parse_host_and_port(StoreUrl& url, Part part)
{
    if (part.text.starts_with('[')) return parse_ipv6_and_port(url, part);
    auto const colon = part.find(":");
    auto const host = part.sub(0, colon);
    auto const port = part.sub(std::min(colon + 1, part.text.size()));
    if (auto const second = port.find(":"); second < port.text.size()) {
        fail("more than one \":\"", port.at + second, ipv6_form);
    }
    if (host.text.empty()) fail("the host is missing", host.at, redis_form);
    auto const fits = [](char c) { return is_digit(c) || is_letter(c) || c == '.' || c == '-' || c == '_'; };
    auto const good = std::find_if_not(host.text.begin(), host.text.end(), fits) - host.text.begin();
    if (auto const bad = static_cast<std::size_t>(good); bad < host.text.size()) {
        fail("a character that no host name has", host.at + bad, redis_form);
    }
    if (host.text.size() > 253) fail("the host is longer than 253 characters", host.at, redis_form);
    url.host = host.text;
    if (colon < part.text.size()) parse_port(url, port);
}

StoreUrl parse_redis(Part rest, bool tls)
{
    StoreUrl url{.kind = StoreUrl::Kind::redis, .tls = tls};
    if (!rest.text.starts_with("//")) fail("expected \"//\"", rest.at, redis_form);
    rest = rest.sub(2);
    auto const authority = rest.sub(0, rest.find("/?#"));
    auto const tail = rest.sub(authority.text.size());
    // Most likely a password that was not encoded.
    if (tail.find("@") < tail.text.size()) {
        fail("a character that must be encoded in the user or password", tail.at, escape_hint);
    }
    if (auto const at = authority.text.rfind('@'); at != std::string_view::npos) {
        parse_credentials(url, authority.sub(0, at));
        parse_host_and_port(url, authority.sub(at + 1));
    } else {
        parse_host_and_port(url, authority);
    }
    if (tail.text.empty() || tail.text == "/") return url;
    if (tail.text.front() != '/') fail("expected /db or the end", tail.at, redis_form);
    url.db = parse_db(tail.sub(1), redis_form);
    return url;
}

// ---- writing ----

std::string encoded(std::string_view text, std::string_view also_allowed)
{
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    for (char const c : text) {
        if (is_letter(c) || is_digit(c) || also_allowed.find(c) != also_allowed.npos) {
            out += c;
        } else {
            auto const byte = static_cast<unsigned char>(c);
            out += {'%', digits[byte >> 4], digits[byte & 0xF]};
        }
    }
    return out;
}

std::string unix_to_string(StoreUrl const& url)
{
    std::string text = url.path.starts_with("//") ? "unix://" : "unix:";  // else it would begin with a host
    text += encoded(url.path, "/-._~");
    return url.db != 0 ? text + "?db=" + std::to_string(url.db) : text;
}

std::string redis_to_string(StoreUrl const& url)
{
    std::string text = url.tls ? "rediss://" : "redis://";
    if (!url.password.empty()) {
        text += encoded(url.user, "-._~") + ":***@";
    } else if (!url.user.empty()) {
        text += "***@";  // often a password whose colon was forgotten
    }
    bool const ipv6 = url.host.find(':') != std::string::npos;
    text += ipv6 ? "[" + url.host + "]" : url.host;
    return text + ":" + std::to_string(url.port) + "/" + std::to_string(url.db);
}

}  // namespace

StoreUrl parse_store_url(std::string_view text)
{
    auto const unprintable =
        std::find_if(text.begin(), text.end(), [](char c) { return c == ' ' || is_control(c); });
    if (unprintable != text.end()) {
        fail(*unprintable == ' ' ? "a space" : "a control character",
             static_cast<std::size_t>(unprintable - text.begin()),
             "leave it out; in a user, password or path write it as % and two hex digits, e.g. %20");
    }
    Part const url{text};
    auto const colon = url.find(":");
    std::string scheme{text.substr(0, colon)};
    std::transform(scheme.begin(), scheme.end(), scheme.begin(), lower);
    if (colon < text.size()) {
        auto const rest = url.sub(colon + 1);
        if (scheme == "memory") return parse_memory(rest);
        if (scheme == "redis") return parse_redis(rest, false);
        if (scheme == "rediss") return parse_redis(rest, true);
        if (scheme == "unix") return parse_unix(rest);
    }
    fail(text.empty() ? "it is empty" : "unknown scheme", 0,
         "begin with memory:, redis://, rediss:// or unix:/");
}

std::string to_string(StoreUrl const& url)
{
    switch (url.kind) {
    case StoreUrl::Kind::memory: return "memory:" + url.name;
    case StoreUrl::Kind::redis: return redis_to_string(url);
    case StoreUrl::Kind::unix_socket: return unix_to_string(url);
    }
    return {};
}

}  // namespace ration::core
