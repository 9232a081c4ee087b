#include "interop/version.hpp"

#include <cstdio>
#include <stdexcept>

namespace ration::interop {

VersionNumber VersionNumber::parse(std::string const& text)
{
    VersionNumber number;
    if (std::sscanf(text.c_str(), "%d.%d.%d", &number.major, &number.minor, &number.patch)
        != 3)  // NOLINT(cert-err34-c)
        throw std::invalid_argument{"'" + text + "' is not a version such as 4.7.0"};
    return number;
}

LimiterOptions Version::options() const
{
    if (counts_in_windows()) return {.algorithm = Algorithm::fixed_window};
    if (number < VersionNumber{3, 16, 4}) return {.redisson_format = RedissonFormat::v3_13_3};
    if (number < VersionNumber{3, 17, 0}) return {.redisson_format = RedissonFormat::v3_16_4};
    return {};
}

}  // namespace ration::interop
