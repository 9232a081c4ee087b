#pragma once

#include <ration/decision.hpp>
#include <ration/detail/arguments.hpp>
#include <ration/detail/initiate.hpp>
#include <ration/limiter_options.hpp>

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace ration {

namespace client {
class KeyedLimiter;
}

/// One rate for each of many keys: users, addresses, API keys. Made for millions of them.
///
///     auto per_user = client.keyed_rate_limiter("api", {.rate = Rate::per_minute(60).with_burst(10)});
///     if (!per_user.try_acquire(user_id)) return too_many_requests();
///
/// The rate lives in code. The state of a key appears with its first grant and vanishes on its own once it is
/// indistinguishable from a fresh one. Keys are 1 to 1024 bytes of any content.
///
/// Calls, errors, waiting and async twins are those of RateLimiter; each key is a limiter of its own.
class KeyedRateLimiter {
public:
    [[nodiscard]] Decision try_acquire(std::string_view key, Permits n = 1);  ///< now or never
    [[nodiscard]] Decision try_acquire_for(std::string_view key, detail::AnyDuration timeout,
                                           Permits n = 1);  ///< waits, but not in vain
    Decision acquire(std::string_view key, Permits n = 1);  ///< waits until granted
    Decision acquire(std::string_view key, Permits n, std::stop_token stop);
    [[nodiscard]] Decision peek(std::string_view key,
                                Permits n = 1) const;  ///< what try_acquire would say; nothing is taken
    void release(std::string_view key, Permits n);     ///< gives back, never above full
    [[nodiscard]] Permits available_permits(std::string_view key) const;
    bool reset(std::string_view key);  ///< forgets all grants of the key; false: there were none

    /// How many keys are held in memory now.
    std::size_t size() const;

    std::string const& name() const noexcept;
    KeyedOptions const& options() const noexcept;

    template <class Token = boost::asio::deferred_t>
    auto async_try_acquire(std::string_view key, Permits n = 1, Token&& token = {})
    {
        return initiate<Decision>([self = *this, key = std::string{key},
                                   n](auto handler) { self.start_try_acquire(key, n, std::move(handler)); },
                                  std::forward<Token>(token));
    }

    template <detail::NotANumber Token>
    auto async_try_acquire(std::string_view key, Token&& token)
    {
        return async_try_acquire(key, 1, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_try_acquire_for(std::string_view key, detail::AnyDuration timeout, Permits n = 1,
                               Token&& token = {})
    {
        return initiate<Decision>(
            [self = *this, key = std::string{key}, timeout, n](auto handler) {
                self.start_try_acquire_for(key, timeout, n, std::move(handler));
            },
            std::forward<Token>(token));
    }

    template <detail::NotANumber Token>
    auto async_try_acquire_for(std::string_view key, detail::AnyDuration timeout, Token&& token)
    {
        return async_try_acquire_for(key, timeout, 1, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_acquire(std::string_view key, Permits n = 1, Token&& token = {})
    {
        return initiate<Decision>([self = *this, key = std::string{key},
                                   n](auto handler) { self.start_acquire(key, n, std::move(handler)); },
                                  std::forward<Token>(token));
    }

    template <detail::NotANumber Token>
    auto async_acquire(std::string_view key, Token&& token)
    {
        return async_acquire(key, 1, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_peek(std::string_view key, Permits n = 1, Token&& token = {}) const
    {
        return initiate<Decision>([self = *this, key = std::string{key},
                                   n](auto handler) { self.start_peek(key, n, std::move(handler)); },
                                  std::forward<Token>(token));
    }

    template <detail::NotANumber Token>
    auto async_peek(std::string_view key, Token&& token) const
    {
        return async_peek(key, 1, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_release(std::string_view key, Permits n, Token&& token = {})
    {
        return initiate<void>([self = *this, key = std::string{key},
                               n](auto handler) { self.start_release(key, n, std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_available_permits(std::string_view key, Token&& token = {}) const
    {
        return initiate<Permits>([self = *this, key = std::string{key}](
                                     auto handler) { self.start_available_permits(key, std::move(handler)); },
                                 std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_reset(std::string_view key, Token&& token = {})
    {
        return initiate<bool>([self = *this, key = std::string{key}](
                                  auto handler) { self.start_reset(key, std::move(handler)); },
                              std::forward<Token>(token));
    }

    boost::asio::any_io_executor get_executor() const;

private:
    friend class Client;
    explicit KeyedRateLimiter(std::shared_ptr<client::KeyedLimiter> limiter);

    template <class T, class Start, class Token>
    auto initiate(Start start, Token&& token) const
    {
        return detail::initiate<T>(get_executor(), std::move(start), std::forward<Token>(token));
    }

    void start_try_acquire(std::string const& key, Permits n, detail::Handler<Decision>) const;
    void start_try_acquire_for(std::string const& key, Duration, Permits n, detail::Handler<Decision>) const;
    void start_acquire(std::string const& key, Permits n, detail::Handler<Decision>) const;
    void start_peek(std::string const& key, Permits n, detail::Handler<Decision>) const;
    void start_release(std::string const& key, Permits n, detail::Handler<void>) const;
    void start_available_permits(std::string const& key, detail::Handler<Permits>) const;
    void start_reset(std::string const& key, detail::Handler<bool>) const;

    std::shared_ptr<client::KeyedLimiter> limiter_;
};

}  // namespace ration
