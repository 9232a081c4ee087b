#include "cli/row.hpp"

namespace ration::cli {

namespace {

constexpr std::string_view reset = "\x1b[0m";

std::string_view escape_for(Style style)
{
    switch (style) {
    case Style::plain: return reset;
    case Style::strong: return "\x1b[1m";
    case Style::faint: return "\x1b[2m";
    case Style::good: return "\x1b[1;32m";
    case Style::waiting: return "\x1b[33m";
    case Style::bad: return "\x1b[31m";
    }
    return reset;
}

/// How many bytes the UTF-8 character at the front has.
std::size_t character_size(std::string_view text)
{
    std::size_t size = 1;
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) ++size;
    return size;
}

}  // namespace

int Row::put(int column, std::string_view text, Style style)
{
    for (; !text.empty(); ++column) {
        auto const size = character_size(text);
        if (column >= 0 && column < static_cast<int>(cells_.size())) {
            cells_[static_cast<std::size_t>(column)] = {std::string{text.substr(0, size)}, style};
        }
        text.remove_prefix(size);
    }
    return column;
}

std::string Row::text(bool colour) const
{
    auto used = cells_.size();
    while (used > 0 && cells_[used - 1].glyph == " ") --used;

    std::string line;
    Style current = Style::plain;
    for (std::size_t i = 0; i < used; ++i) {
        auto const& cell = cells_[i];
        // A blank looks the same in every style: no change for it.
        if (colour && cell.style != current && cell.glyph != " ") {
            if (current != Style::plain) line += reset;
            if (cell.style != Style::plain) line += escape_for(cell.style);
            current = cell.style;
        }
        line += cell.glyph;
    }
    if (current != Style::plain) line += reset;
    return line;
}

}  // namespace ration::cli
