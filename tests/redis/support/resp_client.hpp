#pragma once

#include "redis/support/file_handle.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ration::redis_test {

/// What a server answers to one command, in RESP2.
struct Reply {
    enum class Kind : std::uint8_t { nil, integer, text, error, array };

    Kind kind = Kind::nil;
    std::int64_t integer = 0;
    std::string text = {};  ///< of a text or an error, e.g. "WRONGTYPE Operation against a key ..."
    std::vector<Reply> elements = {};
};

/// A blocking client to set a scene and to look behind it: one connection, no retries, binary safe.
///
/// All calls throw std::runtime_error if the connection is lost or no reply comes within 20 s.
class RespClient {
public:
    explicit RespClient(std::string const& socket_path);
    RespClient(std::string const& ip, std::uint16_t port);

    /// An error is a reply like any other.
    Reply command(std::vector<std::string> const& arguments);

    /// Sends all before it reads the first reply.
    std::vector<Reply> pipeline(std::vector<std::vector<std::string>> const& commands);

    /// command() for a reply that must be of one kind; any other throws. Arguments are strings and integers.
    template <class... Arguments>
    std::string text(Arguments const&... arguments)
    {
        return text_of(command({to_argument(arguments)...}));
    }
    template <class... Arguments>
    std::int64_t integer(Arguments const&... arguments)
    {
        return integer_of(command({to_argument(arguments)...}));
    }
    /// Of texts or integers, which become texts.
    template <class... Arguments>
    std::vector<std::string> list(Arguments const&... arguments)
    {
        return list_of(command({to_argument(arguments)...}));
    }

private:
    static std::string to_argument(std::string_view text) { return std::string{text}; }
    static std::string to_argument(std::integral auto number) { return std::to_string(number); }

    static std::string text_of(Reply const& reply);
    static std::int64_t integer_of(Reply const& reply);
    static std::vector<std::string> list_of(Reply const& reply);

    void send(std::string_view bytes);
    void receive();
    std::string take_line();
    std::string take_bytes(std::size_t count);
    Reply take_reply();

    FileHandle connection_;
    std::string received_;
};

}  // namespace ration::redis_test
