#pragma once

#include "options.hpp"

#include <string>
#include <vector>

namespace ration::peers {

/// Says "ready" and waits for the runner's "go".
void wait_for_go();

/// Lets the callers warm up, says "begin", lets them be measured, says "end". How many seconds that took.
double keep_time(Options const& options);

/// At most a million keys to ask for, at random among options.keys; the same for all that have the same process number.
std::vector<std::string> keys_to_ask(Options const& options);
std::string key_of(std::size_t number);

// The modes. Each returns the members of the JSON object to print.
std::string ask_redis(Options const& options);
std::string ask_memory(Options const& options);
std::string wait_in_line(Options const& options);

}  // namespace ration::peers
