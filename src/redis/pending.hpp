#pragma once

#include "core/unique_function.hpp"
#include "redis/command.hpp"
#include "redis/reply_reader.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/redis/request.hpp>

#include <chrono>
#include <cstddef>

namespace ration::redis {

using Deadline = std::chrono::steady_clock::time_point;
using Done = core::UniqueFunction<void(Reply)>;

/// A command from the call to its answer. Reused, because its buffers are worth keeping.
struct Pending {
    Pending(Command wanted, Deadline until, Done then);
    void reuse(Command wanted, Deadline until, Done then);

    /// Writes the request: the script by its name, or `in_full` by its text.
    void write();

    Command command;
    Deadline deadline;
    Done done;

    bool in_full = false;   ///< the server said that it does not know the script
    bool expired = false;   ///< its time is over, and Boost.Redis was told to give it up
    bool answered = false;  ///< `done` was called; what comes now comes too late

    std::size_t place = 0;            ///< among the commands in flight
    std::size_t sent_before = 0;      ///< what its link had sent when it was handed over
    std::size_t received_before = 0;  ///< and received

    boost::redis::request request;
    RawReply reply{};
    boost::asio::cancellation_signal stop{};
};

}  // namespace ration::redis
