#pragma once

// Who answers when the store cannot: OnStoreFailure. The queue sees an ordinary answer; its decisions say by `basis` that
// it was not the store's.

#include "client/context.hpp"
#include "core/store.hpp"

#include <memory>
#include <optional>

namespace ration::client {

/// A limiter in this process that stands in for one in the store.
class LocalLimit {
public:
    virtual ~LocalLimit() = default;

    /// Nothing if no rate is known yet.
    virtual std::optional<core::Answer> answer(core::Batch const& batch) = 0;

    /// The store has answered: a chance to learn the rate for worse times.
    virtual void heard(core::Answer const& answer) = 0;
};

/// The part of a rate that one of `share` processes has for itself: rounded down, at least 1.
Rate shared_out(Rate const& rate, Permits share);

/// One that follows the rate of a limiter in the store.
std::shared_ptr<LocalLimit> follow_rate(std::shared_ptr<Clock> clock,
                                        std::weak_ptr<core::LimiterStore> limiter, Permits share);

/// One key of a keyed limiter in this process.
std::shared_ptr<LocalLimit> local_key(std::shared_ptr<core::PermitStore> key);

/// `store` itself where a failure is an error, or the store cannot fail; else one that answers in its place.
/// `local`: for OnStoreFailure::local.
std::shared_ptr<core::PermitStore> with_fallback(Context const& context,
                                                 std::shared_ptr<core::PermitStore> store,
                                                 OnStoreFailure policy, std::shared_ptr<LocalLimit> local);

}  // namespace ration::client
