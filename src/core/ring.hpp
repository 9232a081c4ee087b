#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace ration::core {

/// A queue in one block of memory, whose size follows its content.
///
/// Why not std::deque: an empty one already allocates, and takes 80 bytes instead of 32.
/// Guarantees: whatever throws (no memory) changes nothing.
template <class T>
class Ring {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Ring() = default;
    Ring(Ring&& other) noexcept { swap(other); }
    Ring& operator=(Ring&& other) noexcept
    {
        Ring{std::move(other)}.swap(*this);
        return *this;
    }

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    T& operator[](std::size_t i) { return slots_[(head_ + i) & (capacity_ - 1)]; }
    T const& operator[](std::size_t i) const { return slots_[(head_ + i) & (capacity_ - 1)]; }

    void push_back(T const& value)
    {
        if (size_ == capacity_) [[unlikely]]
            move_to(std::max(smallest, 2 * capacity_));
        (*this)[size_++] = value;
    }

    /// O(size - i).
    void insert(std::size_t i, T const& value)
    {
        push_back(value);
        for (std::size_t at = size_ - 1; at > i; --at) std::swap((*this)[at], (*this)[at - 1]);
    }

    /// Gives memory back when little of it is used. Requires: count <= size().
    void pop_front(std::size_t count)
    {
        head_ = (head_ + count) & (capacity_ - 1);
        size_ -= count;
        if (capacity_ > smallest && size_ < capacity_ / 8) [[unlikely]] {
            move_to(std::max(smallest, std::bit_ceil(2 * size_)));
        }
    }

    /// Keeps a small block for the next time.
    void clear()
    {
        head_ = size_ = 0;
        if (capacity_ > smallest) *this = Ring{};
    }

    /// How many elements from the front on satisfy `holds`, which must be true of a first part and false of
    /// the rest. Doubles its steps from the front, where the answer mostly is: O(log result).
    template <class Predicate>
    std::size_t count_first(Predicate holds) const
    {
        std::size_t bound = 1;
        while (bound <= size_ && holds((*this)[bound - 1])) bound *= 2;
        std::size_t low = bound / 2;
        std::size_t high = std::min(bound - 1, size_);
        while (low < high) {
            std::size_t const middle = low + (high - low) / 2;
            if (holds((*this)[middle])) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

private:
    static constexpr std::size_t smallest = 16;

    void swap(Ring& other) noexcept
    {
        std::swap(slots_, other.slots_);
        std::swap(capacity_, other.capacity_);
        std::swap(head_, other.head_);
        std::swap(size_, other.size_);
    }

    void move_to(std::size_t capacity)
    {
        auto slots = std::make_unique_for_overwrite<T[]>(capacity);
        for (std::size_t i = 0; i < size_; ++i) slots[i] = (*this)[i];
        slots_ = std::move(slots);
        capacity_ = capacity;
        head_ = 0;
    }

    std::unique_ptr<T[]> slots_;
    std::size_t capacity_ = 0;  // zero or a power of two
    std::size_t head_ = 0;
    std::size_t size_ = 0;
};

}  // namespace ration::core
