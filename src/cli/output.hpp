#pragma once

// What commands print: text for people on a line, or one JSON object per line. Results go to standard output, all else to
// standard error.

#include "cli/json_line.hpp"

#include <ration/decision.hpp>
#include <ration/limiter_options.hpp>

#include <string>
#include <string_view>

namespace ration::cli {

void say(std::string const& line);
void say_to_error(std::string const& line);

/// Something to know that is no result and no error; in JSON an object with `note`.
void say_note(bool json, std::string const& sentence);

/// Why the command fails; in JSON an object with `error`, which is the name, and `message`.
void say_failure(bool json, std::string_view name, std::string const& sentence);

/// Throws if it cannot be written.
void write_file(std::string const& path, std::string const& text);

/// A name as it may be shown on a terminal: as it is, or in quotes and escaped if it holds anything odd.
std::string printable(std::string_view name);

/// `limiter, granted, remaining, retry_after_ms, reset_after_ms, basis`
JsonLine decision_json(std::string_view limiter, Decision const& decision);

/// E.g. "granted, 4 left" or "denied, 0 left, try again in 0.512s".
std::string decision_text(Decision const& decision);

/// Adds `rate, rate_text, interval_ms, type, algorithm, keep_alive_ms`, and `burst` if there is one.
void add_config(JsonLine& line, LimiterConfig const& config);

}  // namespace ration::cli
