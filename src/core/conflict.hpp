#pragma once

#include <ration/types.hpp>

#include <string>
#include <string_view>

namespace ration::core {

/// The sentence for config_conflict: what is stored is not what was asked for.
std::string stored_as(Algorithm stored, Algorithm asked);

/// The same for a new name that is taken.
std::string already_exists(std::string_view name);

}  // namespace ration::core
