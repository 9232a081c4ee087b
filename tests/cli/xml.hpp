#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace ration::cli_test {

/// Why a text is not well-formed XML, or nothing. Knows what a report uses: elements, attributes, text, five entities.
inline std::string xml_problem(std::string_view text)
{
    std::vector<std::string> open;
    bool seen_root = false;
    auto const name_end = [](std::string_view tag) {
        std::size_t i = 0;
        while (i < tag.size()
               && (std::isalnum(static_cast<unsigned char>(tag[i])) != 0 || tag[i] == '-' || tag[i] == ':'))
            ++i;
        return i;
    };
    auto const bad_entity = [](std::string_view piece) {
        for (auto at = piece.find('&'); at != piece.npos; at = piece.find('&', at + 1)) {
            bool known = false;
            for (std::string_view const entity : {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"})
                known = known || piece.substr(at).starts_with(entity);
            if (!known) return true;
        }
        return false;
    };
    while (!text.empty()) {
        auto const begin = text.find('<');
        auto const words = text.substr(0, begin);
        if (bad_entity(words)) return "a bare & in: " + std::string{words};
        if (words.find('>') != words.npos && (open.empty() || open.back() != "style"))
            return "a bare > in: " + std::string{words};
        if (open.empty() && words.find_first_not_of(" \n") != words.npos) return "text outside of the root";
        if (begin == text.npos) break;
        auto const end = text.find('>', begin);
        if (end == text.npos) return "a tag without an end";
        auto tag = text.substr(begin + 1, end - begin - 1);
        text.remove_prefix(end + 1);
        if (tag.starts_with('/')) {
            if (open.empty() || open.back() != tag.substr(1))
                return "unexpected </" + std::string{tag.substr(1)} + ">";
            open.pop_back();
            continue;
        }
        if (open.empty() && seen_root) return "two roots";
        seen_root = true;
        bool const closed = tag.ends_with('/');
        if (closed) tag.remove_suffix(1);
        auto const size = name_end(tag);
        if (size == 0) return "a tag without a name";
        auto const name = std::string{tag.substr(0, size)};
        for (tag.remove_prefix(size); !tag.empty();) {
            if (!tag.starts_with(' ')) return "no blank before an attribute of " + name;
            tag.remove_prefix(1);
            auto const length = name_end(tag);
            if (length == 0 || !tag.substr(length).starts_with("=\"")) return "a bad attribute of " + name;
            auto const close = tag.find('"', length + 2);
            if (close == tag.npos) return "an attribute without an end in " + name;
            if (bad_entity(tag.substr(length + 2, close - length - 2)))
                return "a bare & in an attribute of " + name;
            tag.remove_prefix(close + 1);
        }
        if (!closed) open.push_back(name);
    }
    if (!seen_root) return "no element";
    return open.empty() ? std::string{} : "<" + open.back() + "> is not closed";
}

}  // namespace ration::cli_test
