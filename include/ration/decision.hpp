#pragma once

#include <ration/types.hpp>

namespace ration {

/// Who gave the answer.
enum class Basis : std::uint8_t {
    store,           ///< the store itself: the limit holds
    local_fallback,  ///< the store failed; a local limiter answered (OnStoreFailure::local)
    fail_open,       ///< the store failed; granted unseen (OnStoreFailure::allow)
    fail_closed,     ///< the store failed; denied unseen (OnStoreFailure::deny)
};

/// "store", "local_fallback", "fail_open" or "fail_closed".
std::string_view to_string(Basis basis) noexcept;

/// The answer to a request for permits, with what the caller needs next.
struct Decision {
    bool granted = false;
    Permits remaining = 0;   ///< could be taken right now, e.g. 4 after 6 of 10
    Duration retry_after{};  ///< zero if granted; else until the same request passes, if nobody else comes
    Duration reset_after{};  ///< until all permits are free again, e.g. 1 s after a grant from 10/1s
    Basis basis = Basis::store;

    constexpr explicit operator bool() const noexcept { return granted; }
    friend bool operator==(Decision const&, Decision const&) = default;
};

}  // namespace ration
