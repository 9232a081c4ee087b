#include "redis/keys.hpp"

namespace ration::redis {

namespace {

std::string joined(std::string_view a, std::string_view b)
{
    std::string text;
    text.reserve(a.size() + b.size() + 1);
    text.append(a).append(1, ':').append(b);
    return text;
}

}  // namespace

std::string suffixed(std::string_view name, std::string_view suffix)
{
    if (name.find('{') != std::string_view::npos) return joined(name, suffix);
    return joined("{" + std::string{name} + "}", suffix);
}

std::vector<std::string> limiter_keys(std::string_view name, std::string_view client_id)
{
    std::vector<std::string> keys{std::string{name}};
    for (char const* part : {"value", "permits", "state"}) keys.push_back(suffixed(name, part));
    for (std::size_t i = 1; i < shared_keys; ++i) keys.push_back(suffixed(keys[i], client_id));
    keys.push_back(suffixed(name, "clients"));
    return keys;
}

std::string keyed_key(std::string_view name, std::string_view key)
{
    return joined(name, key);
}

}  // namespace ration::redis
