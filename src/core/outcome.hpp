#pragma once

#include <ration/decision.hpp>
#include <ration/error.hpp>

#include <memory>
#include <optional>
#include <string>

namespace ration::core {

/// What came of one request: an error, or else a decision.
struct Outcome {
    std::optional<Errc> error;
    /// If error is permits_exceed_rate, `remaining` is the most the limiter can ever hold.
    Decision decision;
    /// Of an error: what the code alone cannot say, if anything.
    std::shared_ptr<std::string const> detail{};

    static Outcome failed(Errc error) { return {error, {}, {}}; }
    friend bool operator==(Outcome const&, Outcome const&) = default;
};

}  // namespace ration::core
