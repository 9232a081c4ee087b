#pragma once

#include <ration/types.hpp>

#include <utility>

namespace ration::core {

/// When to sweep next, and whether a sweep is out; one at a time.
///
/// What was asked for is never forgotten: by its moment a sweep begins, or one that is out then is followed by another.
class SweepTimes {
public:
    /// Sees that a sweep begins by then. Returns whether that is earlier than known, and the alarm has to be set to it.
    bool ask_by(Time moment)
    {
        if (moment >= next_) return false;
        next_ = moment;
        return true;
    }

    Time next() const { return next_; }

    /// The moment has come, or somebody cannot wait for it. Returns whether to sweep; not while another sweep is out.
    bool begin()
    {
        next_ = Time::max();  // even if one is out: the alarm that rang for this moment does not ring again
        if (!std::exchange(is_out_, true)) return true;
        again_ = true;
        return false;
    }

    /// Returns whether somebody asked meanwhile, so that the next sweep is due at once.
    bool end()
    {
        is_out_ = false;
        return std::exchange(again_, false);
    }

private:
    Time next_ = Time::max();
    bool is_out_ = false;
    bool again_ = false;
};

}  // namespace ration::core
