#include "interop/stored.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <utility>

namespace ration::interop {

namespace {

std::string suffixed(std::string const& name, std::string const& suffix)
{
    return name.find('{') != name.npos ? name + ":" + suffix : "{" + name + "}:" + suffix;
}

std::string format_of(std::string const& member)
{
    auto const length_byte = static_cast<unsigned char>(member.empty() ? 0 : member[0]);
    if (member.size() == 8) return "fI";
    if (member.size() == 20 && member.compare(0, 8, std::string("\x08\0\0\0\0\0\0\0", 8)) == 0) return "Lc0I";
    // 8 random bytes up to Redisson 3.20.1, 16 since
    if ((member.size() == 13 || member.size() == 21) && member.size() == length_byte + 5U) return "Bc0I";
    return "unknown, " + std::to_string(member.size()) + " bytes";
}

}  // namespace

LimiterKeys::LimiterKeys(std::string const& name, std::string const& client_id)
    : config{name}, value{suffixed(name, "value")}, permits{suffixed(name, "permits")}
{
    if (client_id.empty()) return;
    value += ":" + client_id;
    permits += ":" + client_id;
}

Grant grant_of(std::string const& member, std::int64_t score)
{
    std::uint32_t permits = 0;
    if (member.size() >= sizeof permits)
        std::memcpy(&permits, member.data() + member.size() - sizeof permits, sizeof permits);
    return {.time_ms = score, .permits = permits, .format = format_of(member)};
}

Stored read_stored(redis_test::RespClient& redis, LimiterKeys const& keys)
{
    Stored stored;
    auto const fields = redis.list("HGETALL", keys.config);
    for (std::size_t i = 0; i < fields.size(); i += 2) stored.config[fields[i]] = fields[i + 1];
    if (auto const value = redis.command({"GET", keys.value}); value.kind == redis_test::Reply::Kind::text)
        stored.value = value.text;
    auto const log = redis.list("ZRANGE", keys.permits, 0, -1, "WITHSCORES");
    for (std::size_t i = 0; i < log.size(); i += 2)
        stored.log.push_back(grant_of(log[i], std::stoll(log[i + 1])));
    // Of the same millisecond, random bytes decide which comes first.
    std::stable_sort(stored.log.begin(), stored.log.end(), [](Grant const& a, Grant const& b) {
        return std::pair{a.time_ms, a.permits} < std::pair{b.time_ms, b.permits};
    });
    stored.config_ttl = redis.integer("PTTL", keys.config);
    stored.value_ttl = redis.integer("PTTL", keys.value);
    stored.log_ttl = redis.integer("PTTL", keys.permits);
    return stored;
}

std::string to_string(Stored const& stored)
{
    std::ostringstream text;
    text << "config {";
    for (auto const& [field, value] : stored.config) text << " " << field << "=" << value;
    text << " } ttl " << stored.config_ttl << ", value " << stored.value.value_or("none") << " ttl "
         << stored.value_ttl << ", log {";
    for (auto const& grant : stored.log)
        text << " " << grant.permits << "@" << grant.time_ms << " " << grant.format;
    text << " } ttl " << stored.log_ttl;
    return text.str();
}

}  // namespace ration::interop
