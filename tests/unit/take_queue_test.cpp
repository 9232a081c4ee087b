#include "core/take_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

namespace ration::core {
namespace {

using namespace std::chrono_literals;

/// A queue with its takers, and what they were told: an item's value, "nothing", or "cancelled".
class Story : public ::testing::Test {
public:
    void join(std::string const& name, bool patient = true, Time deadline = Taker::no_deadline)
    {
        auto& taker = *(takers_[name] = std::make_unique<Taker>());
        taker.patient = patient;
        taker.deadline = deadline;
        queue.join(taker);
    }
    void try_now(std::string const& name) { join(name, false); }
    void cancel(std::string const& name) { queue.cancel(*takers_.at(name)); }

    /// What the queue wants next: "nothing", "call 2", "wait 30", "wait".
    std::string next()
    {
        auto const action = queue.next(now);
        if (auto const* call = std::get_if<TakeQueue::Call>(&action))
            return "call " + std::to_string(call->count);
        auto const* wait = std::get_if<TakeQueue::Wait>(&action);
        if (!wait) return "nothing";
        if (wait->until == Time::max()) return "wait";
        return "wait " + std::to_string((wait->until - Time{}) / 1ms);
    }

    void answer(std::vector<std::string> const& values, std::optional<Duration> next_in = {})
    {
        Taken taken{.items = {}, .next_in = next_in};
        for (auto const& value : values) taken.items.push_back({"id " + value, value});
        queue.answered(std::move(taken), now);
    }

    /// Who has left since the last call of this, and with what.
    std::map<std::string, std::string> left()
    {
        std::map<std::string, std::string> all;
        for (auto const& [taker, outcome] : queue.take_completed()) {
            auto const name =
                std::find_if(takers_.begin(), takers_.end(), [&, gone = taker](auto const& entry) {
                    return entry.second.get() == gone;
                })->first;
            all[name] = outcome.error                ? make_error_code(*outcome.error).message()
                        : !outcome.value.has_value() ? "nothing"
                                                     : outcome.value->value;
        }
        return all;
    }
    using Left = std::map<std::string, std::string>;

    static std::string message(Errc error) { return make_error_code(error).message(); }

    TakeQueue queue;
    Time now{};

private:
    std::map<std::string, std::unique_ptr<Taker>> takers_;
};

TEST_F(Story, OneCallOrOneTimerAtATime)
{
    EXPECT_EQ(next(), "nothing");
    join("ann");
    EXPECT_EQ(next(), "call 1");
    join("bob");
    EXPECT_EQ(next(), "nothing") << "a call is out";
    answer({}, 30ms);
    EXPECT_EQ(next(), "wait 30") << "bob waits for what ann waits for";
    now += 30ms;
    queue.woken(now);
    EXPECT_EQ(next(), "call 2");
    answer({"x"}, 10ms);
    EXPECT_EQ(left(), (Left{{"ann", "x"}})) << "first come, first served";
    EXPECT_EQ(next(), "wait 40");
}

TEST_F(Story, AnEarlierItemWakes)
{
    join("ann");
    next();
    answer({}, 1h);
    EXPECT_EQ(next(), "wait 3600000");
    queue.noticed();
    EXPECT_EQ(next(), "call 1");
    queue.noticed();  // while the call is out: it may have left before that
    answer({}, 1h);
    EXPECT_EQ(next(), "call 1");
    answer({});
    EXPECT_EQ(next(), "wait") << "an empty queue: only a notice can end it";
}

TEST_F(Story, WhoDoesNotWaitIsAskedForAndLeaves)
{
    join("ann");
    next();
    answer({}, 10ms);
    try_now("bob");
    EXPECT_EQ(next(), "call 2");
    answer({}, 10ms);
    EXPECT_EQ(left(), (Left{{"bob", "nothing"}}));
    try_now("cid");
    next();
    answer({"x", "y"});
    EXPECT_EQ(left(), (Left{{"ann", "x"}, {"cid", "y"}}));
    EXPECT_EQ(next(), "nothing");
}

TEST_F(Story, DeadlinesEndAWait)
{
    join("ann", true, Time{20ms});
    join("bob", true, Time{10ms});
    next();
    answer({}, 30ms);
    EXPECT_EQ(next(), "wait 10");
    now += 10ms;
    queue.woken(now);
    EXPECT_EQ(next(), "wait 20");
    EXPECT_EQ(left(), (Left{{"bob", "nothing"}}));
    now += 20ms;  // a late timer: an item is due, and ann is asked for once more although her time is over
    queue.woken(now);
    EXPECT_EQ(next(), "call 1");
    answer({"x"});
    EXPECT_EQ(left(), (Left{{"ann", "x"}}));
}

TEST_F(Story, NoItemIsTakenForNobody)
{
    join("ann");
    join("bob", true, Time{5ms});
    EXPECT_EQ(next(), "call 2");
    cancel("ann");
    now += 10ms;
    EXPECT_EQ(left(), Left{}) << "their call is out: its answer decides";
    answer({"x"}, 1h);
    EXPECT_EQ(left(), (Left{{"ann", "x"}, {"bob", "nothing"}}));
    join("cid");
    next();
    cancel("cid");
    answer({}, 1h);
    EXPECT_EQ(left(), (Left{{"cid", message(Errc::cancelled)}}));
    join("dan");
    next();
    answer({}, 1h);
    cancel("dan");
    EXPECT_EQ(left(), (Left{{"dan", message(Errc::cancelled)}}));
    EXPECT_EQ(next(), "nothing");
}

TEST_F(Story, AFullAnswerAsksForTheRest)
{
    for (std::size_t i = 0; i < TakeQueue::max_batch + 1; ++i) join("taker " + std::to_string(100 + i));
    try_now("last");
    EXPECT_EQ(next(), "call 64");
    answer(std::vector<std::string>(TakeQueue::max_batch, "x"), 0us);
    EXPECT_EQ(left().size(), TakeQueue::max_batch);
    EXPECT_EQ(next(), "call 2");
    answer({"y"}, 1h);
    EXPECT_EQ(left(), (Left{{"taker 164", "y"}, {"last", "nothing"}}));
}

TEST_F(Story, ErrorsEndThoseWhoWereAskedFor)
{
    join("ann");
    next();
    join("bob");
    queue.failed(Errc::store_unavailable, "gone");
    EXPECT_EQ(left(), (Left{{"ann", message(Errc::store_unavailable)}}));
    EXPECT_EQ(next(), "call 1");
    queue.end(Errc::client_closed, {});
    EXPECT_EQ(left(), (Left{{"bob", message(Errc::client_closed)}}));
    answer({"x"});  // too late
    EXPECT_EQ(left(), Left{});
    EXPECT_EQ(next(), "nothing");
}

}  // namespace
}  // namespace ration::core
