#pragma once

#include <ration/types.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ration::core {

/// Whether a crowd that does not wait gets more answers if two calls are out, with half of it each, or one with all of it.
///
/// Two keep a server busy that would else fall asleep while the handlers run. But a call costs the server and the client the
/// same whatever its size, so where one of them has too much to do already, two are slower. Nobody can see that from here; so it
/// is tried: the other way now and then, for a few milliseconds, and the better one is kept. After each trial in vain there
/// is twice as long a pause, up to 64 times as long as a trial.
class Overlap {
public:
    /// How much has to be decided before a speed means something.
    static constexpr std::size_t stretch = 2048;

    static Overlap never() noexcept { return Overlap{Mode::never}; }
    static Overlap always() noexcept { return Overlap{Mode::always}; }
    static Overlap learned() noexcept { return Overlap{Mode::learned}; }

    /// Whether to have two calls out.
    bool wanted() const noexcept { return mode_ == Mode::always || two_ != trying_; }

    /// So many were decided just now.
    void decided(std::size_t requests, Time now) noexcept
    {
        if (mode_ != Mode::learned) return;
        if (!measuring_) {
            begin(now);
            return;
        }
        decided_ += requests;
        if (decided_ < stretch) return;
        auto const took = std::max(now - since_, Duration{1});
        auto const speed = static_cast<double>(decided_) / static_cast<double>(took.count());
        if (trying_) {
            judge(speed);
        } else {
            kept_speed_ = speed;
            if (++kept_for_ >= pause_) trying_ = true;
        }
        begin(now);
    }

    /// Nobody is left: from here on the time says nothing about the speed, and a trial would never end.
    void rest() noexcept { measuring_ = trying_ = false; }

private:
    enum class Mode : std::uint8_t { never, always, learned };

    static constexpr double clearly = 1.1;  // better: a second call is not for nothing
    static constexpr std::size_t longest_pause = 64;

    explicit Overlap(Mode mode) noexcept : mode_{mode} {}

    void begin(Time now) noexcept
    {
        measuring_ = true;
        since_ = now;
        decided_ = 0;
    }

    void judge(double tried_speed) noexcept
    {
        bool const two_was_tried = !two_;
        double const two_speed = two_was_tried ? tried_speed : kept_speed_;
        double const one_speed = two_was_tried ? kept_speed_ : tried_speed;
        bool const two = two_speed > clearly * one_speed;
        pause_ = two == two_ ? std::min(2 * pause_, longest_pause) : 1;
        two_ = two;
        trying_ = false;
        kept_for_ = 0;
    }

    Mode mode_;
    bool two_ = false;        // the way that is kept
    bool trying_ = false;     // the other, right now
    bool measuring_ = false;  // since_ and decided_ mean something
    Time since_{};
    std::size_t decided_ = 0;   // since then
    double kept_speed_ = 0;     // as last measured, in requests a microsecond
    std::size_t kept_for_ = 0;  // stretches since the last trial
    std::size_t pause_ = 1;     // before the next
};

}  // namespace ration::core
