#pragma once

#include "redis/command.hpp"

#include <string>
#include <string_view>

namespace ration::redis {

/// What an error reply means. `where` is to_string of the store's URL.
Failure server_failure(std::string_view text, std::string const& where);

/// What an error reply to the set-up of a connection (HELLO, SELECT) means.
Failure setup_failure(std::string_view text, std::string const& where);

/// The script is not in the server's cache, so nothing was executed.
bool is_missing_script(std::string_view text);

}  // namespace ration::redis
