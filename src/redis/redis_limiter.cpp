#include "redis/redis_limiter.hpp"

#include "redis/failures.hpp"
#include "redis/keys.hpp"
#include "redis/member_ids.hpp"
#include "redis/stored_config.hpp"

#include <algorithm>
#include <array>

namespace ration::redis {

using core::Answer;
using core::CallResult;
using core::Configured;
using core::Outcome;
using core::Result;
using core::Unit;

namespace {

using std::chrono::milliseconds;

std::string text_of(std::optional<Algorithm> algorithm)
{
    return algorithm ? std::string{to_string(*algorithm)} : std::string{};
}

/// log_resolution in ms, which may have a fraction.
std::string span_text(Duration resolution)
{
    auto const whole = std::to_string(resolution / milliseconds{1});
    auto const rest = std::to_string(1000 + resolution % milliseconds{1} / Duration{1}).substr(1);
    return whole + '.' + rest;
}

}  // namespace

RedisLimiter::RedisLimiter(std::shared_ptr<Connection> connection, Duration command_timeout, std::string name,
                           std::string client_id, LimiterOptions const& options)
    : connection_{std::move(connection)},
      command_timeout_{command_timeout},
      name_{std::move(name)},
      client_id_{std::move(client_id)},
      options_{options},
      keys_{limiter_keys(name_, client_id_)}
{}

// ---- how operations run ----

Deadline RedisLimiter::deadline_after(Duration waited) const
{
    return std::chrono::steady_clock::now() + (command_timeout_ - waited);
}

/// Runs a script; `decode(values)` makes the result of a reply that is ok.
template <class T, class Decode>
void RedisLimiter::run(Script const& script, std::function<std::vector<std::string>()> arguments,
                       std::optional<Algorithm> expected, core::Reply<T> reply, Decode decode)
{
    start(connection_, std::make_shared<ScriptCall>(ScriptCall{
                           &script, keys_, std::move(arguments),
                           [self = shared_from_this()](Values values) { self->learn_windows(values); },
                           deadline_after({}), result_of<T>(expected, std::move(reply), decode)}));
}

/// Asks by an ordinary command.
template <class T, class Decode>
void RedisLimiter::plain(std::vector<std::string>&& words, core::Reply<T> reply, Decode decode)
{
    connection_->plain(std::move(words), deadline_after({}),
                       [decode, reply = for_question(std::move(reply))](redis::Reply answer) mutable {
                           if (auto* const failure = std::get_if<Failure>(&answer)) {
                               reply(Result<T>::failed(failure->code, std::move(failure->detail)));
                           } else {
                               reply(decode(std::get<std::vector<Value>>(answer)));
                           }
                       });
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): `reply` went into the lambda, which it does not follow

// ---- what is known from earlier replies ----

std::string RedisLimiter::seen_rate() const
{
    std::lock_guard const lock{mutex_};
    return seen_rate_ ? std::to_string(*seen_rate_) : std::string{};
}

void RedisLimiter::saw_rate(Permits rate)
{
    std::lock_guard const lock{mutex_};
    seen_rate_ = rate;
}

void RedisLimiter::forget_seen()
{
    std::lock_guard const lock{mutex_};
    seen_rate_.reset();
}

std::string RedisLimiter::calendar() const
{
    std::lock_guard const lock{mutex_};
    return calendar_ ? calendar_text(calendar_->rate()) : std::string{};
}

std::string RedisLimiter::windows()
{
    std::lock_guard const lock{mutex_};
    return calendar_ ? calendar_->text() : std::string{};
}

/// {need_window, time, permits, unit, every, zone}
void RedisLimiter::learn_windows(Values values)
{
    Rate const rate =
        calendar_rate(integer_at(values, 2), text_at(values, 3), text_at(values, 4), text_at(values, 5));
    std::lock_guard const lock{mutex_};
    calendar_.emplace(rate, Time{Duration{integer_at(values, 1)}});
}

// ---- permits ----

Decision RedisLimiter::decide_now(core::Ask, core::AtOnce& at_once)
{
    at_once.must_queue();
    return {};
}

void RedisLimiter::call(core::Batch const& batch, core::UniqueFunction<void(CallResult)> reply)
{
    acquire(batch, deadline_after(batch.waited), std::move(reply));
}

/// Most limiters are not per client and need half of the keys. The first call for one that is says so, and is made again.
void RedisLimiter::acquire(core::Batch const& batch, Deadline deadline,
                           core::UniqueFunction<void(CallResult)> reply)
{
    auto const self = shared_from_this();
    bool const all = needs_all_keys_.load(std::memory_order_relaxed);
    auto arguments = [self, batch = packed(batch), expected = text_of(batch.expected)] {
        return self->acquire_arguments(batch, expected);
    };
    auto done = [self, batch, deadline, reply = std::move(reply)](redis::Reply answer) mutable {
        auto const* const values = std::get_if<std::vector<Value>>(&answer);
        if (values && status_of(*values) == Status::need_keys) {
            self->needs_all_keys_.store(true, std::memory_order_relaxed);
            self->acquire(batch, deadline, std::move(reply));
        } else {
            reply(self->decoded(batch, std::move(answer)));
        }
    };
    auto const last = all ? keys_.end() : keys_.begin() + shared_keys;
    start(connection_,
          std::make_shared<ScriptCall>(ScriptCall{&scripts::acquire,
                                                  {keys_.begin(), last},
                                                  std::move(arguments),
                                                  [self](Values values) { self->learn_windows(values); },
                                                  deadline,
                                                  std::move(done)}));
}

/// What is not needed stands at the end and is left out: every argument costs the server a tenth of a microsecond.
std::vector<std::string> RedisLimiter::acquire_arguments(std::string const& batch,
                                                         std::string const& expected)
{
    std::vector<std::string> arguments{batch, new_member_prefix(options_.redisson_format), seen_rate()};
    auto const calendar_now = calendar();
    bool const coarse = options_.log_resolution > Duration{};
    if (!expected.empty() || coarse || !calendar_now.empty()) arguments.push_back(expected);
    if (coarse || !calendar_now.empty()) arguments.push_back(span_text(options_.log_resolution));
    if (!calendar_now.empty()) {
        arguments.push_back(calendar_now);
        arguments.push_back(windows());
    }
    return arguments;
}

CallResult RedisLimiter::decoded(core::Batch const& batch, redis::Reply reply)
{
    if (auto* const failure = std::get_if<Failure>(&reply)) {
        forget_seen();  // whether it was executed or not
        return no_answer(std::move(*failure));
    }
    auto const values = unpacked(std::get<std::vector<Value>>(std::move(reply)));
    if (status_of(values) != Status::ok) {
        auto const [code, detail] = refusal(values, batch.expected);
        Outcome refused = Outcome::failed(code);
        if (!detail.empty()) refused.detail = std::make_shared<std::string const>(detail);
        return Answer{core::evaluate(batch, [&](Permits) { return refused; })};
    }
    auto answer = decode_answer(batch, values);
    if (!answer) {
        return no_answer(
            {Errc::incompatible_data, false,
             "the script's reply contradicts itself; is another version of ration's scripts loaded?"});
    }
    saw_rate(answer->capacity);
    return std::move(*answer);
}

/// Asks what n permits would be told, or with 0 how many are free.
template <class T, class Decode>
void RedisLimiter::look(Permits n, std::optional<Algorithm> expected, core::Reply<T> reply, Decode decode)
{
    auto arguments = [self = shared_from_this(), n, expected] {
        return std::vector<std::string>{std::to_string(n), text_of(expected), self->seen_rate(),
                                        self->calendar(), self->windows()};
    };
    run<T>(scripts::look, std::move(arguments), expected, for_question(std::move(reply)), decode);
}

void RedisLimiter::peek(Permits n, std::optional<Algorithm> expected, core::Reply<Decision> reply)
{
    look<Decision>(n, expected, std::move(reply), [n](Values values) -> Result<Decision> {
        auto const outcome = decode_look(n, values);
        return {outcome.error, {}, outcome.decision};
    });
}

void RedisLimiter::available(std::optional<Algorithm> expected, core::Reply<Permits> reply)
{
    look<Permits>(0, expected, std::move(reply), [](Values values) -> Result<Permits> {
        return {{}, {}, decode_available(values)};
    });
}

/// A call gives back what it can in a bounded step; the rest goes into the next one.
void RedisLimiter::release(Permits n, std::optional<Algorithm> expected, core::Reply<Unit> reply)
{
    auto const self = shared_from_this();
    auto arguments = [self, n, expected] {
        return std::vector<std::string>{std::to_string(n), text_of(expected), self->seen_rate()};
    };
    auto then = [self, n, expected, reply = std::move(reply)](Result<Permits> given_back) mutable {
        if (given_back.error) {
            reply(Result<Unit>::failed(*given_back.error, std::move(given_back.detail)));
        } else if (given_back.value < n && given_back.value > 0) {
            self->release(n - given_back.value, expected, std::move(reply));
        } else {
            reply({});
        }
    };
    run<Permits>(scripts::release, std::move(arguments), expected, std::move(then),
                 [](Values values) -> Result<Permits> {
                     return {{}, {}, integer_at(values, 1)};
                 });
}

// ---- config ----

void RedisLimiter::configure(core::ConfigureMode mode, core::WantedConfig const& wanted,
                             core::Reply<Configured> reply)
{
    if (auto const problem = inexact_in_redis(wanted)) {
        reply(Result<Configured>::failed(Errc::invalid_argument, *problem));
        return;
    }
    static constexpr std::array modes{"absent", "replace", "different", "keep"};
    auto const self = shared_from_this();
    auto const own = std::make_shared<std::optional<CalendarWindows>>();  // of the rate that is wanted
    auto arguments = [self, mode, wanted, own] {
        std::vector<std::string> all{modes.at(static_cast<std::size_t>(mode))};
        auto const rate = config_arguments(wanted);
        all.insert(all.end(), rate.begin(), rate.end());
        all.push_back(*own ? (*own)->text() : std::string{});
        all.push_back(new_member_prefix(self->options_.redisson_format));
        return all;
    };
    forget_seen();
    auto done =
        result_of<Configured>(wanted.algorithm, std::move(reply), [](Values values) -> Result<Configured> {
            return {{}, {}, static_cast<Configured>(integer_at(values, 1))};
        });
    start(connection_, std::make_shared<ScriptCall>(
                           ScriptCall{&scripts::configure, keys_, std::move(arguments),
                                      [own, rate = wanted.rate](Values values) {
                                          own->emplace(rate, Time{Duration{integer_at(values, 1)}});
                                      },
                                      deadline_after({}), std::move(done)}));
}

void RedisLimiter::config(std::optional<Algorithm> assumed, core::Reply<LimiterConfig> reply)
{
    plain<LimiterConfig>({"HGETALL", name_}, std::move(reply),
                         [assumed](Values fields) { return decode_config(fields, assumed); });
}

// ---- the limiter as a thing that is stored ----

void RedisLimiter::exists(core::Reply<bool> reply)
{
    plain<bool>({"EXISTS", name_}, std::move(reply), [](Values values) -> Result<bool> {
        return {{}, {}, integer_at(values, 0) == 1};
    });
}

void RedisLimiter::remove(core::Reply<bool> reply)
{
    run<bool>(
        scripts::remove, [] { return std::vector<std::string>{}; }, {}, std::move(reply),
        [](Values values) -> Result<bool> {
            return {{}, {}, integer_at(values, 1) == 1};
        });
}

void RedisLimiter::expire(core::Expiry expiry, core::Reply<bool> reply)
{
    std::vector<std::string> arguments{"never"};
    if (auto const* span = std::get_if<Duration>(&expiry)) {
        arguments = {"after", millis_up(*span)};
    } else if (auto const* moment = std::get_if<Time>(&expiry)) {
        arguments = {"at", millis_up(std::max(moment->time_since_epoch(), Duration{}))};
    }
    run<bool>(
        scripts::expire, [arguments] { return arguments; }, {}, std::move(reply),
        [](Values values) -> Result<bool> {
            return {{}, {}, integer_at(values, 1) == 1};
        });
}

void RedisLimiter::time_to_live(core::Reply<std::optional<Duration>> reply)
{
    using Ttl = std::optional<Duration>;
    plain<Ttl>({"PTTL", name_}, std::move(reply), [](Values values) -> Result<Ttl> {
        constexpr std::int64_t no_key = -2;
        auto const ttl = integer_at(values, 0);
        if (ttl == no_key) return Result<Ttl>::failed(Errc::not_initialized);
        return {{}, {}, ttl < 0 ? Ttl{} : Ttl{milliseconds{ttl}}};
    });
}

void RedisLimiter::rename(std::string const& to, core::Reply<Unit> reply)
{
    if (to == name_) {
        reply(Result<Unit>::failed(Errc::config_conflict, "it has that name already; give another"));
        return;
    }
    std::vector<std::string> keys = keys_;
    auto const new_keys = limiter_keys(to, client_id_);
    keys.insert(keys.end(), new_keys.begin(), new_keys.end());
    auto explained = [to, reply = std::move(reply)](Result<Unit> result) mutable {
        if (result.error == Errc::config_conflict) result.detail = core::already_exists(to);
        reply(std::move(result));
    };
    auto done = result_of<Unit>({}, std::move(explained), [](Values) { return Result<Unit>{}; });
    start(connection_, std::make_shared<ScriptCall>(ScriptCall{&scripts::rename,
                                                               std::move(keys),
                                                               [] { return std::vector<std::string>{}; },
                                                               {},
                                                               deadline_after({}),
                                                               std::move(done)}));
}

void RedisLimiter::migrate(core::Reply<std::int64_t> reply)
{
    run<std::int64_t>(
        scripts::migrate, [] { return std::vector<std::string>{new_member_prefix(RedissonFormat::current)}; },
        {}, std::move(reply),
        [](Values values) -> Result<std::int64_t> {
            return {{}, {}, integer_at(values, 1)};
        });
}

}  // namespace ration::redis
