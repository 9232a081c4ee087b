#include "interop/jars.hpp"

#include <regex>
#include <stdexcept>

namespace ration::interop {

Version Jars::version(std::string const& name) const
{
    static std::regex const redisson{"redisson-([0-9]+\\.[0-9]+\\.[0-9]+)\\.jar"};
    auto const folder = directory_ / name / "jars";
    if (std::filesystem::exists(folder)) {
        for (auto const& jar : std::filesystem::directory_iterator{folder}) {
            std::smatch match;
            auto const file = jar.path().filename().string();
            if (std::regex_match(file, match, redisson))
                return {.name = name, .text = match[1], .number = VersionNumber::parse(match[1])};
        }
    }
    throw std::runtime_error{"there is no jar of Redisson " + name + " in " + folder.string()
                             + "; run tests/interop/run, which fetches it"};
}

/// Quick to start, and small: several run at a time.
std::vector<std::string> Jars::command(Version const& version, std::uint16_t port) const
{
    auto const folder = directory_ / version.name;
    return {"java",
            "-Xmx160m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            (folder / "classes").string() + ":" + (folder / "jars").string() + "/*",
            "ration.Driver",
            std::to_string(port)};
}

}  // namespace ration::interop
