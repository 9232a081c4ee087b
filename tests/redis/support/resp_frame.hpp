#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ration::redis_test {

/// How many of the first bytes are one whole request or reply, in RESP2 or RESP3; 0 if its end is yet to come.
std::size_t frame_size(std::string_view bytes);

/// True of what a server sends without being asked, e.g. a published message. Only RESP3 tells it apart from a reply.
bool is_push(std::string_view frame);

/// The command that a request names, as it was written: "EVALSHA". Empty if it is not an array of texts.
std::string command_of(std::string_view request);

}  // namespace ration::redis_test
