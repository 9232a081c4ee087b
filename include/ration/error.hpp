#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace ration {

/// Why a call could not be answered. A denial is an answer, never an error.
enum class Errc {
    permits_exceed_rate = 1,  ///< more permits asked than the limiter can ever hold; waiting does not help
    not_initialized,          ///< no rate is set under this name (or it has expired)
    invalid_argument,         ///< an argument that can never be right
    store_unavailable,        ///< the store was not reached; nothing was taken
    outcome_unknown,          ///< sent, but the answer was lost; the permits count as used
    incompatible_data,        ///< the store holds something under this name that ration does not understand
    config_conflict,          ///< what is stored and what the call asks for do not go together
    would_deadlock,           ///< a blocking call would wait for the very thread it runs on
    queue_full,               ///< more waiters than ClientOptions::max_waiters
    client_closed,            ///< Client::close was called
    cancelled,                ///< the caller's stop_token asked to stop; equals std::errc::operation_canceled
    too_many_keys,            ///< a keyed limiter holds max_keys keys that are all in use
    access_denied,            ///< the store refused this user: NOAUTH, WRONGPASS, NOPERM
};

/// The name as this header writes it, e.g. "store_unavailable": for logs, metrics and `ration --json`. Names stay.
std::string_view to_string(Errc code) noexcept;

std::error_category const& error_category() noexcept;
std::error_code make_error_code(Errc code) noexcept;

/// Thrown by every blocking call that fails. `code()` says why, `what()` names the limiter and what to do.
class Error : public std::system_error {
public:
    Error(Errc code, std::string const& sentence);

    char const* what() const noexcept override { return sentence_->c_str(); }

private:
    std::shared_ptr<std::string const> sentence_;  // shared: copying an exception must not throw
};

}  // namespace ration

template <>
struct std::is_error_code_enum<ration::Errc> : std::true_type {};
