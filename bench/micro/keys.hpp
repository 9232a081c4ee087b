#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace ration::bench {

/// "user:1234567", written without allocating.
class Key {
public:
    explicit Key(std::size_t number)
    {
        constexpr std::string_view prefix = "user:";
        prefix.copy(text_.data(), prefix.size());
        auto const end = std::to_chars(text_.data() + prefix.size(), text_.data() + text_.size(), number).ptr;
        size_ = static_cast<std::size_t>(end - text_.data());
    }

    operator std::string_view() const { return {text_.data(), size_}; }  // implicit: it is a key

private:
    std::array<char, 26> text_{};
    std::size_t size_;
};

/// The i-th of `count` numbers in an order that looks random and hits each once.
inline std::size_t shuffled(std::size_t i, std::size_t count)
{
    constexpr std::size_t prime =
        2'654'435'761;  // greater than any count here, so it has no common factor with it
    return i * prime % count;
}

/// Some of the keys below `count`, at random, ready to be asked for.
inline std::vector<std::string> some_keys(std::size_t count)
{
    std::vector<std::string> keys(1 << 20);
    std::mt19937_64 random{count};
    for (auto& key : keys) key = std::string_view{Key{random() % count}};
    return keys;
}

}  // namespace ration::bench
