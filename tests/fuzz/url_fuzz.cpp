// parse_store_url on any bytes: never crashes, reads back what to_string writes (but for the password), and
// never tells a password, neither in an error nor in to_string.

#include "core/url.hpp"

#include <ration/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace {

using ration::core::parse_store_url;
using ration::core::StoreUrl;

void check(bool holds)
{
    if (!holds) std::abort();
}

std::optional<StoreUrl> parsed(std::string_view text)
{
    try {
        return parse_store_url(text);
    } catch (ration::Error const&) {
        return std::nullopt;
    }
}

void check_round_trip(std::string_view text)
{
    auto const url = parsed(text);
    if (!url) return;
    auto again = parsed(to_string(*url));
    check(again && again->password == (url->password.empty() ? "" : "***"));
    again->password = url->password;
    if (url->password.empty()) again->user = url->user;  // shown as ***, too
    check(*again == *url);
}

// The password stands where the input has a zero byte, with the rest of the input around it.
void check_secret(std::string text)
{
    static constexpr std::string_view secret = "hunter2hunter2";
    auto const at = text.find('\0');
    if (at == std::string::npos || text.find(secret) != std::string::npos) return;
    text.replace(at, 1, ":" + std::string{secret} + "@");
    try {
        auto const url = parse_store_url(text);
        bool const is_password = url.password.find(secret) != std::string::npos;
        check(!is_password || to_string(url).find(secret) == std::string::npos);
    } catch (ration::Error const& error) {
        check(std::string_view{error.what()}.find(secret) == std::string_view::npos);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    std::string const text{reinterpret_cast<char const*>(data), size};
    check_round_trip(text);
    check_secret(text);
    return 0;
}
