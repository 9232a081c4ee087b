#include "cli/svg.hpp"

#include "cli/text.hpp"

#include <cstdio>

namespace ration::cli {

namespace {

constexpr auto style =
    ".page{--back:#ffffff;--fore:#1f2430;--faint:#5f6875;--grid:#e3e6ea;--granted:#2563eb;--recent:#93b4f5;"
    "--denied:#e08600;--limit:#c81e1e;--over:#ef4444}"
    "@media (prefers-color-scheme:dark){.page{--back:#14171c;--fore:#e6e8eb;--faint:#a3abb5;--grid:#2d333b;"
    "--granted:#60a5fa;--recent:#2f5597;--denied:#fbbf24;--limit:#ff8080;--over:#dc2626}}"
    ".page text{font-family:system-ui,-apple-system,'DejaVu Sans',sans-serif;font-size:12px;fill:var(--fore)}"
    ".page .title{font-size:15px;font-weight:600}"
    ".page .name{font-size:14px;font-weight:600}"
    ".page .faint{fill:var(--faint)}"
    ".page .back{fill:var(--back)}"
    ".page .grid{stroke:var(--grid);stroke-width:1}"
    ".page .axis{stroke:var(--faint);stroke-width:1}"
    ".page .recent{fill:var(--recent)}"
    ".page .over{fill:var(--over)}"
    ".page .granted{fill:var(--granted)}"
    ".page .denied{fill:var(--denied)}"
    ".page .limit{stroke:var(--limit);stroke-width:1.5;stroke-dasharray:6 4}";

std::string_view word(Svg::Anchor anchor)
{
    switch (anchor) {
    case Svg::Anchor::start: return "start";
    case Svg::Anchor::middle: return "middle";
    case Svg::Anchor::end: return "end";
    }
    return {};
}

std::string attribute(char const* name, double value)
{
    return std::string{" "} + name + "=\"" + svg_number(value) + "\"";
}

std::string attribute(char const* name, std::string_view value)
{
    return std::string{" "} + name + "=\"" + xml_text(value) + "\"";
}

}  // namespace

std::string svg_number(double value)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.1f", value);
    std::string number = text;
    if (number.ends_with(".0")) number.resize(number.size() - 2);
    return number;
}

std::string xml_text(std::string_view text)
{
    std::string safe;
    while (!text.empty()) {
        auto const size = utf8_size(text);
        char const c = text.front();
        if (size == 0 || (size == 1 && c < 0x20)) {
            safe += '?';  // no XML can hold it
        } else if (c == '<') {
            safe += "&lt;";
        } else if (c == '>') {
            safe += "&gt;";
        } else if (c == '&') {
            safe += "&amp;";
        } else if (c == '"') {
            safe += "&quot;";
        } else {
            safe += text.substr(0, size);
        }
        text.remove_prefix(size == 0 ? 1 : size);
    }
    return safe;
}

void Svg::rect(double x, double y, double width, double height, std::string_view look)
{
    body_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width)
             + attribute("height", height) + attribute("class", look) + "/>\n";
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view look)
{
    body_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2)
             + attribute("class", look) + "/>\n";
}

void Svg::text(double x, double y, std::string_view text, std::string_view look, Anchor anchor)
{
    body_ += "<text" + attribute("x", x) + attribute("y", y);
    if (anchor != Anchor::start) body_ += attribute("text-anchor", word(anchor));
    body_ += attribute("class", look) + ">" + xml_text(text) + "</text>\n";
}

void Svg::path(std::string const& points, std::string_view look)
{
    body_ += "<path" + attribute("d", points) + attribute("class", look) + "/>\n";
}

std::string Svg::picture(double width, double height, std::string_view title) const
{
    return R"(<svg xmlns="http://www.w3.org/2000/svg" class="page" role="img")" + attribute("width", width)
           + attribute("height", height) + " viewBox=\"0 0 " + svg_number(width) + " " + svg_number(height)
           + "\">\n<title>" + xml_text(title) + "</title>\n<style>" + style + "</style>\n"
           + R"(<rect class="back" width="100%" height="100%"/>)" + "\n" + body_ + "</svg>\n";
}

}  // namespace ration::cli
