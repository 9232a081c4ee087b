// Delay queues: what is delivered, when, and to whom.

#include "conformance/hash_world.hpp"
#include "conformance/world.hpp"

#include <atomic>
#include <mutex>
#include <set>

namespace ration::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Delivery : public Conformance {
public:
    DelayQueue queue(QueueOptions const& options = {}) { return client().delay_queue("retries", options); }

    static std::vector<std::string> drain(DelayQueue queue)
    {
        std::vector<std::string> values;
        while (auto item = queue.try_take()) values.push_back(item->value);
        return values;
    }

    template <class T, class Operation>
    static Completion<T> answer(Operation operation)
    {
        return HashConformance::complete<T>(operation);
    }

    /// A take that waits, in a thread of its own.
    static std::future<Item> taking(DelayQueue queue)
    {
        return std::async(std::launch::async, [queue]() mutable { return queue.take(); });
    }
};
RATION_CONFORMANCE(Delivery);

TEST_P(Delivery, HappensAtOnceWithoutADelay)
{
    auto retries = queue();
    EXPECT_EQ(retries.try_take(), std::nullopt);
    auto const id = retries.offer("a");
    EXPECT_FALSE(id.empty());
    EXPECT_EQ(retries.try_take(), (Item{id, "a"}));
    EXPECT_EQ(retries.try_take(), std::nullopt);
    EXPECT_EQ(retries.size(), 0u);
}

TEST_P(Delivery, IsInOrderOfTimeAndThenOfOffering)
{
    auto retries = queue();
    Time const begin = world().wall();
    retries.offer("third", 20ms);
    retries.offer("second", 10ms);
    retries.offer("never", 1h);
    retries.offer_at("first", std::chrono::system_clock::time_point{});  // due at once
    bool const in_time = world().wall() - begin < 10ms;  // on a slow machine "second" is due before that
    for (int i = 0; i < 12; ++i) retries.offer_at(std::to_string(i), world().wall() + 15ms);
    advance(40ms);
    auto const all = drain(retries);
    ASSERT_EQ(all.size(), 15u);
    if (in_time) {
        EXPECT_EQ(all.front(), "first");
        EXPECT_EQ(all[1], "second");
    }
    if (time_stands_still()) {
        EXPECT_EQ(all.back(), "third");
        EXPECT_THAT((std::vector<std::string>{all.begin() + 2, all.begin() + 6}),
                    ElementsAre("0", "1", "2", "3"));
    }
    EXPECT_EQ(retries.size(), 1u);
}

TEST_P(Delivery, IsOfAnyBytes)
{
    auto retries = queue();
    std::string const bytes{"\0\r\n\xff", 4};
    std::string const large(200'000, 'x');
    retries.offer(bytes);
    EXPECT_EQ(retries.take().value, bytes);
    retries.offer(large);
    EXPECT_EQ(retries.take().value, large);
    retries.offer("");
    EXPECT_EQ(retries.take().value, "");
}

TEST_P(Delivery, IsNotEarly)
{
    auto retries = queue();
    auto const begin = std::chrono::steady_clock::now();
    retries.offer("a", 50ms);
    auto waiting = taking(retries);
    if (time_stands_still()) {
        await_waiters(1);
        advance(49'999us);
        EXPECT_TRUE(is_pending(waiting));
        advance(1us);
    }
    EXPECT_EQ(get(std::move(waiting)).value, "a");
    if (!time_stands_still()) {
        EXPECT_GE(std::chrono::steady_clock::now() - begin, 50ms - 1ms);
    }
}

TEST_P(Delivery, WakesWhoWaitsForALaterItem)
{
    auto other = world().client();
    auto retries = queue();
    retries.offer("late", 1h);
    auto first = taking(retries);
    await_waiters(1);
    auto second = taking(retries);
    await_waiters(2);
    other.delay_queue("retries").offer("earlier", 30min);
    other.delay_queue("retries").offer("now");
    EXPECT_EQ(get(std::move(first)).value, "now") << "first come, first served";
    EXPECT_TRUE(is_pending(second));
    other.delay_queue("retries").offer("now, too");
    EXPECT_EQ(get(std::move(second)).value, "now, too");
    EXPECT_EQ(retries.size(), 2u);
}

TEST_P(Delivery, WakesWhoWaitsAtAnEmptyQueue)
{
    auto other = world().client();
    auto retries = queue();
    for (int i = 0; i < 20; ++i) {
        auto waiting = taking(retries);
        await_waiters(1);
        other.delay_queue("retries").offer(std::to_string(i));
        EXPECT_EQ(get(std::move(waiting)).value, std::to_string(i));
    }
}

TEST_P(Delivery, GivesUpInTime)
{
    auto retries = queue();
    EXPECT_EQ(retries.try_take_for(0s), std::nullopt);
    retries.offer("late", 1h);
    if (time_stands_still()) {
        auto waiting = std::async(std::launch::async, [&] { return retries.try_take_for(10ms); });
        await_waiters(1);
        advance(10ms);
        EXPECT_EQ(get(std::move(waiting)), std::nullopt);
    } else {
        EXPECT_EQ(retries.try_take_for(10ms), std::nullopt);
    }
    retries.offer("soon");
    EXPECT_EQ(retries.try_take_for(1h)->value, "soon");
    EXPECT_EQ(client().stats().waiters, 0u);
    expect_error(Errc::invalid_argument, {"delay queue \"retries\"", "negative"},
                 [&] { (void)retries.try_take_for(-1s); });
}

TEST_P(Delivery, CanBeCancelledByTheOneWhoWaits)
{
    auto retries = queue();
    std::stop_source stop;
    auto waiting = std::async(std::launch::async, [&] { return retries.take(stop.get_token()); });
    await_waiters(1);
    stop.request_stop();
    expect_error(Errc::cancelled, {"delay queue \"retries\""}, [&] { get(std::move(waiting)); });

    asio::cancellation_signal signal;
    std::promise<error_code> ended;
    retries.async_take(asio::bind_cancellation_slot(
        signal.slot(), [&](error_code error, Item const&) { ended.set_value(error); }));
    await_waiters(1);
    // Until it is out of its call to the store, a cancelled take waits for the answer.
    signal.emit(asio::cancellation_type::total);
    EXPECT_EQ(get(ended.get_future()), asio::error::operation_aborted);
    await_waiters(0);
    retries.offer("a");
    EXPECT_EQ(retries.take().value, "a") << "nobody took it";
}

TEST_P(Delivery, CanBeCalledOff)
{
    auto retries = queue();
    auto const id = retries.offer("a", 1h);
    retries.offer("b", 2h);
    EXPECT_EQ(retries.peek(), (Item{id, "a"}));
    EXPECT_EQ(retries.size(), 2u);
    EXPECT_TRUE(retries.cancel(id));
    EXPECT_FALSE(retries.cancel(id));
    EXPECT_FALSE(retries.cancel("nonsense"));
    EXPECT_EQ(retries.peek()->value, "b");
    EXPECT_EQ(retries.size(), 1u);
    EXPECT_FALSE(retries.ack(id));
    EXPECT_EQ(retries.name(), "retries");
}

TEST_P(Delivery, HasAsyncTwins)
{
    auto retries = queue({.acknowledge = Acknowledge::manual});
    auto const id = answer<std::string>([&](auto token) { retries.async_offer("a", token); }).value;
    auto const late = answer<std::string>([&](auto token) { retries.async_offer("b", 1h, token); }).value;
    EXPECT_FALSE(answer<std::string>([&](auto token) {
                     retries.async_offer_at("c", std::chrono::system_clock::now() + 2h, token);
                 }).error);
    EXPECT_EQ(answer<std::size_t>([&](auto token) { retries.async_size(token); }).value, 3u);
    EXPECT_EQ(answer<std::optional<Item>>([&](auto token) { retries.async_peek(token); }).value,
              (Item{id, "a"}));
    EXPECT_EQ(answer<Item>([&](auto token) { retries.async_take(token); }).value, (Item{id, "a"}));
    EXPECT_TRUE(answer<bool>([&](auto token) { retries.async_ack(id, token); }).value);
    EXPECT_EQ(answer<std::optional<Item>>([&](auto token) { retries.async_try_take(token); }).value,
              std::nullopt);
    EXPECT_TRUE(answer<bool>([&](auto token) { retries.async_cancel(late, token); }).value);
    EXPECT_EQ(answer<std::optional<Item>>([&](auto token) { retries.async_try_take_for(-1s, token); }).error,
              Errc::invalid_argument);
    retries.offer("d");
    EXPECT_EQ(
        answer<std::optional<Item>>([&](auto token) { retries.async_try_take_for(1h, token); }).value->value,
        "d");
}

// ---- leases ----

TEST_P(Delivery, ComesBackUnlessAcked)
{
    auto retries = queue({.lease = 50ms, .acknowledge = Acknowledge::manual});
    auto const id = retries.offer("a");
    EXPECT_EQ(retries.take(), (Item{id, "a"}));
    if (time_stands_still()) {
        EXPECT_EQ(retries.size(), 0u) << "leased";
        EXPECT_FALSE(retries.cancel(id));
        EXPECT_EQ(retries.peek(), std::nullopt);
        advance(49ms);
        EXPECT_EQ(retries.try_take(), std::nullopt);
        advance(1ms);
        EXPECT_EQ(retries.size(), 1u);
        EXPECT_FALSE(retries.ack(id)) << "too late";
        EXPECT_EQ(retries.peek(), (Item{id, "a"}));
    } else {
        advance(50ms);
    }
    EXPECT_EQ(retries.take(), (Item{id, "a"})) << "it came back";
    if (time_stands_still()) {
        EXPECT_TRUE(retries.ack(id));
    }
}

TEST_P(Delivery, IsOverOnceAcked)
{
    auto retries = queue({.lease = 1h, .acknowledge = Acknowledge::manual});
    auto const id = retries.offer("a");
    auto const item = retries.take();
    EXPECT_TRUE(retries.ack(item.id));
    EXPECT_FALSE(retries.ack(item.id));
    EXPECT_EQ(retries.size(), 0u);
    EXPECT_FALSE(retries.cancel(id));
}

TEST_P(Delivery, WakesWhoWaitsForALeaseToEnd)
{
    auto other = world().client();
    auto retries = queue({.lease = 1h, .acknowledge = Acknowledge::manual});
    auto brief = other.delay_queue("retries", {.lease = 100ms, .acknowledge = Acknowledge::manual});
    auto const id = retries.offer("a");
    EXPECT_EQ(brief.take().id, id);
    auto waiting = taking(retries);
    await_waiters(1);
    advance(100ms);
    EXPECT_EQ(get(std::move(waiting)), (Item{id, "a"}));
    EXPECT_EQ(brief.try_take(), std::nullopt) << "not under two leases";
}

TEST_P(Delivery, GoesToOneOfManyConsumers)
{
    auto other = world().client();
    auto ours = queue();
    auto theirs = other.delay_queue("retries");
    constexpr int count = 200;
    std::vector<std::future<Item>> takes;
    std::mutex mutex;
    std::multiset<std::string> taken;
    std::atomic<int> left{count};
    for (int i = 0; i < count; ++i) {
        auto& from = i % 2 == 0 ? ours : theirs;
        from.async_take([&](error_code error, Item const& item) {
            std::lock_guard const lock{mutex};
            taken.insert(error ? error.message() : item.value);
            --left;
        });
    }
    std::multiset<std::string> offered;
    for (int i = 0; i < count; ++i) {
        offered.insert(std::to_string(i));
        ours.offer(std::to_string(i), 1ms * (i % 5));
    }
    advance(5ms);
    auto const end = std::chrono::steady_clock::now() + 20s;
    while (left > 0 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
    std::lock_guard const lock{mutex};
    EXPECT_EQ(taken, offered);
}

// ---- misuse and the end ----

TEST_P(Delivery, IsCheckedWhenItIsOpened)
{
    expect_error(Errc::invalid_argument, {"delay queue \"\"", "empty"}, [&] { client().delay_queue(""); });
    expect_error(Errc::invalid_argument, {"delay queue \"a\"", "lease"},
                 [&] { client().delay_queue("a", {.lease = 0s}); });
    auto retries = queue({.lease = 1s, .acknowledge = QueueOptions::manual});
    expect_error(Errc::config_conflict, {"delay queue \"retries\"", "other options"},
                 [&] { queue({.lease = 2s, .acknowledge = Acknowledge::manual}); });
    EXPECT_EQ(client().delay_queue("retries").options(), retries.options());
}

TEST_P(Delivery, EndsWithTheClient)
{
    std::optional<Client> gone = world().client();
    auto retries = gone->delay_queue("retries");
    auto blocked = taking(retries);
    std::promise<error_code> ended;
    retries.async_take([&](error_code error, Item const&) { ended.set_value(error); });
    await_waiters(*gone, 2);
    gone.reset();
    EXPECT_EQ(get(ended.get_future()), Errc::client_closed);
    expect_error(Errc::client_closed, {"delay queue \"retries\""}, [&] { get(std::move(blocked)); });
    expect_error(Errc::client_closed, {"delay queue \"retries\""}, [&] { retries.offer("a"); });
    expect_error(Errc::client_closed, [&] { (void)retries.try_take(); });
    expect_error(Errc::client_closed, [&] { retries.take(); });
    EXPECT_EQ(answer<Item>([&](auto token) { retries.async_take(token); }).error, Errc::client_closed);
}

TEST_P(Delivery, LetsAUsersExecutorRunOutOfWork)
{
    asio::io_context io;
    auto mine = world().client({.executor = io.get_executor()});
    auto retries = mine.delay_queue("retries");
    std::string taken;
    retries.async_take(
        [&](error_code error, Item const& item) { taken = error ? error.message() : item.value; });
    retries.async_offer("a", [](error_code, std::string const&) {});
    io.run();  // returns
    EXPECT_EQ(taken, "a");
}

TEST_P(Delivery, DoesNotBlockTheThreadThatServes)
{
    auto retries = queue();
    std::promise<error_code> said;
    retries.async_size([&](error_code, std::size_t) {
        try {
            retries.take();
        } catch (Error const& error) {
            said.set_value(error.code());
        }
    });
    EXPECT_EQ(get(said.get_future()), Errc::would_deadlock);
}

}  // namespace
}  // namespace ration::conformance
