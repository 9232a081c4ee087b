#pragma once

#include <ration/detail/arguments.hpp>
#include <ration/detail/initiate.hpp>
#include <ration/hash_options.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace ration {

namespace client {
class Hash;
}

/// A hash whose fields can expire, each at its own time: a cache of many objects of one kind, under one key.
///
///     auto agents = client.expiring_hash("agents");
///     agents.put("ann", profile, 10min);
///     if (auto known = agents.get("ann")) ...
///
/// An expired field is never returned, whether it has been removed yet or not; HashOptions::strategy says who removes it.
/// Time is the store's: in Redis the server's, to the millisecond. In Redis the hash is the plain key of its name, so
/// any other client reads it with HGET.
///
/// Fields and values are any bytes. Spans of time may be in any unit. Copies share one hash. Safe to
/// use from any thread. Blocking calls throw Error; each has an async twin, which completes with void(error_code, T), never
/// inside the call, and whose cancellation is not supported: it ends by its answer, or after ClientOptions::command_timeout.
class ExpiringHash {
public:
    using Fields = detail::FieldList;   ///< {"ann", "bob"}, or any range of texts
    using Entries = detail::EntryList;  ///< {{"ann", "1"}, {"bob", "2"}}, a map, or any range of pairs
    using Span = detail::AnyDuration;   ///< any std::chrono::duration; more than zero
    using Values = std::map<std::string, std::string>;
    using Strategy = HashStrategy;
    using Visitor = std::function<bool(std::string const& field, std::string const& value)>;
    using Listener = std::function<void(std::string const& field, std::string const& value)>;

    // ---- writing ----

    void put(std::string_view field, std::string_view value);  ///< stays until removed; clears a TTL
    void put(std::string_view field, std::string_view value, Span ttl);  ///< replaces value and TTL

    /// True: it was absent, or had expired, and is there now. False: nothing was changed.
    bool put_if_absent(std::string_view field, std::string_view value);
    bool put_if_absent(std::string_view field, std::string_view value, Span ttl);

    /// As many puts, in few calls: each call puts up to 500 fields, all or none of them.
    void put_all(Entries const& entries);
    void put_all(Entries const& entries, Span ttl);

    // ---- reading ----

    [[nodiscard]] std::optional<std::string> get(std::string_view field) const;
    [[nodiscard]] Values get_all(Fields const& fields) const;  ///< those that are there
    [[nodiscard]] bool contains(std::string_view field) const;

    /// How many fields are there, expired ones not counted. With `native` it counts them one by one, in several calls.
    [[nodiscard]] std::size_t size() const;

    /// Calls visit(field, value) for all fields, in no order, a page at a time, so that the server is never blocked for
    /// long. A field that is there from beginning to end is visited; one that comes or goes meanwhile may be; in Redis one
    /// may be visited twice if the hash grows or shrinks a lot meanwhile. A visit that returns false ends it.
    template <class Visit>
    void for_each(Visit visit) const
    {
        visit_all(as_visitor(std::move(visit)));
    }

    // ---- time to live ----

    [[nodiscard]] std::optional<Duration> remaining_ttl(
        std::string_view field) const;              ///< empty: none, or absent
    bool expire(std::string_view field, Span ttl);  ///< gives it another TTL; false: absent
    bool persist(std::string_view field);           ///< takes its TTL away; false: it had none, or absent

    // ---- removing ----

    /// How many were there.
    std::size_t remove(Fields const& fields);
    template <detail::Text... Names>
        requires(sizeof...(Names) > 0)
    std::size_t remove(Names const&... fields) { return remove(Fields{std::string_view{fields}...}); }

    void clear();  ///< removes all fields, without on_expired

    /// Calls listener(field, value) for fields that expire, on the client's executor. Among all processes that have the
    /// hash open, one hears of each expiry: the one that removed the field; if that one does not listen, nobody. Nobody
    /// hears of a field that is put again, or removed, after it expired and before it was swept. With `native`:
    /// invalid_argument, since the server drops the value without a word. Stays for as long as this client has the hash
    /// open: no call begins after close(), and the client's end waits for one on its own thread.
    void on_expired(Listener listener);

    std::string const& name() const noexcept;
    HashOptions const& options() const noexcept;

    /// What `automatic` came to; asks the server once, and has no async twin.
    [[nodiscard]] HashStrategy strategy() const;

    // ---- the same, async ----

    template <class Token = boost::asio::deferred_t>
        requires(!detail::ChronoDuration<Token>)
    auto async_put(std::string_view field, std::string_view value, Token&& token = {})
    {
        return put_async(field, value, std::nullopt, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_put(std::string_view field, std::string_view value, Span ttl, Token&& token = {})
    {
        return put_async(field, value, Duration{ttl}, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
        requires(!detail::ChronoDuration<Token>)
    auto async_put_if_absent(std::string_view field, std::string_view value, Token&& token = {})
    {
        return put_if_absent_async(field, value, std::nullopt, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_put_if_absent(std::string_view field, std::string_view value, Span ttl, Token&& token = {})
    {
        return put_if_absent_async(field, value, Duration{ttl}, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
        requires(!detail::ChronoDuration<Token>)
    auto async_put_all(Entries entries, Token&& token = {})
    {
        return put_all_async(std::move(entries), std::nullopt, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_put_all(Entries entries, Span ttl, Token&& token = {})
    {
        return put_all_async(std::move(entries), Duration{ttl}, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_get(std::string_view field, Token&& token = {}) const
    {
        return initiate<std::optional<std::string>>(
            [self = *this, field = std::string{field}](auto handler) {
                self.start_get(field, std::move(handler));
            },
            std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_get_all(Fields fields, Token&& token = {}) const
    {
        return initiate<Values>([self = *this, fields = std::move(fields)](
                                    auto handler) { self.start_get_all(fields, std::move(handler)); },
                                std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_contains(std::string_view field, Token&& token = {}) const
    {
        return initiate<bool>([self = *this, field = std::string{field}](
                                  auto handler) { self.start_contains(field, std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_size(Token&& token = {}) const
    {
        return initiate<std::size_t>([self = *this](auto handler) { self.start_size(std::move(handler)); },
                                     std::forward<Token>(token));
    }

    /// Visits are made on the client's executor.
    template <class Visit, class Token = boost::asio::deferred_t>
    auto async_for_each(Visit visit, Token&& token = {}) const
    {
        return initiate<void>([self = *this, visit = as_visitor(std::move(visit))](
                                  auto handler) { self.start_for_each(visit, std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_remaining_ttl(std::string_view field, Token&& token = {}) const
    {
        return initiate<std::optional<Duration>>(
            [self = *this, field = std::string{field}](auto handler) {
                self.start_remaining_ttl(field, std::move(handler));
            },
            std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_expire(std::string_view field, Span ttl, Token&& token = {})
    {
        return initiate<bool>([self = *this, field = std::string{field}, span = Duration{ttl}](
                                  auto handler) { self.start_expire(field, span, std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_persist(std::string_view field, Token&& token = {})
    {
        return initiate<bool>([self = *this, field = std::string{field}](
                                  auto handler) { self.start_persist(field, std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_remove(Fields fields, Token&& token = {})
    {
        return initiate<std::size_t>([self = *this, fields = std::move(fields)](
                                         auto handler) { self.start_remove(fields, std::move(handler)); },
                                     std::forward<Token>(token));
    }

    template <detail::Text Field, class Token = boost::asio::deferred_t>
    auto async_remove(Field const& field, Token&& token = {})
    {
        return async_remove(Fields{std::string_view{field}}, std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_clear(Token&& token = {})
    {
        return initiate<void>([self = *this](auto handler) { self.start_clear(std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_on_expired(Listener listener, Token&& token = {})
    {
        return initiate<void>([self = *this, listener = std::move(listener)](
                                  auto handler) { self.start_on_expired(listener, std::move(handler)); },
                              std::forward<Token>(token));
    }

    boost::asio::any_io_executor get_executor() const;

private:
    friend class Client;
    explicit ExpiringHash(std::shared_ptr<client::Hash> hash);

    using Ttl = std::optional<Duration>;

    template <class Visit>
    static Visitor as_visitor(Visit visit)
    {
        using Result = std::invoke_result_t<Visit&, std::string const&, std::string const&>;
        if constexpr (std::is_convertible_v<Result, bool>) {
            return visit;
        } else {
            return [visit = std::move(visit)](std::string const& field, std::string const& value) mutable {
                visit(field, value);
                return true;
            };
        }
    }

    template <class T, class Start, class Token>
    auto initiate(Start start, Token&& token) const
    {
        return detail::initiate<T>(get_executor(), std::move(start), std::forward<Token>(token));
    }

    template <class Token>
    auto put_async(std::string_view field, std::string_view value, Ttl ttl, Token&& token)
    {
        return initiate<void>([self = *this, field = std::string{field}, value = std::string{value},
                               ttl](auto handler) { self.start_put(field, value, ttl, std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <class Token>
    auto put_if_absent_async(std::string_view field, std::string_view value, Ttl ttl, Token&& token)
    {
        return initiate<bool>(
            [self = *this, field = std::string{field}, value = std::string{value}, ttl](auto handler) {
                self.start_put_if_absent(field, value, ttl, std::move(handler));
            },
            std::forward<Token>(token));
    }

    template <class Token>
    auto put_all_async(Entries entries, Ttl ttl, Token&& token)
    {
        return initiate<void>([self = *this, entries = std::move(entries),
                               ttl](auto handler) { self.start_put_all(entries, ttl, std::move(handler)); },
                              std::forward<Token>(token));
    }

    void visit_all(Visitor const& visit) const;
    void start_put(std::string const& field, std::string const& value, Ttl, detail::Handler<void>) const;
    void start_put_if_absent(std::string const& field, std::string const& value, Ttl,
                             detail::Handler<bool>) const;
    void start_put_all(Entries const&, Ttl, detail::Handler<void>) const;
    void start_get(std::string const& field, detail::Handler<std::optional<std::string>>) const;
    void start_get_all(Fields const&, detail::Handler<Values>) const;
    void start_contains(std::string const& field, detail::Handler<bool>) const;
    void start_size(detail::Handler<std::size_t>) const;
    void start_for_each(Visitor const&, detail::Handler<void>) const;
    void start_remaining_ttl(std::string const& field, detail::Handler<std::optional<Duration>>) const;
    void start_expire(std::string const& field, Duration, detail::Handler<bool>) const;
    void start_persist(std::string const& field, detail::Handler<bool>) const;
    void start_remove(Fields const&, detail::Handler<std::size_t>) const;
    void start_clear(detail::Handler<void>) const;
    void start_on_expired(Listener const&, detail::Handler<void>) const;

    std::shared_ptr<client::Hash> hash_;
};

}  // namespace ration
