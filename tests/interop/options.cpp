#include "interop/options.hpp"

#include <sstream>
#include <stdexcept>

namespace ration::interop {

namespace {

std::int64_t positive(std::string const& option, std::string const& text)
{
    try {
        std::size_t end = 0;
        auto const number = std::stoll(text, &end);
        if (end == text.size() && number > 0) return number;
    } catch (std::logic_error const&) {}
    throw std::invalid_argument{option + " wants a number greater than zero, not '" + text + "'"};
}

std::vector<std::string> words(std::string const& list)
{
    std::istringstream text{list};
    std::vector<std::string> all;
    for (std::string word; std::getline(text, word, ',');) all.push_back(word);
    return all;
}

}  // namespace

Options parse_options(std::vector<std::string> const& arguments)
{
    Options options;
    for (std::size_t i = 0; i < arguments.size(); i += 2) {
        auto const& option = arguments[i];
        if (i + 1 == arguments.size()) throw std::invalid_argument{option + " wants a value"};
        auto const& value = arguments[i + 1];
        if (option == "--jars") {
            options.jars = value;
        } else if (option == "--versions") {
            options.versions = words(value);
        } else if (option == "--load-seconds") {
            options.load = std::chrono::seconds{positive(option, value)};
        } else if (option == "--turns") {
            options.turns = static_cast<int>(positive(option, value));
        } else if (option == "--seed") {
            options.seed = static_cast<std::uint64_t>(positive(option, value));
        } else if (option == "--at-once") {
            options.at_once = static_cast<int>(positive(option, value));
        } else {
            throw std::invalid_argument{"there is no option " + option};
        }
    }
    if (options.jars.empty() || options.versions.empty())
        throw std::invalid_argument{"--jars DIRECTORY and --versions A,B,... are needed"};
    return options;
}

}  // namespace ration::interop
