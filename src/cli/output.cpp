#include "cli/output.hpp"

#include "cli/text.hpp"
#include "core/quote.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace ration::cli {

namespace {

void write_line(std::FILE* file, std::string line)
{
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), file);
}

}  // namespace

void say(std::string const& line)
{
    write_line(stdout, line);
}

void say_to_error(std::string const& line)
{
    std::fflush(stdout);
    write_line(stderr, line);
}

void say_note(bool json, std::string const& sentence)
{
    say_to_error(json ? JsonLine{}.add("note", sentence).text() : "ration: " + sentence);
}

void say_failure(bool json, std::string_view name, std::string const& sentence)
{
    say_to_error(json ? JsonLine{}.add("error", name).add("message", sentence).text()
                      : "ration: " + sentence);
}

void write_file(std::string const& path, std::string const& text)
{
    std::ofstream file{path};
    file << text;
    file.close();
    if (!file) throw std::runtime_error{"cannot write " + printable(path) + ": " + std::strerror(errno)};
}

std::string printable(std::string_view name)
{
    for (std::size_t i = 0; i < name.size();) {
        auto const size = utf8_size(name.substr(i));
        bool const odd =
            size == 0 || (size == 1 && (name[i] < 0x21 || name[i] == 0x7f))
            || (size == 2 && name[i] == '\xc2' && static_cast<unsigned char>(name[i + 1]) < 0xa1);
        if (odd) return core::quoted(name, 1024);
        i += size;
    }
    return name.empty() ? "\"\"" : std::string{name};
}

JsonLine decision_json(std::string_view limiter, Decision const& decision)
{
    JsonLine line;
    line.add("limiter", limiter)
        .add("granted", decision.granted)
        .add("remaining", decision.remaining)
        .add_ms("retry_after_ms", decision.retry_after)
        .add_ms("reset_after_ms", decision.reset_after)
        .add("basis", to_string(decision.basis));
    return line;
}

std::string decision_text(Decision const& decision)
{
    auto const left = std::to_string(decision.remaining) + " left";
    if (decision.granted) return "granted, " + left;
    return "denied, " + left + ", try again in " + wait_text(decision.retry_after);
}

void add_config(JsonLine& line, LimiterConfig const& config)
{
    line.add("rate", config.rate.permits())  // and its interval, as Redisson has them
        .add("rate_text", to_string(config.rate))
        .add_ms("interval_ms", config.rate.interval());
    if (auto const burst = config.rate.burst()) line.add("burst", *burst);
    line.add("type", to_string(config.type))
        .add("algorithm", to_string(config.algorithm))
        .add_ms("keep_alive_ms", config.keep_alive);
}

}  // namespace ration::cli
