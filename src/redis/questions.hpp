#pragma once

#include "core/url.hpp"
#include "redis/command.hpp"

#include <ration/tls_options.hpp>
#include <ration/types.hpp>

#include <memory>
#include <string>
#include <vector>

namespace ration::redis {

/// Ordinary commands for a server, and their answers: for tools that look at what is stored. Blocking; has a connection
/// and a thread of its own.
class Questions {
public:
    using Question = std::vector<std::string>;

    /// Does not connect yet. Throws Error if the TLS options do not go with the URL.
    Questions(core::StoreUrl const& url, TlsOptions const& tls, Duration command_timeout);
    ~Questions();
    Questions(Questions const&) = delete;
    Questions& operator=(Questions const&) = delete;

    /// Sends all before it waits for the first answer. Each is answered or fails for itself, within command_timeout.
    std::vector<Reply> ask(std::vector<Question> questions);
    Reply ask_one(Question question);

private:
    class Worker;
    std::unique_ptr<Worker> worker_;
};

}  // namespace ration::redis
