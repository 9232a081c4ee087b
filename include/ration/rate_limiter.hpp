#pragma once

#include <ration/decision.hpp>
#include <ration/detail/arguments.hpp>
#include <ration/detail/initiate.hpp>
#include <ration/limiter_options.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>

namespace ration {

namespace client {
class Limiter;
}

namespace detail {

/// Tells a completion token from the options of a rate.
template <class T>
concept NotRateOptions = !std::same_as<std::remove_cvref_t<T>, RateOptions>;

}  // namespace detail

/// Limits how often something happens, across everybody who names the same limiter in the same store.
///
/// | if permits are missing …   | call              |
/// |----------------------------|-------------------|
/// | drop the work              | try_acquire()     |
/// | wait, but not for ever     | try_acquire_for() |
/// | wait                       | acquire()         |
///
/// Most servers want try_acquire; most batch jobs want acquire. Waiting is first come, first served.
///
/// Copies share one limiter. Safe to use from any thread. Made by Client::rate_limiter.
///
/// Blocking calls throw Error. A denial is an answer, not an error. On any error nothing was taken, except
/// Errc::outcome_unknown. A blocking call that would have to wait for the client's own I/O thread, made on that
/// thread, fails with would_deadlock.
///
/// Async twins take any Asio completion token and complete with void(error_code, T), where T is what the
/// blocking call returns, never inside the initiating call, on the token's executor or else on the client's.
/// Cancelling one (total, partial or terminal) completes it with operation_aborted and takes nothing, unless it
/// was granted first. The limiter may be destroyed first; the operation keeps what it needs.
class RateLimiter {
public:
    // ---- the rate ----

    /// Sets the rate if none is set. False: it had a rate already, which is left alone.
    bool try_set_rate(Rate const& rate, RateOptions const& options = {});

    /// Replaces rate, type, algorithm and keep_alive, and forgets all grants.
    void set_rate(Rate const& rate, RateOptions const& options = {});

    /// The call for start-up: the same config leaves all alone, a different one replaces it and forgets grants.
    EnsureResult ensure_rate(Rate const& rate, RateOptions const& options = {});

    /// Replaces the rate and keeps grants: what was taken stays taken, also when that is more than the new rate
    /// allows (then nothing passes until it has freed up). False: there is no rate to update. Another type
    /// clears the state; another algorithm is a config_conflict.
    bool update_rate(Rate const& rate, RateOptions const& options = {});

    // ---- permits; each requires 1 <= n <= the rate's capacity, else permits_exceed_rate or invalid_argument ----

    /// Now or never.
    [[nodiscard]] Decision try_acquire(Permits n = 1);

    /// Waits up to `timeout`, but not in vain: denied at once if the permits would come too late.
    [[nodiscard]] Decision try_acquire_for(detail::AnyDuration timeout, Permits n = 1);

    /// Waits until granted.
    Decision acquire(Permits n = 1);

    /// Waits until granted, or throws with Errc::cancelled when `stop` is requested.
    Decision acquire(Permits n, std::stop_token stop);

    /// What try_acquire(n) would say; nothing is taken.
    [[nodiscard]] Decision peek(Permits n = 1) const;

    /// Gives back permits of the current window, oldest grants first, never above full. Releasing what has freed
    /// up already gives away permits that others hold.
    void release(Permits n);

    /// Permits that could be taken now, between zero and the rate. A snapshot: it may be wrong when you read it.
    [[nodiscard]] Permits available_permits() const;

    // ---- the limiter as a thing that is stored ----

    LimiterConfig config() const;  ///< not_initialized if there is none
    bool exists() const;
    bool remove();  ///< config and state; false: there was nothing

    /// Lets the limiter vanish after `span` (> 0) or at `moment`. False: there is none. With keep_alive the next
    /// use sets it anew.
    bool expire_after(detail::AnyDuration span);
    bool expire_at(std::chrono::system_clock::time_point moment);
    bool clear_expiry();  ///< false: it would not have expired, or there is none

    /// Empty: it does not expire. not_initialized if there is none.
    std::optional<Duration> remaining_time_to_live() const;

    /// Moves config and state to another name; config_conflict if that exists. This object keeps its name.
    void rename(std::string const& to);

    /// Rewrites grants that Redisson before 3.17.0 has stored in the format of today, in one step, so that a newer
    /// Java client can read them; their times and permits stay. Call it once when the last old client is gone:
    /// those cannot read the new format. Returns how many entries were rewritten, 0 in the embedded store.
    std::int64_t migrate();

    std::string const& name() const noexcept;

    // ---- async twins ----

    template <class Token = boost::asio::deferred_t>
    auto async_try_set_rate(Rate const& rate, RateOptions const& options = {}, Token&& token = {})
    {
        return initiate<bool>(
            [self = *this, rate, options](auto handler) {
                self.start_try_set_rate(rate, options, std::move(handler));
            },
            std::forward<Token>(token));
    }

    template <detail::NotRateOptions Token>
    auto async_try_set_rate(Rate const& rate, Token&& token)
    {
        return async_try_set_rate(rate, RateOptions{}, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_set_rate(Rate const& rate, RateOptions const& options = {}, Token&& token = {})
    {
        return initiate<void>([self = *this, rate, options](
                                  auto handler) { self.start_set_rate(rate, options, std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <detail::NotRateOptions Token>
    auto async_set_rate(Rate const& rate, Token&& token)
    {
        return async_set_rate(rate, RateOptions{}, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_ensure_rate(Rate const& rate, RateOptions const& options = {}, Token&& token = {})
    {
        return initiate<EnsureResult>(
            [self = *this, rate, options](auto handler) {
                self.start_ensure_rate(rate, options, std::move(handler));
            },
            std::forward<Token>(token));
    }

    template <detail::NotRateOptions Token>
    auto async_ensure_rate(Rate const& rate, Token&& token)
    {
        return async_ensure_rate(rate, RateOptions{}, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_update_rate(Rate const& rate, RateOptions const& options = {}, Token&& token = {})
    {
        return initiate<bool>(
            [self = *this, rate, options](auto handler) {
                self.start_update_rate(rate, options, std::move(handler));
            },
            std::forward<Token>(token));
    }

    template <detail::NotRateOptions Token>
    auto async_update_rate(Rate const& rate, Token&& token)
    {
        return async_update_rate(rate, RateOptions{}, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_try_acquire(Permits n = 1, Token&& token = {})
    {
        return initiate<Decision>(
            [self = *this, n](auto handler) { self.start_try_acquire(n, std::move(handler)); },
            std::forward<Token>(token));
    }

    template <detail::NotANumber Token>
    auto async_try_acquire(Token&& token)
    {
        return async_try_acquire(1, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_try_acquire_for(detail::AnyDuration timeout, Permits n = 1, Token&& token = {})
    {
        return initiate<Decision>(
            [self = *this, timeout, n](auto handler) {
                self.start_try_acquire_for(timeout, n, std::move(handler));
            },
            std::forward<Token>(token));
    }

    template <detail::NotANumber Token>
    auto async_try_acquire_for(detail::AnyDuration timeout, Token&& token)
    {
        return async_try_acquire_for(timeout, 1, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_acquire(Permits n = 1, Token&& token = {})
    {
        return initiate<Decision>(
            [self = *this, n](auto handler) { self.start_acquire(n, std::move(handler)); },
            std::forward<Token>(token));
    }

    template <detail::NotANumber Token>
    auto async_acquire(Token&& token)
    {
        return async_acquire(1, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_peek(Permits n = 1, Token&& token = {}) const
    {
        return initiate<Decision>([self = *this, n](auto handler) { self.start_peek(n, std::move(handler)); },
                                  std::forward<Token>(token));
    }

    template <detail::NotANumber Token>
    auto async_peek(Token&& token) const
    {
        return async_peek(1, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_release(Permits n, Token&& token = {})
    {
        return initiate<void>([self = *this, n](auto handler) { self.start_release(n, std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_available_permits(Token&& token = {}) const
    {
        return initiate<Permits>(
            [self = *this](auto handler) { self.start_available_permits(std::move(handler)); },
            std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_config(Token&& token = {}) const
    {
        return initiate<LimiterConfig>(
            [self = *this](auto handler) { self.start_config(std::move(handler)); },
            std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_exists(Token&& token = {}) const
    {
        return initiate<bool>([self = *this](auto handler) { self.start_exists(std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_remove(Token&& token = {})
    {
        return initiate<bool>([self = *this](auto handler) { self.start_remove(std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_expire_after(detail::AnyDuration span, Token&& token = {})
    {
        return initiate<bool>(
            [self = *this, span](auto handler) { self.start_expire_after(span, std::move(handler)); },
            std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_expire_at(std::chrono::system_clock::time_point moment, Token&& token = {})
    {
        return initiate<bool>(
            [self = *this, moment](auto handler) { self.start_expire_at(moment, std::move(handler)); },
            std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_clear_expiry(Token&& token = {})
    {
        return initiate<bool>([self = *this](auto handler) { self.start_clear_expiry(std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_remaining_time_to_live(Token&& token = {}) const
    {
        return initiate<std::optional<Duration>>(
            [self = *this](auto handler) { self.start_remaining_time_to_live(std::move(handler)); },
            std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_rename(std::string const& to, Token&& token = {})
    {
        return initiate<void>([self = *this, to](auto handler) { self.start_rename(to, std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_migrate(Token&& token = {})
    {
        return initiate<std::int64_t>(
            [self = *this](auto handler) { self.start_migrate(std::move(handler)); },
            std::forward<Token>(token));
    }

    /// Where async operations complete whose handler names no executor of its own.
    boost::asio::any_io_executor get_executor() const;

private:
    friend class Client;
    RateLimiter(std::shared_ptr<client::Limiter> limiter, std::optional<Algorithm> algorithm);

    template <class T, class Start, class Token>
    auto initiate(Start start, Token&& token) const
    {
        return detail::initiate<T>(get_executor(), std::move(start), std::forward<Token>(token));
    }

    void start_try_set_rate(Rate const&, RateOptions const&, detail::Handler<bool>) const;
    void start_set_rate(Rate const&, RateOptions const&, detail::Handler<void>) const;
    void start_ensure_rate(Rate const&, RateOptions const&, detail::Handler<EnsureResult>) const;
    void start_update_rate(Rate const&, RateOptions const&, detail::Handler<bool>) const;
    void start_try_acquire(Permits, detail::Handler<Decision>) const;
    void start_try_acquire_for(Duration, Permits, detail::Handler<Decision>) const;
    void start_acquire(Permits, detail::Handler<Decision>) const;
    void start_peek(Permits, detail::Handler<Decision>) const;
    void start_release(Permits, detail::Handler<void>) const;
    void start_available_permits(detail::Handler<Permits>) const;
    void start_config(detail::Handler<LimiterConfig>) const;
    void start_exists(detail::Handler<bool>) const;
    void start_remove(detail::Handler<bool>) const;
    void start_expire_after(Duration, detail::Handler<bool>) const;
    void start_expire_at(std::chrono::system_clock::time_point, detail::Handler<bool>) const;
    void start_clear_expiry(detail::Handler<bool>) const;
    void start_remaining_time_to_live(detail::Handler<std::optional<Duration>>) const;
    void start_rename(std::string const&, detail::Handler<void>) const;
    void start_migrate(detail::Handler<std::int64_t>) const;

    std::shared_ptr<client::Limiter> limiter_;
    std::optional<Algorithm> algorithm_;  // LimiterOptions::algorithm of this handle
};

}  // namespace ration
