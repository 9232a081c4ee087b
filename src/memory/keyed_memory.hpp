#pragma once

#include "core/store.hpp"

#include <ration/clock.hpp>
#include <ration/limiter_options.hpp>

#include <memory>

namespace ration::memory {

/// What the store needs of a keyed limiter beyond what a client does.
class KeyedMemory : public core::KeyedStore {
public:
    virtual KeyedOptions const& options() const noexcept = 0;
    virtual core::StoreCounts counts() const = 0;

    /// Drops all idle keys; true if nothing is left.
    virtual bool drop_idle() = 0;
};

/// Requires: fits(options.algorithm, options.rate).
std::shared_ptr<KeyedMemory> make_keyed_memory(KeyedOptions const& options, std::shared_ptr<Clock> clock);

}  // namespace ration::memory
