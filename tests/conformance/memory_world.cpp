#include "conformance/world.hpp"

#include <ration/testing/manual_clock.hpp>

#include <atomic>

namespace ration::conformance {

namespace {

class MemoryWorld final : public World {
public:
    Client client(ClientOptions options) override
    {
        options.clock = clock_;
        return Client{url_, std::move(options)};
    }

    void advance(Duration by) override { clock_->advance(by); }
    Time wall() const override { return clock_->wall(); }
    bool time_stands_still() const override { return true; }
    bool compares_keyed_rates() const override { return true; }
    bool expires_fields_natively() const override { return true; }

private:
    static std::string next_url()
    {
        static std::atomic<int> worlds_made{0};
        return "memory:world-" + std::to_string(++worlds_made);
    }

    std::string const url_ = next_url();
    std::shared_ptr<ManualClock> const clock_ = std::make_shared<ManualClock>();
};

}  // namespace

std::vector<NewWorld> worlds()
{
    return {{"Memory", [] { return std::make_unique<MemoryWorld>(); }}};
}

}  // namespace ration::conformance
