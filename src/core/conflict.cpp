#include "core/conflict.hpp"

#include "core/quote.hpp"

namespace ration::core {

std::string stored_as(Algorithm stored, Algorithm asked)
{
    return "it is stored as a " + std::string{to_string(stored)} + ", not as a "
           + std::string{to_string(asked)} + "; open it without an algorithm, or replace it by set_rate";
}

std::string already_exists(std::string_view name)
{
    return "cannot be renamed: " + quoted(name) + " exists already; remove that first, or give another name";
}

}  // namespace ration::core
