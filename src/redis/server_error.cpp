#include "redis/server_error.hpp"

#include "core/quote.hpp"

#include <array>
#include <optional>

namespace ration::redis {
namespace {

struct Meaning {
    std::string_view word;
    Errc code;
    bool transient;
    std::string_view advice;
};

constexpr std::string_view no_cluster =
    "Redis Cluster is not supported yet; give the address of a server that is not part of one";
constexpr std::string_view replica = "it is a replica; give the address of the primary";
constexpr std::string_view acl_rule = "give the user the ACL rule of docs/operations.md";
constexpr std::string_view credentials = "check the user and the password in the URL";

constexpr std::array meanings{
    Meaning{"LOADING", Errc::store_unavailable, true, "it is still starting; try again soon"},
    Meaning{"READONLY", Errc::store_unavailable, true, replica},
    Meaning{"MASTERDOWN", Errc::store_unavailable, true, replica},
    Meaning{"OOM", Errc::store_unavailable, true, "its memory is full; raise maxmemory or delete keys"},
    Meaning{"BUSY", Errc::store_unavailable, true, "a script keeps it busy; see SCRIPT KILL"},
    Meaning{"MISCONF", Errc::store_unavailable, true, "it cannot save to disk; see its log"},
    Meaning{"NOREPLICAS", Errc::store_unavailable, true,
            "it has fewer replicas than min-replicas-to-write; see its INFO replication"},
    Meaning{"TRYAGAIN", Errc::store_unavailable, true, "it is moving keys; try again soon"},
    Meaning{"CLUSTERDOWN", Errc::store_unavailable, true, "its cluster is down; see CLUSTER INFO"},
    Meaning{"max number of clients reached", Errc::store_unavailable, true,
            "it has too many connections; raise its maxclients"},
    Meaning{"NOAUTH", Errc::access_denied, false, credentials},
    Meaning{"WRONGPASS", Errc::access_denied, false, credentials},
    Meaning{"NOPERM", Errc::access_denied, false, acl_rule},
    // Inside a script, Redis 7.0 has no word for it.
    Meaning{"The user executing the script can't", Errc::access_denied, false, acl_rule},
    Meaning{"DENIED", Errc::access_denied, false,
            "give the server a password, or turn its protected-mode off"},
    Meaning{"WRONGTYPE", Errc::incompatible_data, false,
            "another program uses this key; choose another name, or delete the key"},
    Meaning{"MOVED", Errc::invalid_argument, false, no_cluster},
    Meaning{"CROSSSLOT", Errc::invalid_argument, false, no_cluster},
};

constexpr bool is_word_character(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/// Anywhere in the text: Redis 6 and older put the error of a command inside a script at the end of another.
bool contains_word(std::string_view text, std::string_view word)
{
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        auto const end = at + word.size();
        bool const starts = at == 0 || !is_word_character(text[at - 1]);
        bool const ends = end == text.size() || !is_word_character(text[end]);
        if (starts && ends) return true;
    }
    return false;
}

/// Where the error's own word stands first it decides; what follows it may quote anything, names of keys
/// included.
Meaning const* meaning_of(std::string_view text)
{
    for (auto const& meaning : meanings) {
        if (text.starts_with(meaning.word)
            && contains_word(text.substr(0, meaning.word.size() + 1), meaning.word)) {
            return &meaning;
        }
    }
    for (auto const& meaning : meanings) {
        if (contains_word(text, meaning.word)) return &meaning;
    }
    return nullptr;
}

std::string answered(std::string_view text, std::string const& where)
{
    return where + " answered " + core::quoted(text, 256);
}

}  // namespace

Failure server_failure(std::string_view text, std::string const& where)
{
    if (auto const* meaning = meaning_of(text)) {
        return {meaning->code, meaning->transient,
                answered(text, where) + "; " + std::string{meaning->advice}};
    }
    return {Errc::incompatible_data, false,
            answered(text, where)
                + "; this is not what ration expects of Redis 6.2 or newer, or of its own data"};
}

Failure setup_failure(std::string_view text, std::string const& where)
{
    if (text.find("DB index") != std::string_view::npos) {
        return {Errc::invalid_argument, false,
                answered(text, where)
                    + "; give a database that the server has (see its setting `databases`)"};
    }
    if (meaning_of(text) != nullptr) return server_failure(text, where);
    return {Errc::store_unavailable, true,
            "what answers at " + where + " does not speak RESP3: it said " + core::quoted(text, 256)
                + "; is it Redis 6 or newer?"};
}

bool is_missing_script(std::string_view text)
{
    return text.starts_with("NOSCRIPT");
}

}  // namespace ration::redis
