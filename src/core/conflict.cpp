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

std::string removed_otherwise(bool natively)
{
    return natively
               ? "clients with the strategy native use it; open it with native or automatic, or clear it "
                 "there"
               : "clients with the strategy sorted_set or delay_queue use it; open it with one of these or "
                 "automatic, or clear it there";
}

}  // namespace ration::core
