#pragma once

#include <algorithm>

namespace ration::client {

/// Whether to look for an answer for a while, or to go to sleep at once: as long as looking finds it, it pays. After each time in
/// vain it is tried half as often, down to once in 64.
class Looking {
public:
    bool pays()
    {
        if (left_out_ == 0) return true;
        --left_out_;
        return false;
    }
    void found_it() { leave_out_ = 0; }
    void was_in_vain()
    {
        leave_out_ = std::min(2 * leave_out_ + 1, most_left_out);
        left_out_ = leave_out_;
    }

private:
    static constexpr int most_left_out = 63;
    int leave_out_ = 0;  // after the next time in vain, about twice as many
    int left_out_ = 0;   // of these, still to come
};

}  // namespace ration::client
