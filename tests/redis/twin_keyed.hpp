#pragma once

#include "redis/twin_walk.hpp"

namespace ration::redis_test {

/// One key of a keyed limiter, with a neighbour in the same call.
class KeyedWalk final : public TwinWalk {
public:
    KeyedWalk(Random& random, RedisServer& server, RespClient& client, Algorithm algorithm)
        : TwinWalk{random, server, client, algorithm,
                   Model{algorithm, random_rate(random, algorithm), new_stored(algorithm)}}
    {}

    void end() { client_.command({"UNLINK", key, neighbour}); }

private:
    static constexpr char const* key = "keyed:user";
    static constexpr char const* neighbour = "keyed:neighbour";

    static Model::NewStored new_stored(Algorithm algorithm)
    {
        return [algorithm](Rate const& rate) -> std::unique_ptr<Stored> {
            switch (algorithm) {
            case Algorithm::sliding_log: return std::make_unique<StoredLog>(rate, key);
            case Algorithm::fixed_window: return std::make_unique<StoredWindow>(rate, key);
            case Algorithm::calendar_window: return std::make_unique<StoredCalendar>(rate, key);
            case Algorithm::token_bucket: break;
            }
            return std::make_unique<StoredBucket>(rate, key);
        };
    }

    /// lib/keyed.lua
    Words rate_words()
    {
        Rate const& rate = model_.rate();
        Duration const unit{is_on_milliseconds(algorithm_) ? 1000 : 1};
        return {std::string{to_string(algorithm_)}, std::to_string(rate.permits()),
                std::to_string(rate.interval() / unit), std::to_string(rate.capacity()), windows()};
    }

    Words take_words(core::Batch const& batch) override
    {
        Words arguments = rate_words();
        arguments.push_back(new_prefix());
        Words keys{key};
        if (random_.one_in(2)) {
            keys.insert(keys.begin(), neighbour);
            if (random_.one_in(2)) arguments.push_back(redis::packed({{{1, false, 1}}}));  // else the same
        }
        arguments.push_back(redis::packed(batch));
        return script_words(redis::scripts::keyed_acquire, keys, arguments);
    }

    /// The last one.
    std::vector<redis::Value> own_part(redis::Values values) const override
    {
        std::vector<redis::Value> own;
        redis::unpack_keyed(values.back().text, model_.rate(), own);
        return own;
    }

    Words look_words(Permits n) override { return words(redis::scripts::keyed_look, n); }
    Words release_words(Permits n) override { return words(redis::scripts::keyed_release, n); }

    Words words(redis::Script const& script, Permits n)
    {
        Words arguments = rate_words();
        arguments.push_back(std::to_string(n));
        return script_words(script, {key}, arguments);
    }

    Operation event() override
    {
        return {{"UNLINK", key}, [this](redis::Values) { model_.reset(model_.rate()); }, "reset"};
    }
};

}  // namespace ration::redis_test
