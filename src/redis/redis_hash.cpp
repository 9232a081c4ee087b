#include "redis/redis_hash.hpp"

#include "core/conflict.hpp"
#include "redis/failures.hpp"
#include "redis/keys.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace ration::redis {

using core::Result;
using core::Unit;
using namespace std::chrono_literals;

namespace {

constexpr int fields_per_page = 200;
constexpr std::chrono::milliseconds longest_ttl = std::chrono::years{1000};  // what any server can count

/// Whole milliseconds, rounded up.
std::string ttl_text(Duration ttl)
{
    auto const whole = std::min(
        std::chrono::ceil<std::chrono::milliseconds>(std::min<Duration>(ttl, longest_ttl)), longest_ttl);
    return std::to_string(whole.count());
}

std::string ttl_text(std::optional<Duration> const& ttl)
{
    return ttl ? ttl_text(*ttl) : std::string{};
}

/// As hash_put.lua reads them, behind the kind. Requires: at least one.
std::vector<std::string> put_arguments(std::vector<core::HashPut> puts)
{
    auto const any = [&](auto is_so) { return std::any_of(puts.begin(), puts.end(), is_so); };
    auto const shared_ttl = puts.front().ttl;
    bool const ttls_differ = any([&](auto const& put) { return put.ttl != shared_ttl; });
    bool const some_if_absent = any([](auto const& put) { return put.if_absent; });
    std::vector<std::string> arguments;
    arguments.reserve(3 + 4 * puts.size());
    arguments.push_back(std::to_string(puts.size()));
    arguments.emplace_back(some_if_absent ? "1" : "");
    arguments.push_back(ttls_differ ? "each" : ttl_text(shared_ttl));
    for (auto& put : puts) {
        arguments.push_back(std::move(put.field));
        arguments.push_back(std::move(put.value));
    }
    for (auto const& put : puts) {
        if (ttls_differ) arguments.push_back(ttl_text(put.ttl));
    }
    for (auto const& put : puts) {
        if (some_if_absent) arguments.emplace_back(put.if_absent ? "1" : "");
    }
    return arguments;
}

}  // namespace

struct RedisHash::Call {
    Script const* script;
    std::vector<std::string> arguments;
    Deadline deadline;
    core::UniqueFunction<void(Result<std::vector<Value>>)> done;
    bool was_repeated = false;
};

std::shared_ptr<RedisHash> RedisHash::make(std::shared_ptr<Connection> connection, Duration command_timeout,
                                           std::string const& name, HashOptions const& options)
{
    auto hash = std::make_shared<RedisHash>(std::move(connection), command_timeout, name, options);
    hash->gather();
    return hash;
}

RedisHash::RedisHash(std::shared_ptr<Connection> connection, Duration command_timeout,
                     std::string const& name, HashOptions const& options)
    : connection_{std::move(connection)},
      command_timeout_{command_timeout},
      keys_{name, suffixed(name, "expiry")},
      strategy_{options.strategy},
      kind_{kind_of(options.strategy)}
{}

/// `native` has to be looked for: the server may not have it.
RedisHash::Kind RedisHash::kind_of(HashStrategy strategy)
{
    switch (strategy) {
    case HashStrategy::sorted_set: return Kind::sorted_set;
    case HashStrategy::delay_queue: return Kind::delay_queue;
    case HashStrategy::automatic:
    case HashStrategy::native: break;
    }
    return Kind::unknown;
}

// ---- calling scripts ----

template <class T, class Decode>
void RedisHash::run(Script const& script, std::vector<std::string> arguments, Deadline deadline,
                    core::Reply<T> reply, Decode decode)
{
    auto done = [reply = std::move(reply), decode](Result<std::vector<Value>> result) mutable {
        if (result.error) {
            reply(Result<T>::failed(*result.error, std::move(result.detail)));
        } else {
            reply({{}, {}, decode(result.value)});
        }
    };
    start(std::make_shared<Call>(Call{&script, std::move(arguments), deadline, std::move(done)}));
}

void RedisHash::start(std::shared_ptr<Call> call)
{
    if (auto const kind = kind_.load(std::memory_order_relaxed); kind != Kind::unknown) {
        send(std::move(call), kind);
        return;
    }
    auto const deadline = call->deadline;
    find_kind(deadline, [self = shared_from_this(), call = std::move(call)](Result<Kind> result) mutable {
        if (result.error) {
            call->done(Result<std::vector<Value>>::failed(*result.error, std::move(result.detail)));
        } else {
            self->send(std::move(call), result.value);
        }
    });
}

void RedisHash::send(std::shared_ptr<Call> call, Kind kind)
{
    bool const may_follow = strategy_ == HashStrategy::automatic && !call->was_repeated;
    Command command{call->script, keys_, {std::string(1, static_cast<char>(kind))}};
    if (may_follow) {
        command.arguments.insert(command.arguments.end(), call->arguments.begin(), call->arguments.end());
    } else {
        std::move(call->arguments.begin(), call->arguments.end(), std::back_inserter(command.arguments));
    }
    auto const deadline = call->deadline;
    connection_->run(
        std::move(command), deadline,
        [self = shared_from_this(), call = std::move(call), may_follow](Reply reply) mutable {
            if (auto* const failure = std::get_if<Failure>(&reply)) {
                call->done(Result<std::vector<Value>>::failed(failure->code, std::move(failure->detail)));
                return;
            }
            auto& values = std::get<std::vector<Value>>(reply);
            if (status_of(values) == Status::ok) {
                call->done({{}, {}, std::move(values)});
            } else if (may_follow) {
                self->kind_.store(Kind::unknown, std::memory_order_relaxed);
                call->was_repeated = true;
                self->start(std::move(call));
            } else {
                call->done(Result<std::vector<Value>>::failed(
                    Errc::config_conflict, core::removed_otherwise(integer_at(values, 1) == 1)));
            }
        });
}

/// `automatic` follows those who use the hash already; among new ones, the server's ability.
void RedisHash::find_kind(Deadline deadline, core::Reply<Kind> reply)
{
    auto found = [self = shared_from_this(), reply = for_question(std::move(reply))](Reply answer) mutable {
        if (auto* const failure = std::get_if<Failure>(&answer)) {
            reply(Result<Kind>::failed(failure->code, std::move(failure->detail)));
            return;
        }
        auto const& values = std::get<std::vector<Value>>(answer);
        auto const used = text_at(values, 1);
        bool const can = integer_at(values, 2) == 1;
        if (self->strategy_ == HashStrategy::native && !can) {
            reply(Result<Kind>::failed(
                Errc::invalid_argument,
                "this server has no HPEXPIRE, or this user may not call it; native needs "
                "Redis 7.4 or Valkey 9.0; open it with sorted_set, delay_queue or automatic"));
            return;
        }
        bool const natively = self->strategy_ == HashStrategy::native || used == "n" || (can && used.empty());
        auto const kind = natively ? Kind::native : Kind::sorted_set;
        self->kind_.store(kind, std::memory_order_relaxed);
        reply({{}, {}, kind});
    };
    connection_->run({&scripts::hash_kind, keys_, {}}, deadline, std::move(found));
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): `reply` went into the lambda, which it does not follow

void RedisHash::strategy(core::Reply<HashStrategy> reply)
{
    auto known = [reply = std::move(reply)](Result<Kind> result) mutable {
        auto strategy = HashStrategy::sorted_set;
        if (result.value == Kind::native) strategy = HashStrategy::native;
        if (result.value == Kind::delay_queue) strategy = HashStrategy::delay_queue;
        reply({result.error, std::move(result.detail), strategy});
    };
    if (auto const kind = kind_.load(std::memory_order_relaxed); kind != Kind::unknown) {
        known({{}, {}, kind});
    } else {
        find_kind(deadline(), std::move(known));
    }
}

// ---- puts and gets, which share calls ----

/// Weak: what gathers is part of the hash.
void RedisHash::gather()
{
    auto const call_soon = [connection = connection_](core::UniqueFunction<void()> function) {
        return connection->call_soon(std::move(function));
    };
    puts_ = std::make_shared<Gathering<core::HashPut, bool>>(
        [weak = weak_from_this()](std::vector<core::HashPut> puts, Deadline deadline,
                                  core::Reply<std::vector<bool>> reply) {
            auto const self = weak.lock();
            if (!self) return;
            auto const count = puts.size();
            self->run(scripts::hash_put, put_arguments(std::move(puts)), deadline, std::move(reply),
                      [count](std::vector<Value> const& values) {
                          std::vector<bool> made(count, true);
                          for (std::size_t i = 1; i < values.size() && i <= count; ++i)
                              made[i - 1] = values[i].integer == 1;
                          return made;
                      });
        },
        call_soon);
    gets_ = std::make_shared<Gathering<std::string, std::optional<std::string>>>(
        [weak = weak_from_this()](std::vector<std::string> fields, Deadline deadline,
                                  core::Reply<Found> reply) {
            if (auto const self = weak.lock()) self->read(std::move(fields), deadline, std::move(reply));
        },
        call_soon);
}

/// By plain commands, or where they do not do, by the script.
void RedisHash::read(std::vector<std::string> fields, Deadline deadline, core::Reply<Found> reply)
{
    auto const kind = kind_.load(std::memory_order_relaxed);
    if (kind == Kind::unknown || !may_transact_.load(std::memory_order_relaxed)) {
        read_by_script(std::move(fields), deadline, std::move(reply));
        return;
    }
    auto by = ReadBy::first_moment;
    if (some_expired_.load(std::memory_order_relaxed)) by = ReadBy::all_moments;
    if (kind == Kind::native) by = ReadBy::server;
    auto steps = read_steps(by, keys_, fields);
    connection_->transaction(
        std::move(steps), deadline,
        [self = shared_from_this(), by, fields = std::move(fields), deadline,
         reply = std::move(reply)](Reply answer) mutable {
            if (auto* const values = std::get_if<std::vector<Value>>(&answer)) {
                if (auto result = decode_read(by, fields.size(), *values)) {
                    self->some_expired_.store(result->some_expired, std::memory_order_relaxed);
                    if (result->found) {
                        reply({{}, {}, std::move(*result->found)});
                    } else {
                        self->read(std::move(fields), deadline, std::move(reply));
                    }
                    return;
                }
            } else if (auto& failure = std::get<Failure>(answer); failure.code == Errc::access_denied) {
                self->may_transact_.store(false, std::memory_order_relaxed);
            } else if (failure.code != Errc::incompatible_data) {
                reply(Result<Found>::failed(failure.code, std::move(failure.detail)));
                return;
            }
            // The hash is of another kind, or no hash, or this user may not do it so. The script tells.
            self->read_by_script(std::move(fields), deadline, std::move(reply));
        });
}

void RedisHash::read_by_script(std::vector<std::string> fields, Deadline deadline, core::Reply<Found> reply)
{
    run(scripts::hash_get, std::move(fields), deadline, std::move(reply), [](std::vector<Value>& values) {
        Found found;
        for (std::size_t i = 1; i < values.size(); ++i) {
            bool const is_there = values[i].kind == Value::Kind::text;
            found.push_back(is_there ? std::optional{std::move(values[i].text)} : std::nullopt);
        }
        return found;
    });
}

void RedisHash::put(std::vector<core::HashPut> puts, core::Reply<std::vector<bool>> reply)
{
    if (puts.empty()) {
        reply({});
        return;
    }
    auto keep = [self = shared_from_this(), reply = std::move(reply)](
                    Result<std::vector<bool>> result) mutable { reply(std::move(result)); };
    puts_->add(std::move(puts), deadline(), std::move(keep));
}

void RedisHash::get(std::vector<std::string> fields, core::Reply<Found> reply)
{
    if (fields.empty()) {
        reply({});
        return;
    }
    auto found = std::make_shared<Found>();
    get_pieces(std::make_shared<std::vector<std::string>>(std::move(fields)), std::move(found),
               for_question(std::move(reply)));
}

void RedisHash::get_pieces(std::shared_ptr<std::vector<std::string>> fields, std::shared_ptr<Found> found,
                           core::Reply<Found> reply)
{
    auto const from = fields->begin() + static_cast<std::ptrdiff_t>(found->size());
    auto const count = std::min<std::ptrdiff_t>(fields->end() - from, most_in_one_step);
    std::vector<std::string> piece{std::make_move_iterator(from), std::make_move_iterator(from + count)};
    auto then = [self = shared_from_this(), fields, found, count,
                 reply = std::move(reply)](Result<Found> result) mutable {
        if (result.error) {
            reply(std::move(result));
            return;
        }
        result.value.resize(static_cast<std::size_t>(count));
        std::move(result.value.begin(), result.value.end(), std::back_inserter(*found));
        if (found->size() == fields->size()) {
            reply({{}, {}, std::move(*found)});
        } else {
            self->get_pieces(std::move(fields), std::move(found), std::move(reply));
        }
    };
    gets_->add(std::move(piece), deadline(), std::move(then));
}

// ---- the rest ----

void RedisHash::state(std::string field, core::Reply<core::FieldState> reply)
{
    run(scripts::hash_state, {std::move(field)}, deadline(), for_question(std::move(reply)),
        [](Values values) -> core::FieldState {
            auto const left = integer_at(values, 1);
            if (left < -1) return {};
            if (left < 0) return {.exists = true};
            return {.exists = true, .ttl = left * 1ms};
        });
}

void RedisHash::remove(std::vector<std::string> fields, core::Reply<std::size_t> reply)
{
    remove_pieces(std::make_shared<std::vector<std::string>>(std::move(fields)), 0, 0, std::move(reply));
}

void RedisHash::remove_pieces(std::shared_ptr<std::vector<std::string>> fields, std::size_t from,
                              std::size_t removed, core::Reply<std::size_t> reply)
{
    auto const count = std::min(fields->size() - from, most_in_one_step);
    if (count == 0) {
        reply({{}, {}, removed});
        return;
    }
    auto const begin = fields->begin() + static_cast<std::ptrdiff_t>(from);
    std::vector<std::string> piece{std::make_move_iterator(begin),
                                   std::make_move_iterator(begin + static_cast<std::ptrdiff_t>(count))};
    auto then = [self = shared_from_this(), fields = std::move(fields), next = from + count, removed,
                 reply = std::move(reply)](Result<std::size_t> result) mutable {
        if (result.error) {
            reply(std::move(result));
        } else {
            self->remove_pieces(std::move(fields), next, removed + result.value, std::move(reply));
        }
    };
    run(scripts::hash_remove, std::move(piece), deadline(), core::Reply<std::size_t>{std::move(then)},
        [](Values values) { return static_cast<std::size_t>(integer_at(values, 1)); });
}

/// The server's own count includes fields that have expired natively and were not dropped yet, so those are counted page by
/// page. A page may repeat a field of another if the hash grows or shrinks meanwhile.
class NativeCount : public std::enable_shared_from_this<NativeCount> {
public:
    NativeCount(std::shared_ptr<core::HashStore> hash, core::Reply<std::size_t> reply)
        : hash_{std::move(hash)}, reply_{std::move(reply)}
    {}

    void go_on(std::optional<std::string> from)
    {
        hash_->page(std::move(from), [self = shared_from_this()](Result<core::HashPage> result) {
            if (result.error) {
                self->reply_(Result<std::size_t>::failed(*result.error, std::move(result.detail)));
                return;
            }
            for (auto& entry : result.value.entries) self->fields_.insert(std::move(entry.field));
            if (result.value.next) {
                self->go_on(std::move(result.value.next));
            } else {
                self->reply_({{}, {}, self->fields_.size()});
            }
        });
    }

private:
    std::shared_ptr<core::HashStore> hash_;
    core::Reply<std::size_t> reply_;
    std::unordered_set<std::string> fields_;
};

void RedisHash::size(core::Reply<std::size_t> reply)
{
    auto known = [self = shared_from_this(), reply = std::move(reply)](Result<HashStrategy> result) mutable {
        if (result.error) {
            reply(Result<std::size_t>::failed(*result.error, std::move(result.detail)));
        } else if (result.value == HashStrategy::native) {
            std::make_shared<NativeCount>(self, std::move(reply))->go_on(std::nullopt);
        } else {
            self->run(scripts::hash_size, {}, self->deadline(), for_question(std::move(reply)),
                      [](Values values) { return static_cast<std::size_t>(integer_at(values, 1)); });
        }
    };
    strategy(std::move(known));
}

void RedisHash::expire(std::string field, std::optional<Duration> ttl, core::Reply<bool> reply)
{
    run(scripts::hash_expire, {std::move(field), ttl ? ttl_text(*ttl) : std::string{}}, deadline(),
        std::move(reply), [](Values values) { return integer_at(values, 1) == 1; });
}

void RedisHash::clear(core::Reply<Unit> reply)
{
    run(scripts::hash_clear, {}, deadline(), std::move(reply), [](Values) { return Unit{}; });
}

void RedisHash::page(std::optional<std::string> from, core::Reply<core::HashPage> reply)
{
    run(scripts::hash_scan, {from.value_or("0"), std::to_string(fields_per_page)}, deadline(),
        for_question(std::move(reply)), [](std::vector<Value>& values) {
            core::HashPage page;
            for (std::size_t i = 2; i + 1 < values.size(); i += 2)
                page.entries.push_back({std::move(values[i].text), std::move(values[i + 1].text)});
            auto const next = text_at(values, 1);
            if (next != "0") page.next = next;
            return page;
        });
}

void RedisHash::sweep(core::Sweep const& sweep, core::Reply<core::Swept> reply)
{
    auto known = [self = shared_from_this(), sweep,
                  reply = std::move(reply)](Result<HashStrategy> result) mutable {
        if (result.error || result.value == HashStrategy::native) {
            reply({result.error, std::move(result.detail), {}});
            return;
        }
        self->run(scripts::hash_sweep, {std::to_string(sweep.limit), sweep.with_entries ? "1" : ""},
                  self->deadline(), std::move(reply), [](std::vector<Value>& values) {
                      core::Swept swept;
                      swept.removed = static_cast<std::size_t>(integer_at(values, 1));
                      if (auto const next = integer_at(values, 2); next >= 0) swept.next_in = next * 1ms;
                      for (std::size_t i = 3; i + 1 < values.size(); i += 2)
                          swept.entries.push_back({std::move(values[i].text), std::move(values[i + 1].text)});
                      return swept;
                  });
    };
    strategy(std::move(known));
}

std::unique_ptr<core::Watch> RedisHash::watch(std::function<void()> look)
{
    if (strategy_ != HashStrategy::delay_queue) return nullptr;
    return connection_->listen(keys_[1], [look = std::move(look)](Result<Unit> const&) { look(); });
}

}  // namespace ration::redis
