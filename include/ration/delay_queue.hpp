#pragma once

#include <ration/detail/arguments.hpp>
#include <ration/detail/initiate.hpp>
#include <ration/queue_options.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace ration {

namespace client {
class Queue;
}

/// A queue whose items come out at a time of their own: reminders, retries, time-outs.
///
///     auto retries = client.delay_queue("retries", {.acknowledge = Acknowledge::manual});
///     retries.offer("order 17", 5s);
///     Item item = retries.take();          // waits
///     handle(item.value);
///     retries.ack(item.id);                // else it comes back after the lease
///
/// Items are delivered in order of their time, never before it, each to one consumer. Time is the store's: in Redis the
/// server's. Waiting costs one timer; who offers an earlier item, in whatever process, wakes those who wait. Consumers of
/// one process are served first come, first served.
///
/// Values are any bytes. Copies share one queue. Safe to use from any thread. Blocking calls throw Error; each has an async
/// twin, which completes with void(error_code, T), never inside the call.
class DelayQueue {
public:
    using Item = ration::Item;
    using Span = detail::AnyDuration;  ///< any std::chrono::duration
    template <class Unit>
    using Moment = std::chrono::time_point<std::chrono::system_clock, Unit>;

    // ---- offering ----

    /// To be delivered after `delay`; one that is not above zero is due at once. Returns the id of the new item.
    std::string offer(std::string_view value, Span delay = Duration{});

    /// To be delivered at that time of the store's clock; a time in the past is due at once.
    template <class Unit>
    std::string offer_at(std::string_view value, Moment<Unit> moment)
    {
        return offer_at_micros(value, detail::AnyDuration{moment.time_since_epoch()});
    }

    // ---- taking ----

    Item take();  ///< waits
    Item take(std::stop_token stop);
    [[nodiscard]] std::optional<Item> try_take();                  ///< now or never
    [[nodiscard]] std::optional<Item> try_take_for(Span timeout);  ///< waits, but not for ever

    /// The item is done with. False: it is not leased any more: acked before, or its lease ran out and it is back in the
    /// queue. If another consumer has it by then, it is done with all the same. Without Acknowledge::manual: false.
    bool ack(std::string_view id);

    // ---- the rest ----

    bool cancel(std::string_view id);                ///< takes it out; false: it is not there, or leased
    [[nodiscard]] std::optional<Item> peek() const;  ///< the next item, due or not; nothing is taken
    [[nodiscard]] std::size_t size() const;          ///< items that wait, due or not; leased ones do not

    std::string const& name() const noexcept;
    QueueOptions const& options() const noexcept;

    // ---- the same, async ----

    template <class Token = boost::asio::deferred_t>
    auto async_offer(std::string_view value, Span delay, Token&& token = {})
    {
        return initiate<std::string>([self = *this, value = std::string{value}, span = Duration{delay}](
                                         auto handler) { self.start_offer(value, span, std::move(handler)); },
                                     std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
        requires(!detail::ChronoDuration<Token>)
    auto async_offer(std::string_view value, Token&& token = {})
    {
        return async_offer(value, Duration{}, std::forward<Token>(token));
    }

    template <class Unit, class Token = boost::asio::deferred_t>
    auto async_offer_at(std::string_view value, Moment<Unit> moment, Token&& token = {})
    {
        return initiate<std::string>(
            [self = *this, value = std::string{value},
             since_epoch = Duration{detail::AnyDuration{moment.time_since_epoch()}}](auto handler) {
                self.start_offer_at(value, since_epoch, std::move(handler));
            },
            std::forward<Token>(token));
    }

    /// @par Cancellation  total, partial, terminal. While a call to the store is out its answer decides: an item that was
    ///                    taken is delivered, not lost.
    template <class Token = boost::asio::deferred_t>
    auto async_take(Token&& token = {})
    {
        return initiate<Item>([self = *this](auto handler) { self.start_take(std::move(handler)); },
                              std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_try_take(Token&& token = {})
    {
        return initiate<std::optional<Item>>(
            [self = *this](auto handler) { self.start_try_take(std::move(handler)); },
            std::forward<Token>(token));
    }

    /// @par Cancellation  as async_take
    template <class Token = boost::asio::deferred_t>
    auto async_try_take_for(Span timeout, Token&& token = {})
    {
        return initiate<std::optional<Item>>(
            [self = *this, span = Duration{timeout}](auto handler) {
                self.start_try_take_for(span, std::move(handler));
            },
            std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_ack(std::string_view id, Token&& token = {})
    {
        return initiate<bool>(
            [self = *this, id = std::string{id}](auto handler) { self.start_ack(id, std::move(handler)); },
            std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_cancel(std::string_view id, Token&& token = {})
    {
        return initiate<bool>(
            [self = *this, id = std::string{id}](auto handler) { self.start_cancel(id, std::move(handler)); },
            std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_peek(Token&& token = {}) const
    {
        return initiate<std::optional<Item>>(
            [self = *this](auto handler) { self.start_peek(std::move(handler)); },
            std::forward<Token>(token));
    }

    template <class Token = boost::asio::deferred_t>
    auto async_size(Token&& token = {}) const
    {
        return initiate<std::size_t>([self = *this](auto handler) { self.start_size(std::move(handler)); },
                                     std::forward<Token>(token));
    }

    boost::asio::any_io_executor get_executor() const;

private:
    friend class Client;
    explicit DelayQueue(std::shared_ptr<client::Queue> queue);

    template <class T, class Start, class Token>
    auto initiate(Start start, Token&& token) const
    {
        return detail::initiate<T>(get_executor(), std::move(start), std::forward<Token>(token));
    }

    std::string offer_at_micros(std::string_view value, Duration since_epoch);
    void start_offer(std::string const& value, Duration, detail::Handler<std::string>) const;
    void start_offer_at(std::string const& value, Duration, detail::Handler<std::string>) const;
    void start_take(detail::Handler<Item>) const;
    void start_try_take(detail::Handler<std::optional<Item>>) const;
    void start_try_take_for(Duration, detail::Handler<std::optional<Item>>) const;
    void start_ack(std::string const& id, detail::Handler<bool>) const;
    void start_cancel(std::string const& id, detail::Handler<bool>) const;
    void start_peek(detail::Handler<std::optional<Item>>) const;
    void start_size(detail::Handler<std::size_t>) const;

    std::shared_ptr<client::Queue> queue_;
};

}  // namespace ration
