#include "options.hpp"

#include <functional>
#include <map>
#include <stdexcept>

namespace ration::peers {

Options parse(std::vector<std::string> const& words)
{
    Options options;
    std::map<std::string, std::function<void(std::string const&)>> const known{
        {"--contender", [&](auto const& text) { options.contender = text; }},
        {"--url", [&](auto const& text) { options.url = text; }},
        {"--mode", [&](auto const& text) { options.mode = text; }},
        {"--log", [&](auto const& text) { options.log = text; }},
        {"--callers", [&](auto const& text) { options.callers = std::stoul(text); }},
        {"--keys", [&](auto const& text) { options.keys = std::stoul(text); }},
        {"--rate", [&](auto const& text) { options.rate = std::stoll(text); }},
        {"--interval-ms",
         [&](auto const& text) { options.interval = std::chrono::milliseconds{std::stoll(text)}; }},
        {"--warmup",
         [&](auto const& text) { options.warmup = std::chrono::duration<double>{std::stod(text)}; }},
        {"--seconds",
         [&](auto const& text) { options.seconds = std::chrono::duration<double>{std::stod(text)}; }},
        {"--process", [&](auto const& text) { options.process = std::stoul(text); }},
        {"--fill", [&](auto const& text) { options.fill = text == "1"; }},
    };
    if (words.size() % 2 != 0) throw std::runtime_error{"every option has a value; the last has none"};
    for (std::size_t i = 0; i < words.size(); i += 2) {
        auto const found = known.find(words[i]);
        if (found == known.end()) throw std::runtime_error{"unknown option " + words[i]};
        found->second(words[i + 1]);
    }
    return options;
}

}  // namespace ration::peers
