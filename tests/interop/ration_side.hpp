#pragma once

#include "interop/side.hpp"

#include <ration/limiter_options.hpp>

#include <memory>
#include <string>

namespace ration {
class Client;
class RateLimiter;
}  // namespace ration

namespace ration::interop {

/// ration, told what to do in the same lines as Redisson. Also the table of what to write in C++ next to each Java call.
class RationSide final : public Side {
public:
    /// Every limiter is opened with these options.
    RationSide(std::string const& url, LimiterOptions const& options);
    ~RationSide() override;

    std::string name() const override { return "ration"; }
    std::future<std::string> start(std::string const& line) override;

    RateLimiter limiter(std::string const& name);

private:
    std::string run(std::string const& line);

    LimiterOptions options_;
    std::unique_ptr<Client> client_;
};

/// Does what lines on standard input say, as java/ration/Driver.java does: a ration in a process of its own.
int drive_ration(std::string const& url);

}  // namespace ration::interop
