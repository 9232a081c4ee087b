#include <ration/delay_queue.hpp>

#include "client/queue.hpp"
#include "client/reply.hpp"
#include "client/take.hpp"

namespace ration {

using client::for_ever;
using client::Queue;
using client::reply_to;

namespace {

/// Runs `start(reply)` and waits for the reply.
template <class T, class Start>
T wait_for(Queue const& queue, Start start)
{
    return client::wait_for<T>(*queue.context(), client::describe_queue(queue.name()), start);
}

std::optional<Item> take_from(Queue& queue, Duration timeout, std::stop_token const& stop = {})
{
    auto outcome = queue.take(timeout, stop);
    if (outcome.error) {
        throw client::make_error(client::describe_queue(queue.name()),
                                 {*outcome.error, std::move(outcome.detail)});
    }
    return std::move(outcome.value);
}

}  // namespace

DelayQueue::DelayQueue(std::shared_ptr<Queue> queue) : queue_{std::move(queue)} {}

std::string const& DelayQueue::name() const noexcept
{
    return queue_->name();
}

QueueOptions const& DelayQueue::options() const noexcept
{
    return queue_->options();
}

boost::asio::any_io_executor DelayQueue::get_executor() const
{
    return queue_->context()->executor();
}

// ---- offering ----

std::string DelayQueue::offer(std::string_view value, Span delay)
{
    return wait_for<std::string>(
        *queue_, [&](auto reply) { queue_->offer(std::string{value}, Duration{delay}, std::move(reply)); });
}

void DelayQueue::start_offer(std::string const& value, Duration delay,
                             detail::Handler<std::string> handler) const
{
    queue_->offer(value, delay, reply_to<std::string>(queue_->context(), std::move(handler)));
}

std::string DelayQueue::offer_at_micros(std::string_view value, Duration since_epoch)
{
    return wait_for<std::string>(
        *queue_, [&](auto reply) { queue_->offer(std::string{value}, Time{since_epoch}, std::move(reply)); });
}

void DelayQueue::start_offer_at(std::string const& value, Duration since_epoch,
                                detail::Handler<std::string> handler) const
{
    queue_->offer(value, Time{since_epoch}, reply_to<std::string>(queue_->context(), std::move(handler)));
}

// ---- taking ----

Item DelayQueue::take()
{
    return take_from(*queue_, for_ever).value();
}

Item DelayQueue::take(std::stop_token stop)
{
    return take_from(*queue_, for_ever, stop).value();
}

void DelayQueue::start_take(detail::Handler<Item> handler) const
{
    queue_->async_take(for_ever, std::move(handler));
}

std::optional<Item> DelayQueue::try_take()
{
    return take_from(*queue_, Duration{});
}

void DelayQueue::start_try_take(detail::Handler<std::optional<Item>> handler) const
{
    queue_->async_take(Duration{}, std::move(handler));
}

std::optional<Item> DelayQueue::try_take_for(Span timeout)
{
    return take_from(*queue_, timeout);
}

void DelayQueue::start_try_take_for(Duration timeout, detail::Handler<std::optional<Item>> handler) const
{
    queue_->async_take(timeout, std::move(handler));
}

bool DelayQueue::ack(std::string_view id)
{
    return wait_for<bool>(*queue_, [&](auto reply) { queue_->ack(std::string{id}, std::move(reply)); });
}

void DelayQueue::start_ack(std::string const& id, detail::Handler<bool> handler) const
{
    queue_->ack(id, reply_to<bool>(queue_->context(), std::move(handler)));
}

// ---- the rest ----

bool DelayQueue::cancel(std::string_view id)
{
    return wait_for<bool>(*queue_, [&](auto reply) { queue_->cancel(std::string{id}, std::move(reply)); });
}

void DelayQueue::start_cancel(std::string const& id, detail::Handler<bool> handler) const
{
    queue_->cancel(id, reply_to<bool>(queue_->context(), std::move(handler)));
}

std::optional<Item> DelayQueue::peek() const
{
    return wait_for<std::optional<Item>>(*queue_, [&](auto reply) { queue_->peek(std::move(reply)); });
}

void DelayQueue::start_peek(detail::Handler<std::optional<Item>> handler) const
{
    queue_->peek(reply_to<std::optional<Item>>(queue_->context(), std::move(handler)));
}

std::size_t DelayQueue::size() const
{
    return wait_for<std::size_t>(*queue_, [&](auto reply) { queue_->size(std::move(reply)); });
}

void DelayQueue::start_size(detail::Handler<std::size_t> handler) const
{
    queue_->size(reply_to<std::size_t>(queue_->context(), std::move(handler)));
}

}  // namespace ration
