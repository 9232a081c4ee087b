#pragma once

#include "redis/twin_pair.hpp"

#include <map>
#include <utility>

namespace ration::redis_test {

/// Two limiters of one rate. One gets batches, the other the same requests in calls of their own.
class CombiningWalk {
public:
    CombiningWalk(Random& random, RedisServer& server, RespClient& client, Algorithm algorithm)
        : random_{random},
          server_{server},
          client_{client},
          algorithm_{algorithm},
          rate_{random_rate(random, algorithm)},
          modest_{random.one_in(2)}
    {
        client_.command({"FLUSHDB"});
        server_.clock().freeze(now_);
        if (algorithm == Algorithm::sliding_log && random.one_in(3))
            span_ms_ = std::to_string(random.between(1, 500));
        for (auto const& keys : {joint_, single_}) {
            Words arguments{"absent"};
            auto const wanted = redis::config_arguments({rate_, {}, algorithm});
            arguments.insert(arguments.end(), wanted.begin(), wanted.end());
            arguments.insert(arguments.end(), {"", prefix()});
            flat(client_.command(script_words(redis::scripts::configure, keys, arguments)));
        }
    }

    void step()
    {
        now_ += random_step(random_, rate_, {}, unit_of(algorithm_), modest_);
        server_.clock().freeze(now_);
        if (random_.one_in(10)) {
            Permits const n = random_n(random_, rate_.capacity(), modest_);
            for (auto const& keys : {joint_, single_})
                flat(client_.command(
                    script_words(redis::scripts::release, keys, {std::to_string(n), "", ""})));
        }
        auto const batch = random_batch(random_, rate_.capacity(), modest_);
        auto const together = take(joint_, batch);
        auto const apart = core::evaluate(batch, [&](Permits n) {
            return take(single_, {{{n, false, 1}}}).at(0);
        });
        EXPECT_EQ(together, apart) << text_of(batch) << "\nin one call: " << text_of(together)
                                   << "\none by one: " << text_of(apart);
        EXPECT_EQ(stored(joint_), stored(single_)) << text_of(batch);
    }

    std::string story() const { return to_string(rate_) + ", span " + span_ms_ + " ms"; }

private:
    std::vector<core::Outcome> take(Words const& keys, core::Batch const& batch)
    {
        Words arguments{redis::packed(batch), prefix(), "", "", span_ms_};
        if (rate_.is_calendar())
            arguments.insert(arguments.end(), {redis::calendar_text(rate_), windows_at(rate_, now_)});
        auto const values =
            redis::unpacked(flat(client_.command(script_words(redis::scripts::acquire, keys, arguments))));
        EXPECT_EQ(redis::status_of(values), redis::Status::ok) << redis::text_at(values, 1);
        auto const answer = redis::decode_answer(batch, values);
        EXPECT_TRUE(answer) << "the reply contradicts itself";
        return answer ? answer->outcomes : std::vector<core::Outcome>{{}};
    }

    /// The number of free permits or the state, when it ends, and the permits in the log by their time.
    using State = std::pair<std::string, std::map<std::string, Permits>>;
    State stored(Words const& keys)
    {
        std::string const& key = keys[is_on_milliseconds(algorithm_) ? 1 : 3];
        State state{client_.command({"GET", key}).text + ", " + std::to_string(client_.integer("PTTL", key)),
                    {}};
        auto const members = client_.list("ZRANGE", keys[2], 0, -1, "WITHSCORES");
        for (std::size_t i = 0; i < members.size(); i += 2)
            state.second[members[i + 1]] += permits_of_member(members[i]);
        return state;
    }

    std::string prefix()
    {
        std::string text = "\x10";
        for (int i = 0; i < 16; ++i) text += static_cast<char>(random_.between(0, 255));
        return text;
    }

    Random& random_;
    RedisServer& server_;
    RespClient& client_;
    Algorithm algorithm_;
    Rate rate_;
    bool modest_;
    std::string span_ms_ = "0";
    Time now_ = std::chrono::sys_days{std::chrono::year{2024} / 2 / 29};
    Words joint_ = redis::limiter_keys("joint", "id");
    Words single_ = redis::limiter_keys("single", "id");
};

}  // namespace ration::redis_test
