#include "redis/redis_store.hpp"

#include "core/quote.hpp"
#include "redis/redis_hash.hpp"
#include "redis/redis_keyed.hpp"
#include "redis/redis_limiter.hpp"
#include "redis/redis_queue.hpp"
#include "redis/stored_config.hpp"
#include "redis/tls.hpp"

namespace ration::redis {

std::shared_ptr<RedisStore> RedisStore::open(core::StoreUrl const& url, Options const& options)
{
    check_tls(url, options.tls);
    auto connection = std::make_shared<Connection>(options.executor, options.executor_is_ours, url,
                                                   options.tls, options.command_timeout, options.answers_due);
    return std::make_shared<RedisStore>(std::move(connection), options.command_timeout, to_string(url));
}

std::shared_ptr<core::LimiterStore> RedisStore::limiter(std::string const& name, std::string const& client_id,
                                                        LimiterOptions const& options)
{
    return std::make_shared<RedisLimiter>(connection_, command_timeout_, name, client_id, options);
}

std::shared_ptr<core::KeyedStore> RedisStore::keyed(std::string const& name, KeyedOptions const& options)
{
    auto problem = inexact_in_redis(options.algorithm, options.rate);
    bool const in_millis =
        options.algorithm == Algorithm::sliding_log || options.algorithm == Algorithm::fixed_window;
    if (in_millis && options.rate.interval() % std::chrono::milliseconds{1} != Duration{}) {
        problem = "in Redis the interval of a " + std::string{to_string(options.algorithm)}
                  + " is a whole number of milliseconds";
    }
    if (problem) throw Error{Errc::invalid_argument, "keyed limiter " + core::quoted(name) + ": " + *problem};
    return std::make_shared<RedisKeyed>(connection_, command_timeout_, where_, name, options);
}

std::shared_ptr<core::HashStore> RedisStore::hash(std::string const& name, HashOptions const& options)
{
    return RedisHash::make(connection_, command_timeout_, name, options);
}

std::shared_ptr<core::QueueStore> RedisStore::queue(std::string const& name, QueueOptions const& options)
{
    return std::make_shared<RedisQueue>(connection_, command_timeout_, name, options);
}

core::StoreCounts RedisStore::counts() const
{
    auto const& counters = connection_->counters();
    return {.shared_calls = counters.shared_calls.load(std::memory_order_relaxed),
            .shared_batches = counters.shared_batches.load(std::memory_order_relaxed),
            .lost_answers = connection_->lost_answers(),
            .reconnects = connection_->reconnects()};
}

void RedisStore::probe(core::UniqueFunction<void(bool)> reply)
{
    connection_->plain({"PING"}, std::chrono::steady_clock::now() + command_timeout_,
                       [reply = std::move(reply)](Reply answer) mutable {
                           // One that refuses us is there: that is an error, and no policy answers for it.
                           auto const* const failure = std::get_if<Failure>(&answer);
                           reply(!failure || !failure->transient);
                       });
}

}  // namespace ration::redis
