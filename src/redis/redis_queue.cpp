#include "redis/redis_queue.hpp"

#include "redis/failures.hpp"
#include "redis/keys.hpp"

#include <algorithm>
#include <random>
#include <utility>

namespace ration::redis {

using core::Result;
using core::Unit;

namespace {

/// What a script can count exactly, as microseconds.
constexpr std::int64_t latest = std::int64_t{1} << 52;

std::string random_text()
{
    static constexpr char digits[] = "0123456789abcdef";
    std::random_device device;
    std::string text;
    while (text.size() < 16) {
        for (auto bits = device(); bits != 0 && text.size() < 16; bits >>= 4U) text += digits[bits & 15U];
    }
    return text;
}

std::string clamped(std::int64_t micros)
{
    return std::to_string(std::clamp<std::int64_t>(micros, 0, latest));
}

}  // namespace

RedisQueue::RedisQueue(std::shared_ptr<Connection> connection, Duration command_timeout,
                       std::string const& name, QueueOptions const& options)
    : connection_{std::move(connection)},
      command_timeout_{command_timeout},
      keys_{name, suffixed(name, "items"), suffixed(name, "leases")},
      lease_{options.acknowledge == Acknowledge::manual ? std::to_string(options.lease.count())
                                                        : std::string{}},
      own_{random_text()}
{}

/// Counts up, so that of one client's items with the same times the first offered comes first.
std::string RedisQueue::next_id_end()
{
    auto const number = std::to_string(offers_.fetch_add(1, std::memory_order_relaxed));
    return "-" + std::string(number.size() < 10 ? 10 - number.size() : 0, '0') + number + "-" + own_;
}

template <class T, class Decode>
void RedisQueue::run(Script const& script, std::vector<std::string> arguments, core::Reply<T> reply,
                     Decode decode)
{
    connection_->run({&script, keys_, std::move(arguments)},
                     std::chrono::steady_clock::now() + command_timeout_,
                     [reply = std::move(reply), decode](Reply answer) mutable {
                         if (auto* const failure = std::get_if<Failure>(&answer)) {
                             reply(Result<T>::failed(failure->code, std::move(failure->detail)));
                         } else {
                             reply({{}, {}, decode(std::get<std::vector<Value>>(answer))});
                         }
                     });
}

void RedisQueue::offer(std::string value, core::Due due, core::Reply<std::string> reply)
{
    auto const* const moment = std::get_if<Time>(&due);
    auto const* const delay = std::get_if<Duration>(&due);
    run(scripts::queue_offer,
        {std::move(value), moment ? clamped(moment->time_since_epoch().count()) : "",
         delay ? clamped(delay->count()) : "", next_id_end()},
        std::move(reply), [](Values values) { return text_at(values, 1); });
}

void RedisQueue::take(std::size_t count, core::Reply<core::Taken> reply)
{
    run(scripts::queue_take, {std::to_string(count), lease_}, std::move(reply),
        [](std::vector<Value>& values) {
            core::Taken taken;
            if (auto const next = integer_at(values, 1); next >= 0) taken.next_in = Duration{next};
            for (std::size_t i = 2; i + 1 < values.size(); i += 2)
                taken.items.push_back({std::move(values[i].text), std::move(values[i + 1].text)});
            return taken;
        });
}

void RedisQueue::ack(std::string id, core::Reply<bool> reply)
{
    run(scripts::queue_ack, {std::move(id)}, std::move(reply),
        [](Values values) { return integer_at(values, 1) == 1; });
}

void RedisQueue::cancel(std::string id, core::Reply<bool> reply)
{
    run(scripts::queue_cancel, {std::move(id)}, std::move(reply),
        [](Values values) { return integer_at(values, 1) == 1; });
}

void RedisQueue::peek(core::Reply<std::optional<Item>> reply)
{
    run(scripts::queue_peek, {}, for_question(std::move(reply)), [](Values values) -> std::optional<Item> {
        if (values.size() < 3) return std::nullopt;
        return Item{text_at(values, 1), text_at(values, 2)};
    });
}

void RedisQueue::size(core::Reply<std::size_t> reply)
{
    run(scripts::queue_size, {}, for_question(std::move(reply)),
        [](Values values) { return static_cast<std::size_t>(integer_at(values, 1)); });
}

std::unique_ptr<core::Watch> RedisQueue::watch(std::function<void(Result<Unit>)> look)
{
    return connection_->listen(keys_[1], std::move(look));
}

}  // namespace ration::redis
