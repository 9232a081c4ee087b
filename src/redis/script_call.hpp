#pragma once

// One script, called until it has an answer: a script that has to stop half-way, or needs the windows of another time,
// says so and is called again.

#include "redis/answers.hpp"
#include "redis/connection.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace ration::redis {

struct ScriptCall {
    Script const* script;
    std::vector<std::string> keys;
    std::function<std::vector<std::string>()> arguments;  ///< made anew for each call
    std::function<void(Values)> need_window;  ///< learns the time from such a reply; may throw Error
    Deadline deadline;
    Done done;  ///< gets a reply whose status is neither `again` nor `need_window`, or why there is none
};

inline void start(std::shared_ptr<Connection> const& connection, std::shared_ptr<ScriptCall> const& call)
{
    Command command{call->script, call->keys, call->arguments()};
    connection->run(std::move(command), call->deadline, [connection, call](Reply reply) {
        auto* const values = std::get_if<std::vector<Value>>(&reply);
        if (!values) {
            call->done(std::get<Failure>(std::move(reply)));
            return;
        }
        Status const status = status_of(*values);
        if (status == Status::need_window) {
            try {
                call->need_window(*values);
            } catch (Error const& error) {
                call->done(Failure{Errc::incompatible_data, false, error.what()});
                return;
            }
        }
        if (status == Status::again || status == Status::need_window) {
            start(connection, call);
        } else {
            call->done(std::move(*values));
        }
    });
}

}  // namespace ration::redis
