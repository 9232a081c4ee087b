#include "redis/pending.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ration::redis {
namespace {

/// Never sent twice, whatever happens: what was written and not answered is lost, and what was not written is
/// taken back when the link ends, to be sent over the next.
constexpr boost::redis::request::config sent_at_most_once{
    .cancel_on_connection_lost = true,
    .cancel_if_not_connected = false,
    .cancel_if_unresponded = true,
    .hello_with_priority = false,
};

void push(boost::redis::request& request, std::vector<std::string> const& words)
{
    if (words.size() == 1) {
        request.push(words.front());
    } else {
        request.push_range(words.front(), words.begin() + 1, words.end());
    }
}

}  // namespace

Pending::Pending(Command wanted, Deadline until, Done then)
    : command{std::move(wanted)}, deadline{until}, done{std::move(then)}, request{sent_at_most_once}
{}

void Pending::reuse(Command wanted, Deadline until, Done then)
{
    command = std::move(wanted);
    deadline = until;
    done = std::move(then);
    in_full = expired = answered = false;
}

void Pending::write()
{
    reply.values.clear();
    reply.error.reset();
    request.clear();

    auto const& [script, keys, arguments, steps] = command;
    if (!steps.empty()) {
        request.push("MULTI");
        for (auto const& step : steps) push(request, step);
        request.push("EXEC");
        return;
    }
    if (script == nullptr) {
        push(request, arguments);
        return;
    }
    static thread_local std::vector<std::string_view> words;  // all but the first; kept for its memory
    words.clear();
    auto const count = std::to_string(keys.size());
    words.insert(words.end(), {in_full ? script->text : script->sha1, count});
    words.insert(words.end(), keys.begin(), keys.end());
    words.insert(words.end(), arguments.begin(), arguments.end());
    request.push_range(in_full ? "EVAL" : "EVALSHA", words);
}

}  // namespace ration::redis
