#pragma once

#include "core/outcome.hpp"

#include <ration/types.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace ration::core {

/// `count` equal requests, one behind the other.
struct Run {
    Permits n;
    bool patient;  ///< is ready to wait, so nobody behind may overtake it
    std::uint32_t count;

    friend bool operator==(Run const&, Run const&) = default;
};

/// What one store call asks: requests in order of arrival.
struct Batch {
    std::vector<Run> runs;
    /// Normally the first patient refusal ends the call. False: the very first request is passed over like an
    /// impatient one, because another process was quicker than it at its own moment (rule 6).
    bool head_blocks = true;
    /// What algorithm all of them take the limiter for, if any.
    std::optional<Algorithm> expected{};
    /// How long somebody here has waited for the store already; counts against its time to answer.
    Duration waited{};

    bool is_plural() const noexcept { return runs.size() > 1 || runs.front().count > 1; }
};

/// What the store said: one outcome per request, in order, as far as it went. It ends early at the first
/// patient refusal that blocks; what stands behind it was not evaluated and is not in here.
struct Answer {
    std::vector<Outcome> outcomes;
    Permits capacity = 0;  ///< the most that can pass at once; 0: unknown
};

/// The store did not answer.
struct NoAnswer {
    /// outcome_unknown: it was sent, and nobody knows whether it was executed. All others: nothing was taken.
    Errc error = Errc::store_unavailable;
    bool transient = true;  ///< it may be better soon, and OnStoreFailure may answer instead
    std::shared_ptr<std::string const> detail{};
};

using CallResult = std::variant<Answer, NoAnswer>;

/// Goes through a batch as every store must. `decide(n)` takes permits now or refuses.
template <class Decide>
std::vector<Outcome> evaluate(Batch const& batch, Decide decide)
{
    std::size_t requests = 0;
    for (Run const& run : batch.runs) requests += run.count;
    std::vector<Outcome> outcomes;
    outcomes.reserve(requests);
    for (Run const& run : batch.runs) {
        for (std::uint32_t i = 0; i < run.count; ++i) {
            bool const is_head = outcomes.empty();
            Outcome const& outcome = outcomes.emplace_back(decide(run.n));
            bool const refused = !outcome.error && !outcome.decision.granted;
            if (refused && run.patient && (batch.head_blocks || !is_head)) return outcomes;
        }
    }
    return outcomes;
}

}  // namespace ration::core
