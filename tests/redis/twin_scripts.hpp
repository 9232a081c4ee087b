#pragma once

// The scripts, called as the store calls them, but by a test that knows what time it is and what else is stored.

#include "redis/answers.hpp"
#include "redis/keys.hpp"
#include "redis/script.hpp"
#include "redis/support/resp_client.hpp"

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

namespace ration::redis_test {

using Words = std::vector<std::string>;

inline Words script_words(redis::Script const& script, Words const& keys, Words const& arguments)
{
    Words words{"EVALSHA", std::string{script.sha1}, std::to_string(keys.size())};
    words.insert(words.end(), keys.begin(), keys.end());
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

inline void load_scripts(RespClient& client)
{
    namespace scripts = redis::scripts;
    for (redis::Script const* script :
         {&scripts::acquire, &scripts::look, &scripts::release, &scripts::configure, &scripts::remove,
          &scripts::expire, &scripts::migrate, &scripts::keyed_acquire, &scripts::keyed_look,
          &scripts::keyed_release}) {
        client.text("SCRIPT", "LOAD", script->text);
    }
}

/// A reply as the store decodes it: flat. Throws for an error, which no script may answer.
inline std::vector<redis::Value> flat(Reply const& reply)
{
    using Kind = redis::Value::Kind;
    switch (reply.kind) {
    case Reply::Kind::error: throw std::runtime_error{reply.text};
    case Reply::Kind::nil: return {{}};
    case Reply::Kind::integer: return {{Kind::integer, reply.integer, {}}};
    case Reply::Kind::text: return {{Kind::text, 0, reply.text}};
    case Reply::Kind::array: break;
    }
    std::vector<redis::Value> values;
    for (Reply const& element : reply.elements) {
        auto const inner = flat(element);
        values.insert(values.end(), inner.begin(), inner.end());
    }
    return values;
}

inline Permits permits_of_member(std::string const& member)
{
    Permits permits = 0;
    for (std::size_t i = 1; i <= 4; ++i)
        permits = permits * 256 + static_cast<unsigned char>(member.at(member.size() - i));
    return permits;
}

}  // namespace ration::redis_test
