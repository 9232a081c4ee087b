#pragma once

// What the command printed, read by a parser that is not ours.

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace ration::cli_test {

inline std::vector<std::string> lines_of(std::string const& text)
{
    std::istringstream stream{text};
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// One object per line; throws if a line is none.
inline std::vector<boost::json::object> objects_of(std::string const& text)
{
    std::vector<boost::json::object> objects;
    for (auto const& line : lines_of(text)) objects.push_back(boost::json::parse(line).as_object());
    return objects;
}

/// The only one.
inline boost::json::object object_of(std::string const& text)
{
    return boost::json::parse(text).as_object();
}

inline std::string text_at(boost::json::object const& object, char const* field)
{
    return std::string{object.at(field).as_string()};
}

}  // namespace ration::cli_test
