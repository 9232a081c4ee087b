#pragma once

#include <ration/types.hpp>

#include <string>
#include <string_view>

namespace ration::core {

/// The sentence for config_conflict: what is stored is not what was asked for.
std::string stored_as(Algorithm stored, Algorithm asked);

/// The same for a new name that is taken.
std::string already_exists(std::string_view name);

/// Why a hash cannot be used: clients of the other kind have it. `natively`: the server removes what has expired.
std::string removed_otherwise(bool natively);

}  // namespace ration::core
