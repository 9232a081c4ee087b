#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace ration::interop {

/// Something is not as it must be; says what. Ends a cell of the matrix.
struct Mismatch : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void expect(bool condition, std::string const& what)
{
    if (!condition) throw Mismatch{what};
}

template <class Found, class Wanted>
void expect_equal(Found const& found, Wanted const& wanted, std::string const& what)
{
    if (found == wanted) return;
    std::ostringstream text;
    text << what << ": found '" << found << "', expected '" << wanted << "'";
    throw Mismatch{text.str()};
}

}  // namespace ration::interop
