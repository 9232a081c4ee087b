#include "interop/ration_side.hpp"

#include "interop/load_threads.hpp"

#include <ration/ration.hpp>

#include <array>
#include <functional>
#include <iostream>
#include <map>

namespace ration::interop {

namespace {

using std::chrono::milliseconds;
using Numbers = std::array<std::int64_t, 5>;  // those that are left out are 0

std::string text(bool value)
{
    return value ? "true" : "false";
}

/// The codes are for errors that Java knows too.
std::string error_text(Error const& error)
{
    if (error.code() == Errc::permits_exceed_rate) return "permits_exceed_rate";
    if (error.code() == Errc::not_initialized) return "not_initialized";
    if (error.code() == Errc::invalid_argument) return "invalid_argument";
    return error.what();
}

/// RATE INTERVAL_MS TYPE KEEP_ALIVE_MS
Rate rate_of(Numbers const& n)
{
    return Rate::per(n[0], milliseconds{n[1]});
}

RateOptions options_of(Numbers const& n)
{
    return {.type = n[2] == 0 ? RateType::overall : RateType::per_client, .keep_alive = milliseconds{n[3]}};
}

std::string config_text(LimiterConfig const& config)
{
    return Side::line_of(config.rate.permits(), config.rate.interval() / milliseconds{1},
                         config.type == RateType::overall ? 0 : 1);
}

std::string time_to_live(RateLimiter const& limiter)
{
    if (!limiter.exists()) return "-2";
    auto const left = limiter.remaining_time_to_live();
    return left ? std::to_string(*left / milliseconds{1}) : "-1";
}

/// Java's RateLimiterArgs with keepState: the fifth number.
std::string set_with_args(RateLimiter& limiter, Numbers const& n)
{
    bool const keep_state = n[4] != 0;
    if (!keep_state || !limiter.update_rate(rate_of(n), options_of(n)))
        limiter.set_rate(rate_of(n), options_of(n));
    return {};
}

std::string update_with_args(RateLimiter& limiter, Numbers const& n)
{
    bool const keep_state = n[4] != 0;
    if (keep_state) return text(limiter.update_rate(rate_of(n), options_of(n)));
    if (!limiter.exists()) return text(false);
    limiter.set_rate(rate_of(n), options_of(n));
    return text(true);
}

/// One command, one call: the same as in java/ration/Commands.java.
std::map<std::string, std::function<std::string(RateLimiter&, Numbers const&)>> const commands{
    {"try-set", [](auto& lim, auto& n) { return text(lim.try_set_rate(rate_of(n), options_of(n))); }},
    {"set", [](auto& lim, auto& n) { return lim.set_rate(rate_of(n), options_of(n)), std::string{}; }},
    {"set-args", set_with_args},
    {"update", update_with_args},
    {"try", [](auto& lim, auto& n) { return text(lim.try_acquire(n[0]).granted); }},
    {"try-for",
     [](auto& lim, auto& n) { return text(lim.try_acquire_for(milliseconds{n[1]}, n[0]).granted); }},
    {"acquire", [](auto& lim, auto& n) { return lim.acquire(n[0]), std::string{}; }},
    {"release", [](auto& lim, auto& n) { return lim.release(n[0]), std::string{}; }},
    {"available", [](auto& lim, auto&) { return std::to_string(lim.available_permits()); }},
    {"config", [](auto& lim, auto&) { return config_text(lim.config()); }},
    {"exists", [](auto& lim, auto&) { return text(lim.exists()); }},
    {"delete", [](auto& lim, auto&) { return text(lim.remove()); }},
    {"expire", [](auto& lim, auto& n) { return text(lim.expire_after(milliseconds{n[0]})); }},
    {"clear-expiry", [](auto& lim, auto&) { return text(lim.clear_expiry()); }},
    {"time-to-live", [](auto& lim, auto&) { return time_to_live(lim); }},
    {"migrate", [](auto& lim, auto&) { return std::to_string(lim.migrate()); }},
    {"load", [](auto& lim, auto& n) { return load_in_all_ways(lim, n[0], milliseconds{n[1]}, n[2]); }},
    {"clock",
     [](auto&, auto&) {
         return std::to_string(std::chrono::system_clock::now().time_since_epoch() / milliseconds{1});
     }},
};

}  // namespace

RationSide::RationSide(std::string const& url, LimiterOptions const& options)
    : options_{options},
      client_{std::make_unique<Client>(url, ClientOptions{.command_timeout = std::chrono::seconds{30}})}
{}

RationSide::~RationSide() = default;

RateLimiter RationSide::limiter(std::string const& name)
{
    return client_->rate_limiter(name, options_);
}

std::string RationSide::run(std::string const& line)
{
    std::istringstream words{line};
    std::string command;
    std::string name;
    words >> command >> name;
    Numbers numbers{};
    for (auto& number : numbers) words >> number;
    try {
        auto lim = limiter(name);
        return commands.at(command)(lim, numbers);
    } catch (Error const& error) {
        return "error " + error_text(error);
    }
}

std::future<std::string> RationSide::start(std::string const& line)
{
    return std::async(std::launch::async, [this, line] { return run(line); });
}

int drive_ration(std::string const& url)
{
    RationSide ration{url, {}};
    std::cout << "ready" << std::endl;
    for (std::string number, line; std::cin >> number && std::getline(std::cin >> std::ws, line);) {
        auto const answer = ration.ask(line);
        std::cout << number << (answer.starts_with("error ") ? " " : " ok ") << answer << std::endl;
    }
    return 0;
}

}  // namespace ration::interop
