#pragma once

// Hashes in every world, with every strategy that its store has. Each suite is instantiated once per strategy.
//
//     class Reading : public HashConformance {};
//     RATION_HASH_CONFORMANCE(Reading);

#include "conformance/world.hpp"

namespace ration::conformance {

struct HashCase {
    NewWorld world;
    HashStrategy strategy;
};

inline void PrintTo(HashCase const& made, std::ostream* out)
{
    *out << made.world.name << ", " << to_string(made.strategy);
}

inline std::vector<HashCase> hash_cases(HashStrategy strategy)
{
    std::vector<HashCase> cases;
    for (auto const& world : worlds()) {
        if (strategy != HashStrategy::native || world.make()->expires_fields_natively())
            cases.push_back({world, strategy});
    }
    return cases;
}

class HashConformance : public ::testing::TestWithParam<HashCase> {
public:
    World& world() { return *world_; }
    bool time_stands_still() const { return world_->time_stands_still(); }
    void advance(Duration by) { world_->advance(by); }
    HashStrategy strategy() const { return GetParam().strategy; }

    Client& client()
    {
        if (!client_) client_.emplace(world_->client());
        return *client_;
    }

    /// What most tests use: of this case's strategy, swept often.
    HashOptions options() const
    {
        return {.strategy = strategy(), .shortest_sweep = 10ms, .longest_sweep = 1s};
    }
    ExpiringHash open(Client& from, std::string_view name = "agents")
    {
        return from.expiring_hash(name, options());
    }
    ExpiringHash open() { return open(client()); }

    /// Is it so, or soon? Where time stands still it must be by now.
    template <class Condition>
    bool eventually(Condition condition) const
    {
        auto const end = std::chrono::steady_clock::now() + (time_stands_still() ? 2s : 20s);
        while (!condition()) {
            if (std::chrono::steady_clock::now() >= end) return false;
            std::this_thread::sleep_for(1ms);
        }
        return true;
    }

    /// The result of an asynchronous operation, whose token is a plain callback: that is cheap to compile.
    template <class T, class Operation>
    static Completion<T> complete(Operation operation)
    {
        auto const promise = std::make_shared<std::promise<Completion<T>>>();
        if constexpr (std::is_void_v<T>) {
            operation([promise](error_code error) { promise->set_value({error}); });
        } else {
            operation([promise](error_code error, T value) {
                promise->set_value({error, std::move(value)});
            });
        }
        return Conformance::get(promise->get_future());
    }

protected:
    void SetUp() override { world_ = GetParam().world.make(); }

private:
    std::unique_ptr<World> world_;
    std::optional<Client> client_;
};

}  // namespace ration::conformance

#define RATION_HASH_CASES(prefix, suite, strategy)                                                           \
    INSTANTIATE_TEST_SUITE_P(                                                                                \
        prefix, suite,                                                                                       \
        ::testing::ValuesIn(::ration::conformance::hash_cases(::ration::HashStrategy::strategy)),            \
        [](auto const& made) { return made.param.world.name; })

#define RATION_HASH_CONFORMANCE(suite)                                                                       \
    RATION_HASH_CASES(SortedSet, suite, sorted_set);                                                         \
    RATION_HASH_CASES(DelayQueue, suite, delay_queue);                                                       \
    RATION_HASH_CASES(Native, suite, native)
