#pragma once

#include "core/result.hpp"

#include <functional>

namespace ration::redis {

/// Something was heard, or it is certain that nothing ever will be.
using Heard = std::function<void(core::Result<core::Unit>)>;

}  // namespace ration::redis
