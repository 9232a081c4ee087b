#pragma once

#include <malloc.h>

#include <cstddef>

namespace ration::bench {

/// Bytes that the program holds from malloc now, all threads together, malloc's own overhead included.
inline std::size_t bytes_in_use()
{
    auto const info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

}  // namespace ration::bench
