#pragma once

// The bytes that ration sends for one acquire of a named limiter, made without the client.

#include "raw_connection.hpp"

#include "core/batch.hpp"
#include "redis/answers.hpp"
#include "redis/keys.hpp"
#include "redis/member_ids.hpp"
#include "redis/script.hpp"

#include <string>
#include <vector>

namespace ration::bench {

class AcquireCall {
public:
    AcquireCall(std::string const& name, std::string const& client_id, std::uint32_t requests, Permits rate)
        : keys_{redis::limiter_keys(name, client_id)}, rate_{std::to_string(rate)}
    {
        keys_.resize(redis::shared_keys);
        core::Batch batch;
        batch.runs.push_back({1, false, requests});
        batch_ = redis::packed(batch);
    }

    /// Another each time: every grant has an id of its own.
    std::string next() const
    {
        std::vector<std::string> words{"EVALSHA", std::string{redis::scripts::acquire.sha1},
                                       std::to_string(keys_.size())};
        words.insert(words.end(), keys_.begin(), keys_.end());
        words.insert(words.end(), {batch_, redis::new_member_prefix(RedissonFormat::current), rate_});
        return wire(words);
    }

private:
    std::vector<std::string> keys_;
    std::string rate_;
    std::string batch_;
};

}  // namespace ration::bench
