// Rate::parse on any bytes: never crashes, and what it reads it also writes and reads again.

#include <ration/rate.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    std::string_view const text{reinterpret_cast<char const*>(data), size};
    std::error_code code;
    auto const rate = ration::Rate::parse(text, code);
    try {
        if (ration::Rate::parse(text) != rate || code) std::abort();
        if (ration::Rate::parse(ration::to_string(rate)) != rate) std::abort();
    } catch (ration::Error const& error) {
        if (!code || std::string_view{error.what()}.find(" at character ") == std::string_view::npos)
            std::abort();
    }
    return 0;
}
