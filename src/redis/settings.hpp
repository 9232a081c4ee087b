#pragma once

#include "core/url.hpp"

#include <ration/tls_options.hpp>
#include <ration/types.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace ration::redis {

/// What a connection is told once and for all.
struct Settings {
    core::StoreUrl url;
    TlsOptions tls;
    Duration command_timeout;
    bool executor_is_ours;                     ///< a user's must be able to run out of work
    std::string where;                         ///< the URL as it may be shown
    std::shared_ptr<std::size_t> answers_due;  ///< how many; kept on the connection's executor
};

struct Counters {
    std::atomic<std::uint64_t> reconnects{0};
    std::atomic<std::uint64_t> lost_answers{0};
    std::atomic<std::uint64_t> shared_calls{0};
    std::atomic<std::uint64_t> shared_batches{0};
};

}  // namespace ration::redis
