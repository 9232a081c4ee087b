#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ration::cli {

enum class Style : unsigned char { plain, strong, faint, good, waiting, bad };

/// One line of a screen, written cell by cell. What does not fit is cut off.
class Row {
public:
    explicit Row(int columns) : cells_(static_cast<std::size_t>(columns > 0 ? columns : 0)) {}

    /// Writes UTF-8 text whose characters are each one cell wide. Returns the column behind it.
    int put(int column, std::string_view text, Style style = Style::plain);

    /// Without trailing blanks; with ANSI colours if wanted.
    std::string text(bool colour) const;

private:
    struct Cell {
        std::string glyph = " ";
        Style style = Style::plain;
    };
    std::vector<Cell> cells_;
};

}  // namespace ration::cli
