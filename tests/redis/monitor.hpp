#pragma once

// What a server executed, command by command, in its own words and at its own time: MONITOR.

#include "redis/support/resp_client.hpp"
#include "redis/support/sockets.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sys/socket.h>

namespace ration::redis_test {

struct MonitorLine {
    std::int64_t time_ms = 0;  ///< when it was executed
    bool by_script = false;
    std::vector<std::string> words = {};
};

namespace detail {

inline char unescaped(char c)
{
    switch (c) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'a': return '\a';
    case 'b': return '\b';
    default: return c;  // a quote or a backslash
    }
}

/// Takes a word in quotes, as the server writes them: "\x10ab\"c".
inline std::string take_word(std::string_view& text)
{
    std::string word;
    std::size_t at = 1;
    for (; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] != '\\') {
            word += text[at];
        } else if (text[++at] == 'x') {
            word += static_cast<char>(std::stoi(std::string{text.substr(at + 1, 2)}, nullptr, 16));
            at += 2;
        } else {
            word += unescaped(text[at]);
        }
    }
    text.remove_prefix(std::min(text.size(), at + 1));
    return word;
}

}  // namespace detail

/// Of a line such as: +1700000000.123456 [0 lua] "SET" "key" "\x01"
inline MonitorLine parse_monitor_line(std::string_view line)
{
    MonitorLine parsed;
    auto const dot = line.find('.');
    parsed.time_ms = std::stoll(std::string{line.substr(1, dot - 1)}) * 1000
                     + std::stoll(std::string{line.substr(dot + 1, 3)});
    parsed.by_script = line.substr(0, line.find(']')).ends_with(" lua");
    line.remove_prefix(line.find("] ") + 1);
    while (line.starts_with(" \"")) {
        line.remove_prefix(1);
        parsed.words.push_back(detail::take_word(line));
    }
    return parsed;
}

/// Hands every command that a server executes to `see`, on a thread of its own, from the first to the last.
class Monitor {
public:
    /// `user`: as whom, where that is not to be the default user.
    Monitor(std::string socket_path, std::function<void(MonitorLine const&)> see,
            std::string const& user = {})
        : socket_path_{std::move(socket_path)},
          see_{std::move(see)},
          connection_{connect_to_socket(socket_path_)}
    {
        if (!user.empty()) {
            RespClient{socket_path_}.command({"ACL", "SETUSER", user, "on", "nopass", "+@all", "~*", "&*"});
            order("AUTH " + user + " any\r\n");
        }
        order("MONITOR\r\n");
        thread_ = std::thread{[this] { run(); }};
    }

    ~Monitor() { finish(); }
    Monitor(Monitor const&) = delete;
    Monitor& operator=(Monitor const&) = delete;

    /// Returns when everything has been seen that was executed before this call; nothing is seen from then on.
    void finish()
    {
        if (!thread_.joinable()) return;
        try {
            RespClient{socket_path_}.command({"ECHO", last_word});
        } catch (std::runtime_error const&) {
            // The server is gone, and so the thread has come to its end.
        }
        thread_.join();
    }

private:
    static constexpr char const* last_word = "the monitor may end";

    void order(std::string const& line)
    {
        ::send(connection_.get(), line.data(), line.size(), MSG_NOSIGNAL);
        if (take_line() != "+OK") throw std::runtime_error{"cannot monitor the server"};
    }

    /// Empty at the end of the connection.
    std::string take_line()
    {
        auto end = received_.find("\r\n", taken_);
        while (end == received_.npos) {
            received_.erase(0, taken_);
            taken_ = 0;
            std::array<char, 65536> buffer;
            auto const n = ::recv(connection_.get(), buffer.data(), buffer.size(), 0);
            if (n <= 0) return {};
            auto const searched = received_.empty() ? 0 : received_.size() - 1;
            received_.append(buffer.data(), static_cast<std::size_t>(n));
            end = received_.find("\r\n", searched);
        }
        auto line = received_.substr(taken_, end - taken_);
        taken_ = end + 2;
        return line;
    }

    void run()
    {
        for (auto line = take_line(); !line.empty(); line = take_line()) {
            auto const parsed = parse_monitor_line(line);
            if (parsed.words.size() == 2 && parsed.words[1] == last_word) return;
            see_(parsed);
        }
    }

    std::string socket_path_;
    std::function<void(MonitorLine const&)> see_;
    FileHandle connection_;
    std::string received_;
    std::size_t taken_ = 0;  ///< of what was received
    std::thread thread_;
};

}  // namespace ration::redis_test
