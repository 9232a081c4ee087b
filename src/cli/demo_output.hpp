#pragma once

// How the demo is shown while it runs: as lines, as JSON, or as a picture that is drawn again and again.

#include "cli/demo_check.hpp"
#include "cli/demo_state.hpp"

#include <memory>

namespace ration::cli {

class DemoOutput {
public:
    virtual ~DemoOutput() = default;
    virtual void begin(DemoState const&) {}
    virtual void event(DemoState const&, DemoEvent const&) {}
    virtual void tick(DemoState const&) {}
    virtual void end(DemoState const&, CheckResult const&, bool interrupted) = 0;
};

/// What fits standard output.
std::unique_ptr<DemoOutput> make_demo_output(bool json);

}  // namespace ration::cli
