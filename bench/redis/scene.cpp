#include "scene.hpp"

#include <cstdlib>

namespace ration::bench {

namespace {

/// The number behind `name` in what INFO says.
double number_after(std::string const& info, std::string const& name)
{
    auto const found = info.find(name);
    return found == info.npos ? 0 : std::strtod(info.c_str() + found + name.size(), nullptr);
}

}  // namespace

void Scene::clear()
{
    control_.text("FLUSHALL", "SYNC");
    control_.text("CONFIG", "RESETSTAT");
}

CommandStats Scene::stats_of(std::string const& command)
{
    auto const info = control_.text("INFO", "commandstats");
    auto const line = info.find("cmdstat_" + command + ":");
    if (line == info.npos) return {};
    auto const own = info.substr(line, info.find('\r', line) - line);
    return {number_after(own, "calls="), number_after(own, "usec=")};
}

double Scene::used_memory()
{
    return number_after(control_.text("INFO", "memory"), "\nused_memory:");
}

}  // namespace ration::bench
