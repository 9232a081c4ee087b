#pragma once

#include <ration/clock.hpp>

#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <utility>

namespace ration::client {

/// An alarm by a real timer. Not thread-safe: its owner's lock guards it.
class RealAlarm final : public Alarm {
public:
    RealAlarm(boost::asio::any_io_executor const& executor, Clock const& clock, std::function<void()> ring)
        : timer_{executor}, clock_{clock}, ring_{std::move(ring)}
    {}

    void set(Time moment) override
    {
        timer_.expires_after(moment - clock_.now());
        // A copy of `ring`: the timer may be set anew while this is on its way.
        timer_.async_wait([ring = ring_](boost::system::error_code error) {
            if (!error) ring();
        });
    }

    void clear() override { timer_.cancel(); }

private:
    boost::asio::steady_timer timer_;
    Clock const& clock_;
    std::function<void()> const ring_;
};

}  // namespace ration::client
