#pragma once

#include "core/store.hpp"

#include <ration/error.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ration::client {

/// Of a limiter or a key, in bytes.
inline constexpr std::size_t longest_name = 1024;

/// What is wrong, and the rest of the sentence that says so.
struct Problem {
    Errc code;
    std::string detail{};
};

/// Whom an error is about: `limiter "mail"`, `key "ann" of keyed limiter "api"`, `hash "agents"`, `delay queue "retries"`.
std::string describe_limiter(std::string_view name);
std::string describe_keyed_limiter(std::string_view name);
std::string describe_key(std::string_view name, std::string_view key);
std::string describe_hash(std::string_view name);
std::string describe_queue(std::string_view name);

/// An error whose text says who, what went wrong, and what to do.
Error make_error(std::string const& who, Problem const& problem);

/// Why a request of n permits ended without a decision. Requires: outcome.error
Problem problem_of(core::Outcome const& outcome, Permits n);

// What is wrong with an argument; nothing if it is right.
std::optional<Problem> check_name(std::string_view name);
std::optional<Problem> check_key(std::string_view key);
std::optional<Problem> check_permits(Permits n);
std::optional<Problem> check_timeout(Duration timeout);
std::optional<Problem> check_expiry(Duration span);
std::optional<Problem> check_options(LimiterOptions const& options);
std::optional<Problem> check_options(KeyedOptions const& options);
std::optional<Problem> check_ttl(Duration ttl);
std::optional<Problem> check_options(HashOptions const& options);
std::optional<Problem> check_options(QueueOptions const& options);
std::optional<Problem> check_wanted(core::WantedConfig const& wanted);

}  // namespace ration::client
