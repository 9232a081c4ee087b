#pragma once

#include "core/store.hpp"
#include "core/url.hpp"
#include "redis/connection.hpp"

#include <ration/tls_options.hpp>

#include <memory>

namespace ration::redis {

/// State in Redis or Valkey, in the keys and bytes of Java's Redisson where it has such a thing.
class RedisStore final : public core::Store {
public:
    struct Options {
        boost::asio::any_io_executor executor;
        bool executor_is_ours;
        TlsOptions tls;
        Duration command_timeout;
        std::shared_ptr<std::size_t> answers_due;  ///< how many; kept on the executor
    };

    /// Does not connect yet. Throws Error if the options do not go with the URL.
    static std::shared_ptr<RedisStore> open(core::StoreUrl const& url, Options const& options);

    RedisStore(std::shared_ptr<Connection> connection, Duration command_timeout, std::string where)
        : connection_{std::move(connection)}, command_timeout_{command_timeout}, where_{std::move(where)}
    {}

    std::shared_ptr<core::LimiterStore> limiter(std::string const& name, std::string const& client_id,
                                                LimiterOptions const& options) override;
    std::shared_ptr<core::KeyedStore> keyed(std::string const& name, KeyedOptions const& options) override;
    std::shared_ptr<core::HashStore> hash(std::string const& name, HashOptions const& options) override;
    std::shared_ptr<core::QueueStore> queue(std::string const& name, QueueOptions const& options) override;
    core::StoreCounts counts() const override;
    bool replies_inside() const noexcept override { return false; }
    void probe(core::UniqueFunction<void(bool)> reply) override;
    void close() override { connection_->close(); }

private:
    std::shared_ptr<Connection> const connection_;
    Duration const command_timeout_;
    std::string const where_;  // the URL as it may be shown
};

}  // namespace ration::redis
