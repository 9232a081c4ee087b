#include <ration/client.hpp>

#include "client/context.hpp"
#include "client/hash.hpp"
#include "client/keyed_limiter.hpp"
#include "client/limiter.hpp"
#include "client/queue.hpp"

namespace ration {

Client::Client(std::string_view url, ClientOptions options)
    : context_{std::make_shared<client::Context>(url, std::move(options))}
{}

Client::~Client()
{
    if (context_) context_->shut_down();
}

Client::Client(Client&&) noexcept = default;

Client& Client::operator=(Client&& other) noexcept
{
    Client{std::move(other)}.context_.swap(context_);
    return *this;
}

std::string const& Client::id() const noexcept
{
    return context_->id();
}

RateLimiter Client::rate_limiter(std::string_view name, LimiterOptions const& options)
{
    return RateLimiter{context_->limiter(name, options), options.algorithm};
}

KeyedRateLimiter Client::keyed_rate_limiter(std::string_view name, KeyedOptions const& options)
{
    return KeyedRateLimiter{context_->keyed_limiter(name, options)};
}

ExpiringHash Client::expiring_hash(std::string_view name, HashOptions const& options)
{
    return ExpiringHash{context_->hash(name, options)};
}

DelayQueue Client::delay_queue(std::string_view name, QueueOptions const& options)
{
    return DelayQueue{context_->queue(name, options)};
}

Stats Client::stats() const
{
    return context_->stats();
}

void Client::close()
{
    context_->close();
}

boost::asio::any_io_executor Client::get_executor() const
{
    return context_->executor();
}

}  // namespace ration
