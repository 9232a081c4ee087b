#include "redis/redis_keyed.hpp"

#include "redis/failures.hpp"
#include "redis/keys.hpp"
#include "redis/member_ids.hpp"
#include "redis/server_error.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace ration::redis {

using core::CallResult;
using core::Result;
using core::Unit;

namespace {

std::vector<std::string> arguments_of(KeyedOptions const& options)
{
    return {std::string{to_string(options.algorithm)}, std::to_string(options.rate.permits()),
            std::to_string(is_own_layout(options.algorithm)
                               ? options.rate.interval().count()
                               : options.rate.interval() / std::chrono::milliseconds{1}),
            std::to_string(options.rate.capacity())};
}

/// Of the script.
bool asks_the_same(core::Batch const& one, core::Batch const& other)
{
    return one.runs == other.runs && one.head_blocks == other.head_blocks;
}

}  // namespace

/// One key, as something a queue can drive.
class RedisKeyed::Key final : public core::PermitStore, public std::enable_shared_from_this<Key> {
public:
    Key(std::shared_ptr<RedisKeyed> owner, std::string const& key)
        : owner_{std::move(owner)}, key_{keyed_key(owner_->name_, key)}
    {}

    std::string const& text() const noexcept { return key_; }

    void shut_gate() override {}  // nothing is ever decided beside the queue
    void open_gate() override {}

    void call(core::Batch const& batch, core::UniqueFunction<void(CallResult)> reply) override
    {
        owner_->enqueue({shared_from_this(), batch, owner_->deadline_after(batch.waited), std::move(reply)});
    }

    bool shares_calls() const noexcept override { return true; }

private:
    std::shared_ptr<RedisKeyed> const owner_;
    std::string const key_;
};

RedisKeyed::RedisKeyed(std::shared_ptr<Connection> connection, Duration command_timeout, std::string where,
                       std::string name, KeyedOptions const& options)
    : connection_{std::move(connection)},
      command_timeout_{command_timeout},
      where_{std::move(where)},
      name_{std::move(name)},
      options_{options},
      fixed_arguments_{arguments_of(options)}
{}

Deadline RedisKeyed::deadline_after(Duration waited) const
{
    return std::chrono::steady_clock::now() + (command_timeout_ - waited);
}

std::vector<std::string> RedisKeyed::rate_arguments()
{
    auto arguments = fixed_arguments_;
    std::lock_guard const lock{mutex_};
    arguments.push_back(calendar_ ? calendar_->text() : std::string{});
    return arguments;
}

/// {need_window, time}
void RedisKeyed::learn_windows(Values values)
{
    std::lock_guard const lock{mutex_};
    calendar_.emplace(options_.rate, Time{Duration{integer_at(values, 1)}});
}

// ---- permits ----

Decision RedisKeyed::decide_now(std::string_view, core::Ask, core::AtOnce& at_once)
{
    at_once.must_queue();
    return {};
}

std::shared_ptr<core::PermitStore> RedisKeyed::permits(std::string const& key)
{
    return std::make_shared<Key>(shared_from_this(), key);
}

void RedisKeyed::enqueue(Waiting waiting)
{
    {
        std::lock_guard const lock{mutex_};
        waiting_.push_back(std::move(waiting));
    }
    send_waiting();
}

void RedisKeyed::send_waiting()
{
    for (;;) {
        Calls calls;
        {
            std::lock_guard const lock{mutex_};
            if (waiting_.empty() || out_ == calls_at_once) return;
            ++out_;
            auto const count = static_cast<std::ptrdiff_t>(std::min(waiting_.size(), keys_per_call));
            calls.assign(std::make_move_iterator(waiting_.begin()),
                         std::make_move_iterator(waiting_.begin() + count));
            waiting_.erase(waiting_.begin(), waiting_.begin() + count);
        }
        send(std::move(calls));
    }
}

void RedisKeyed::send(Calls calls)
{
    Command command{&scripts::keyed_acquire, {}, rate_arguments()};
    command.arguments.push_back(new_member_prefix(RedissonFormat::current));
    command.keys.reserve(calls.size());
    Deadline deadline = Deadline::max();
    bool are_alike = true;
    for (Waiting const& call : calls) {
        command.keys.push_back(call.key->text());
        deadline = std::min(deadline, call.deadline);
        are_alike = are_alike && asks_the_same(call.batch, calls.front().batch);
    }
    // Mostly they are, and every argument costs.
    for (Waiting const& call : std::span{calls}.first(are_alike ? 1 : calls.size()))
        command.arguments.push_back(packed(call.batch));
    auto& counters = connection_->counters();
    counters.shared_calls.fetch_add(1, std::memory_order_relaxed);
    if (calls.size() > 1 || calls.front().batch.is_plural())
        counters.shared_batches.fetch_add(1, std::memory_order_relaxed);
    auto done = [self = shared_from_this(), calls = std::move(calls)](Reply reply) mutable {
        self->deliver(std::move(calls), std::move(reply));
        {
            std::lock_guard const lock{self->mutex_};
            --self->out_;  // not before: who asks again at once goes with the others
        }
        self->send_waiting();
    };
    connection_->run(std::move(command), deadline, std::move(done));
}

void RedisKeyed::deliver(Calls calls, Reply reply)
{
    if (auto const* const failure = std::get_if<Failure>(&reply)) {
        for (Waiting& call : calls) call.reply(no_answer(*failure));
        return;
    }
    auto const& replies = std::get<std::vector<Value>>(reply);
    std::vector<Value> values;  // kept for its memory
    for (std::size_t i = 0; i < calls.size(); ++i) {
        unpack_keyed(i < replies.size() ? std::string_view{replies[i].text} : std::string_view{},
                     options_.rate, values);
        if (auto result = decoded(calls[i], values)) {
            calls[i].reply(std::move(*result));
        } else {
            enqueue(std::move(calls[i]));
        }
    }
}

/// Nothing: it has to be asked again.
std::optional<CallResult> RedisKeyed::decoded(Waiting const& call, Values values)
{
    switch (status_of(values)) {
    case Status::ok: break;
    case Status::again: return std::nullopt;
    case Status::need_window: learn_windows(values); return std::nullopt;
    case Status::failed: return no_answer(server_failure(text_at(values, 1), where_));
    default: return no_answer({Errc::incompatible_data, false, text_at(values, 1)});
    }
    auto answer = decode_answer(call.batch, values);
    if (answer) return std::move(*answer);
    return no_answer({Errc::incompatible_data, false, "the script's reply contradicts itself"});
}

// ---- beside the queues ----

template <class T, class Decode>
void RedisKeyed::run(Script const& script, std::string_view key, Permits n, core::Reply<T> reply,
                     Decode decode)
{
    auto const self = shared_from_this();
    auto arguments = [self, n] {
        auto all = self->rate_arguments();
        all.push_back(std::to_string(n));
        return all;
    };
    start(connection_,
          std::make_shared<ScriptCall>(ScriptCall{&script,
                                                  {keyed_key(name_, key)},
                                                  std::move(arguments),
                                                  [self](Values values) { self->learn_windows(values); },
                                                  deadline_after({}),
                                                  result_of<T>(std::nullopt, std::move(reply), decode)}));
}

void RedisKeyed::peek(std::string_view key, Permits n, core::Reply<Decision> reply)
{
    run<Decision>(scripts::keyed_look, key, n, for_question(std::move(reply)),
                  [n](Values values) -> Result<Decision> {
                      auto const outcome = decode_look(n, values);
                      return {outcome.error, {}, outcome.decision};
                  });
}

void RedisKeyed::available(std::string_view key, core::Reply<Permits> reply)
{
    run<Permits>(scripts::keyed_look, key, 0, for_question(std::move(reply)),
                 [](Values values) -> Result<Permits> {
                     return {{}, {}, decode_available(values)};
                 });
}

void RedisKeyed::release(std::string_view key, Permits n, core::Reply<Unit> reply)
{
    auto then = [self = shared_from_this(), key = std::string{key}, n,
                 reply = std::move(reply)](Result<Permits> given_back) mutable {
        if (given_back.error) {
            reply(Result<Unit>::failed(*given_back.error, std::move(given_back.detail)));
        } else if (given_back.value < n && given_back.value > 0) {
            self->release(key, n - given_back.value, std::move(reply));
        } else {
            reply({});
        }
    };
    run<Permits>(scripts::keyed_release, key, n, std::move(then), [](Values values) -> Result<Permits> {
        return {{}, {}, integer_at(values, 1)};
    });
}

void RedisKeyed::reset(std::string_view key, core::Reply<bool> reply)
{
    connection_->plain({"UNLINK", keyed_key(name_, key)}, deadline_after({}),
                       [reply = std::move(reply)](Reply answer) mutable {
                           if (auto* const failure = std::get_if<Failure>(&answer)) {
                               reply(Result<bool>::failed(failure->code, std::move(failure->detail)));
                           } else {
                               reply({{}, {}, integer_at(std::get<std::vector<Value>>(answer), 0) == 1});
                           }
                       });
}

}  // namespace ration::redis
