// All four algorithms exist twice, in C++ and in Lua. Random histories on a server whose clock stands still until it is
// moved: both must give the same answers, and what is stored must be what the models say.
//
// A second property: a batch in one call says and leaves behind what the same requests in calls of their own do.

#include "redis/twin_combining.hpp"
#include "redis/twin_keyed.hpp"
#include "redis/twin_named.hpp"

namespace ration::redis_test {
namespace {

// Seeds that failed once, be it under a deliberate fault; they stay.
constexpr std::uint64_t kept_seeds[] = {1, 2, 13};

constexpr int steps_per_history = 400;
constexpr int steps_per_kept_seed = 12'500;
constexpr int named_steps = 100'000;
constexpr int keyed_steps = 20'000;
constexpr int combining_steps = 3'000;

class Twin : public ::testing::TestWithParam<Algorithm> {
protected:
    static void SetUpTestSuite()
    {
        server_ = std::make_unique<RedisServer>(RedisServerOptions{.own_clock = true});
    }
    static void TearDownTestSuite() { server_.reset(); }

    void SetUp() override
    {
        client_.command({"FLUSHALL"});
        load_scripts(client_);
    }

    template <class Walk>
    void walk(int steps)
    {
        for (auto const from : kept_seeds) {
            walk_from<Walk>(from, steps_per_kept_seed);
            if (HasFailure()) return;
        }
        walk_from<Walk>(testing::seed(), steps);
    }

    template <class Walk>
    void walk_from(std::uint64_t from, int steps)
    {
        Random random{from};
        for (int history = 0; steps > 0; ++history) {
            SCOPED_TRACE("RATION_SEED=" + std::to_string(from) + ", history " + std::to_string(history));
            Walk walk{random, *server_, client_, GetParam()};
            for (int left = steps_per_history; left > 0;) {
                int const done = walk.moment();
                left -= done;
                steps -= done;
                ASSERT_FALSE(HasFailure()) << walk.story();
            }
            walk.end();
        }
    }

    static inline std::unique_ptr<RedisServer> server_;
    RespClient client_{server_->socket_path()};
};

TEST_P(Twin, LimiterWithAName)
{
    walk<NamedWalk>(named_steps);
}

TEST_P(Twin, KeyOfAKeyedLimiter)
{
    walk<KeyedWalk>(keyed_steps);
}

TEST_P(Twin, CombiningChangesNothing)
{
    Random random;
    for (int history = 0; history < combining_steps / 100; ++history) {
        SCOPED_TRACE(testing::seed_text() + ", history " + std::to_string(history));
        CombiningWalk walk{random, *server_, client_, GetParam()};
        for (int i = 0; i < 100; ++i) {
            walk.step();
            ASSERT_FALSE(HasFailure()) << walk.story();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Twin,
                         ::testing::Values(Algorithm::sliding_log, Algorithm::fixed_window,
                                           Algorithm::calendar_window, Algorithm::token_bucket),
                         [](auto const& tested) { return std::string{to_string(tested.param)}; });

}  // namespace
}  // namespace ration::redis_test
