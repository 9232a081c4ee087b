#pragma once

// The store that a command works on.

#include "cli/command.hpp"

#include <ration/client.hpp>
#include <ration/limiter_options.hpp>

#include <optional>
#include <string>

namespace ration::cli {

/// What is common to the commands that take permits.
struct LimiterArguments {
    std::string name;
    std::string client_id;
    std::string algorithm;

    /// NAME, --client-id and --algorithm.
    Argument name_argument(char const* meaning = "The limiter");
    Argument client_id_argument();
    Argument algorithm_argument();

    std::optional<Algorithm> expected_algorithm() const;
};

/// A limiter is of use to a command only where others see it, too: throws UsageError for "memory:".
void require_shared_store(GlobalOptions const& global);

Client open_client(GlobalOptions const& global, std::string const& client_id = {});

/// What is stored. Throws UsageError if it is per client and nobody said which.
LimiterConfig require_config(RateLimiter const& limiter, std::string const& client_id);

}  // namespace ration::cli
