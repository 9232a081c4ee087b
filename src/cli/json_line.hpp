#pragma once

#include <ration/types.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace ration::cli {

/// One JSON object on one line, valid whatever bytes the texts have. Small on purpose: Boost.JSON writes 999.5 as 9.995E2.
class JsonLine {
public:
    JsonLine& add(std::string_view name, std::string_view value);
    JsonLine& add(std::string_view name, char const* value) { return add(name, std::string_view{value}); }
    JsonLine& add(std::string_view name, bool value);
    JsonLine& add(std::string_view name, std::int64_t value);
    JsonLine& add(std::string_view name, int value) { return add(name, std::int64_t{value}); }

    JsonLine& add_null(std::string_view name) { return add_raw(name, "null"); }

    /// With decimals as they are, e.g. 12.5.
    JsonLine& add_decimal(std::string_view name, double value, int decimals);

    /// A list of objects.
    JsonLine& add(std::string_view name, std::vector<JsonLine> const& objects);

    /// In milliseconds, to the microsecond, e.g. 999.5.
    JsonLine& add_ms(std::string_view name, Duration value);

    /// The object, without a newline.
    std::string text() const { return "{" + body_ + "}"; }

private:
    JsonLine& add_raw(std::string_view name, std::string_view value);

    std::string body_;
};

}  // namespace ration::cli
