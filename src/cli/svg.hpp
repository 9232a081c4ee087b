#pragma once

// A picture as SVG: a few shapes with classes, and colours for light and dark.

#include <string>
#include <string_view>

namespace ration::cli {

class Svg {
public:
    enum class Anchor : unsigned char { start, middle, end };

    void rect(double x, double y, double width, double height, std::string_view look);
    void line(double x1, double y1, double x2, double y2, std::string_view look);
    void text(double x, double y, std::string_view text, std::string_view look,
              Anchor anchor = Anchor::start);

    /// `points`: what stands in the attribute d.
    void path(std::string const& points, std::string_view look);

    /// The whole picture as a file of its own, or to stand in a page. `title` is for those who cannot see it.
    std::string picture(double width, double height, std::string_view title) const;

private:
    std::string body_;
};

/// With one decimal, if that is not 0.
std::string svg_number(double value);

/// Text as it may stand in XML.
std::string xml_text(std::string_view text);

}  // namespace ration::cli
