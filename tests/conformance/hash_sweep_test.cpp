// Who removes what has expired, and who hears of it.

#include "conformance/hash_world.hpp"

#include <map>
#include <mutex>

namespace ration::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

/// What on_expired told, from any thread.
class Heard {
public:
    ExpiringHash::Listener listener()
    {
        return [state = state_](std::string const& field, std::string const& value) {
            std::lock_guard const lock{state->mutex};
            state->told.emplace(field, value);
        };
    }
    std::multimap<std::string, std::string> told() const
    {
        std::lock_guard const lock{state_->mutex};
        return state_->told;
    }
    std::size_t count() const { return told().size(); }

private:
    struct State {
        std::mutex mutex;
        std::multimap<std::string, std::string> told;
    };
    std::shared_ptr<State> state_ = std::make_shared<State>();
};

class HashSweep : public HashConformance {};
RATION_HASH_CASES(SortedSet, HashSweep, sorted_set);
RATION_HASH_CASES(DelayQueue, HashSweep, delay_queue);

TEST_P(HashSweep, TellsOfEachExpiryOnce)
{
    auto hash = open();
    Heard heard;
    hash.on_expired(heard.listener());
    std::string const bytes{"\0\xff", 2};
    hash.put("ann", "1", 20ms);
    hash.put(bytes, bytes, 30ms);
    hash.put("replaced", "old", time_stands_still() ? Duration{30ms} : Duration{1h});  // not before it is
    hash.put("replaced", "new", 40ms);
    hash.put("removed", "1", 1h);
    hash.put("stays", "1", 1h);
    hash.remove("removed");
    advance(60ms);
    EXPECT_TRUE(eventually([&] { return heard.count() >= 3; }));
    EXPECT_THAT(heard.told(), ElementsAre(Pair(bytes, bytes), Pair("ann", "1"), Pair("replaced", "new")));
    EXPECT_EQ(hash.size(), 1u);
}

TEST_P(HashSweep, TellsOneOfSeveralClients)
{
    auto other = world().client();
    auto ours = open();
    auto theirs = open(other);
    Heard heard;
    ours.on_expired(heard.listener());
    theirs.on_expired(heard.listener());
    std::map<std::string, std::string> many;
    for (int i = 0; i < 700; ++i) many["field " + std::to_string(i)] = std::to_string(i);
    ours.put_all(many, 20ms);
    advance(40ms);
    EXPECT_TRUE(eventually([&] { return heard.count() >= many.size(); }));
    auto const told = heard.told();
    EXPECT_EQ((std::map<std::string, std::string>{told.begin(), told.end()}), many);
    EXPECT_EQ(told.size(), many.size()) << "somebody was told twice";
}

TEST_P(HashSweep, GoesOnWhenTheOneWhoPutHasGone)
{
    auto hash = open();
    Heard heard;
    hash.on_expired(heard.listener());
    Duration const ttl = time_stands_still() ? 30ms : 500ms;  // it must not live to sweep its field itself
    {
        auto gone = world().client();
        open(gone).put("ann", "1", ttl);
    }
    advance(ttl + 1100ms);  // longest_sweep: nobody told the sorted_set of it
    EXPECT_TRUE(eventually([&] { return heard.count() == 1; }));
    EXPECT_THAT(heard.told(), ElementsAre(Pair("ann", "1")));
}

TEST_P(HashSweep, TellsAllWhoListen)
{
    auto hash = open();
    Heard one;
    Heard two;
    hash.on_expired(one.listener());
    EXPECT_FALSE(complete<void>([&](auto token) { hash.async_on_expired(two.listener(), token); }).error);
    hash.put("ann", "1", 10ms);
    advance(30ms);
    EXPECT_TRUE(eventually([&] { return one.count() == 1 && two.count() == 1; }));
    expect_error(Errc::invalid_argument, {"on_expired"}, [&] { hash.on_expired(nullptr); });
}

TEST_P(HashSweep, TellsOnAUsersExecutor)
{
    asio::io_context io;
    auto mine = world().client({.executor = io.get_executor()});
    auto hash = open(mine);
    Heard heard;
    error_code error = Errc::cancelled;
    hash.async_on_expired(heard.listener(), [&](error_code result) { error = result; });
    hash.async_put("ann", "1", 20ms, [](error_code) {});
    io.poll();
    advance(40ms);
    EXPECT_TRUE(eventually([&] {
        io.restart();
        io.poll();
        return heard.count() == 1;
    }));
    EXPECT_FALSE(error) << error.message();
    EXPECT_THAT(heard.told(), ElementsAre(Pair("ann", "1")));
    mine.close();
    io.poll();
}

TEST_P(HashSweep, TellsNobodyWhoHasClosedOrLetGo)
{
    asio::io_context io;
    auto mine = world().client({.executor = io.get_executor()});
    for (bool const close : {false, true}) {
        SCOPED_TRACE(close ? "closed" : "let go");
        Heard heard;
        auto hash = std::make_optional(open(mine));
        hash->async_on_expired(heard.listener(), [](error_code) {});
        hash->async_put("ann", "1", 20ms, [](error_code) {});
        io.restart();
        io.poll();
        advance(40ms);  // where time stands still it was swept, and the listener is to be called
        auto const before = heard.count();
        if (close) {
            mine.close();
        } else {
            hash.reset();
        }
        io.restart();
        io.poll();
        EXPECT_EQ(heard.count(), before);
    }
}

class HashWithoutSweep : public HashConformance {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(HashWithoutSweep);
RATION_HASH_CASES(Native, HashWithoutSweep, native);

TEST_P(HashWithoutSweep, NobodyCanListen)
{
    auto hash = open();
    expect_error(Errc::invalid_argument, {"hash \"agents\"", "native", "sorted_set"},
                 [&] { hash.on_expired([](auto const&, auto const&) {}); });
}

}  // namespace
}  // namespace ration::conformance
