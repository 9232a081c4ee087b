#include "core/quote.hpp"

namespace ration::core {

std::string quoted(std::string_view text, std::size_t most)
{
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string out = "\"";
    for (char const c : text.substr(0, most)) {
        auto const byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte > 0x7E) {
            out += {'\\', 'x', digits[byte >> 4], digits[byte & 0xF]};
        } else {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
    }
    out += '"';
    if (text.size() > most) out += "...";
    return out;
}

}  // namespace ration::core
