// Bad input: the documented error, in a sentence that names the limiter and says what to do. The async twins'
// codes are in async_test.cpp. RATION_PRINT_SENTENCES=1 prints every sentence, to be read by a person.

#include "conformance/world.hpp"

#include <cstdlib>
#include <iostream>

namespace ration::conformance {
namespace {

class Misuse : public Conformance {
public:
    template <class Call>
    static void expect(Errc code, std::vector<std::string> const& parts, Call&& call)
    {
        auto const sentence = expect_error(code, parts, std::forward<Call>(call));
        if (std::getenv("RATION_PRINT_SENTENCES")) std::cout << "    " << sentence << '\n';
        EXPECT_THAT(sentence, ::testing::Not(::testing::EndsWith("."))) << "all are written alike";
    }

    /// An argument of a call on limiter "mail".
    template <class Call>
    static void expect_invalid(std::vector<std::string> parts, Call&& call)
    {
        parts.emplace_back("limiter \"mail\": ");
        expect(Errc::invalid_argument, parts, std::forward<Call>(call));
    }
};
RATION_CONFORMANCE(Misuse);

// ---- rates ----

TEST_P(Misuse, RatesThatMakeNoSense)
{
    auto limiter = this->limiter();
    auto const expect_rate = [&](std::vector<std::string> const& parts, auto make) {
        expect(Errc::invalid_argument, parts, [&] { limiter.set_rate(make()); });
    };
    expect_rate({"permits", "0", "1 to 4294967295"}, [] { return Rate::per(0, 1s); });
    expect_rate({"permits", "-5"}, [] { return Rate::per(-5, 1s); });
    expect_rate({"permits", "4294967296"}, [] { return Rate::per(Permits{1} << 32, 1s); });
    expect_rate({"interval", "0"}, [] { return Rate::per(5, 0s); });
    expect_rate({"interval", "-1"}, [] { return Rate::per(5, -1s); });
    expect_rate({"interval", "999 us", "1 ms"}, [] { return Rate::per(5, 999us); });
    expect_rate({"interval", "10 years"}, [] { return Rate::per(5, Duration::max()); });
    expect_rate({"burst", "0"}, [] { return Rate::per(5, 1s).with_burst(0); });
    expect_rate({"burst", "-1"}, [] { return Rate::per(5, 1s).with_burst(-1); });
    expect_rate({"burst", "calendar"}, [] { return Rate::calendar(5, CalendarUnit::day).with_burst(9); });
    expect_rate({"Mars/Olympus"}, [] { return Rate::calendar(5, CalendarUnit::day, "Mars/Olympus"); });
    expect_rate({"calendar", "1 to 3653", "0"},
                [] { return Rate::calendar(5, CalendarUnit::day, "UTC", 0); });
    for (auto const* text : {"",
                             "0/s",
                             "-5/s",
                             "+5/s",
                             " 5/s",
                             "5 /s",
                             "5/ s",
                             "5/s ",
                             "5",
                             "5/",
                             "/s",
                             "5/0s",
                             "5/-1s",
                             "99999999999/s",
                             "5/99999999999999999999s",
                             "5/parsec",
                             "5/day@Mars/Olympus",
                             "5/s;burst=0",
                             "5/s;burst=",
                             "1e3/s",
                             "0x5/s",
                             "5/s\n"}) {
        expect_rate({"character"}, [&] { return Rate::parse(text); });
    }
    EXPECT_FALSE(limiter.exists());
}

TEST_P(Misuse, AKeepAliveShorterThanTheInterval)
{
    auto limiter = this->limiter();
    for (Duration const keep_alive : {Duration{999ms}, Duration{1us}, Duration{-1s}, Duration::min()}) {
        RateOptions const options{.keep_alive = keep_alive};
        std::vector<std::string> const parts{"keep_alive", std::to_string(keep_alive.count()), "5/s",
                                             "at least"};
        expect_invalid(parts, [&] { limiter.try_set_rate(Rate::per_second(5), options); });
        expect_invalid(parts, [&] { limiter.set_rate(Rate::per_second(5), options); });
        expect_invalid(parts, [&] { limiter.ensure_rate(Rate::per_second(5), options); });
        expect_invalid(parts, [&] { limiter.update_rate(Rate::per_second(5), options); });
    }
    EXPECT_TRUE(limiter.try_set_rate(Rate::per_second(5), {.keep_alive = 1s})) << "as long as it is allowed";
}

TEST_P(Misuse, AnAlgorithmThatDoesNotFitRateOrData)
{
    auto bucket = limiter("mail", {.algorithm = Algorithm::token_bucket});
    expect_invalid({"100/day@UTC", "token_bucket", "calendar_window"},
                   [&] { bucket.set_rate(Rate::calendar(100, CalendarUnit::day)); });
    auto log = limiter("mail", {.algorithm = Algorithm::sliding_log});
    expect_invalid({"5/s;burst=9", "sliding_log", "token_bucket"},
                   [&] { log.set_rate(Rate::per_second(5).with_burst(9)); });
    log.set_rate(Rate::per_second(5));
    std::vector<std::string> const parts{"limiter \"mail\": ", "algorithm", "set_rate"};
    expect(Errc::config_conflict, parts, [&] { (void)bucket.try_acquire(); });
    expect(Errc::config_conflict, parts, [&] { bucket.acquire(); });
    std::vector<std::string> const both{"limiter \"mail\": ", "sliding_log", "token_bucket", "set_rate"};
    expect(Errc::config_conflict, both, [&] { (void)bucket.peek(); });
    expect(Errc::config_conflict, both, [&] { bucket.release(1); });
    expect(Errc::config_conflict, both, [&] { bucket.try_set_rate(Rate::per_second(5)); });
    expect(Errc::config_conflict, both, [&] { bucket.update_rate(Rate::per_second(5)); });
}

// ---- names ----

TEST_P(Misuse, NamesAreOneTo1024Bytes)
{
    KeyedOptions const keyed{.rate = Rate::per_second(5)};
    std::string const too_long(1025, 'n');
    expect(Errc::invalid_argument, {"limiter \"\": ", "name is empty", "1 to 1024"},
           [&] { client().rate_limiter(""); });
    expect(Errc::invalid_argument, {"limiter \"nnn", "1025 bytes", "1024"},
           [&] { client().rate_limiter(too_long); });
    expect(Errc::invalid_argument, {"keyed limiter \"\": ", "empty"},
           [&] { client().keyed_rate_limiter("", keyed); });
    expect(Errc::invalid_argument, {"keyed limiter \"nnn", "1025"},
           [&] { client().keyed_rate_limiter(too_long, keyed); });
    auto limiter = limiter_with(Rate::per_second(5));
    expect_invalid({"renamed", "empty"}, [&] { limiter.rename(""); });
    expect_invalid({"renamed", "1025 bytes"}, [&] { limiter.rename(too_long); });
    auto users = client().keyed_rate_limiter("api", keyed);
    expect(Errc::invalid_argument, {"keyed limiter \"api\": ", "key is empty"},
           [&] { (void)users.try_acquire(""); });
    expect(Errc::invalid_argument, {"keyed limiter \"api\": ", "key has 1025 bytes"},
           [&] { users.acquire(too_long); });
    expect(Errc::invalid_argument, {"key is empty"}, [&] { (void)users.peek(""); });
    expect(Errc::invalid_argument, {"key is empty"}, [&] { users.release("", 1); });
    expect(Errc::invalid_argument, {"key is empty"}, [&] { (void)users.available_permits(""); });
    expect(Errc::invalid_argument, {"key is empty"}, [&] { users.reset(""); });
}

TEST_P(Misuse, ASentenceAboutABinaryNameCanBePrinted)
{
    std::string const binary{"\0\x01\x1B[31m\xFF\"\\\n", 11};
    auto limiter = this->limiter(binary);
    std::string sentence;
    try {
        (void)limiter.try_acquire();
    } catch (Error const& error) {
        sentence = error.what();
    }
    EXPECT_THAT(sentence, ::testing::HasSubstr(R"(limiter "\x00\x01\x1B[31m\xFF\"\\\x0A": no rate is set)"));
    expect(Errc::invalid_argument, {"1025"},
           [&] { auto const made = this->limiter(std::string(1025, '\x07')); });
    auto const long_name = this->limiter(std::string(1024, 'n'));
    try {
        (void)long_name.peek();
    } catch (Error const& error) {
        EXPECT_LT(std::string_view{error.what()}.size(), 300u) << "a long name is cut";
    }
}

// ---- permits ----

TEST_P(Misuse, PermitsBelowOne)
{
    auto limiter = limiter_with(Rate::per_second(5));
    auto users = client().keyed_rate_limiter("api", {.rate = Rate::per_second(5)});
    for (Permits const n : {Permits{0}, Permits{-1}, std::numeric_limits<Permits>::min()}) {
        std::vector<std::string> const parts{std::to_string(n) + " permits", "at least 1"};
        expect_invalid(parts, [&] { (void)limiter.try_acquire(n); });
        expect_invalid(parts, [&] { (void)limiter.try_acquire_for(1s, n); });
        expect_invalid(parts, [&] { limiter.acquire(n); });
        expect_invalid(parts, [&] { limiter.acquire(n, std::stop_token{}); });
        expect_invalid(parts, [&] { (void)limiter.peek(n); });
        expect_invalid(parts, [&] { limiter.release(n); });
        expect(Errc::invalid_argument, {"key \"ann\" of keyed limiter \"api\": ", "at least 1"},
               [&] { (void)users.try_acquire("ann", n); });
        expect(Errc::invalid_argument, {"at least 1"}, [&] { users.release("ann", n); });
        expect(Errc::invalid_argument, {"at least 1"}, [&] { (void)users.peek("ann", n); });
    }
    EXPECT_EQ(limiter.available_permits(), 5);
}

TEST_P(Misuse, MorePermitsThanTheRate)
{
    auto limiter = limiter_with(Rate::per_second(5));
    auto users = client().keyed_rate_limiter("api", {.rate = Rate::per_second(5).with_burst(7)});
    EXPECT_TRUE(users.try_acquire("bob", 7)) << "the burst counts";
    for (Permits const n : {Permits{8}, (Permits{1} << 32) + 1, std::numeric_limits<Permits>::max()}) {
        std::vector<std::string> const parts{"limiter \"mail\": ", std::to_string(n) + " permits", "5",
                                             "ask for fewer"};
        expect(Errc::permits_exceed_rate, parts, [&] { (void)limiter.try_acquire(n); });
        expect(Errc::permits_exceed_rate, parts, [&] { (void)limiter.try_acquire_for(1s, n); });
        expect(Errc::permits_exceed_rate, parts, [&] { limiter.acquire(n); });
        expect(Errc::permits_exceed_rate, parts, [&] { (void)limiter.peek(n); });
        std::vector<std::string> const key{"key \"ann\" of keyed limiter \"api\": ", "7", "ask for fewer"};
        expect(Errc::permits_exceed_rate, key, [&] { (void)users.try_acquire("ann", n); });
        expect(Errc::permits_exceed_rate, key, [&] { users.acquire("ann", n); });
        expect(Errc::permits_exceed_rate, key, [&] { (void)users.peek("ann", n); });
        limiter.release(n);  // more than there can be: full
    }
    EXPECT_EQ(limiter.available_permits(), 5);
}

// ---- times ----

TEST_P(Misuse, NegativeTimes)
{
    auto limiter = limiter_with(Rate::per_second(5));
    auto users = client().keyed_rate_limiter("api", {.rate = Rate::per_second(5)});
    for (Duration const span : {Duration{-1us}, Duration{-1h}, Duration::min()}) {
        expect_invalid({"timeout is negative", std::to_string(span.count()), "zero"},
                       [&] { (void)limiter.try_acquire_for(span); });
        expect(Errc::invalid_argument, {"api", "negative"},
               [&] { (void)users.try_acquire_for("ann", span); });
        expect_invalid({"expire", std::to_string(span.count()), "remove"},
                       [&] { limiter.expire_after(span); });
    }
    expect_invalid({"expire", "remove"}, [&] { limiter.expire_after(0s); });
    EXPECT_EQ(limiter.available_permits(), 5);
    EXPECT_TRUE(limiter.exists());
}

// ---- blocking where nobody may ----

TEST_P(Misuse, ABlockingCallThatWouldWaitOnTheClientsOwnThread)
{
    auto limiter = limiter_with(Rate::per_hour(2));
    auto users = client().keyed_rate_limiter("api", {.rate = Rate::per_hour(1)});
    users.acquire("ann");
    std::promise<void> done;
    limiter.async_exists([&](error_code, bool) {
        if (time_stands_still()) {  // the embedded store answers at once
            EXPECT_TRUE(limiter.try_acquire());
            EXPECT_TRUE(limiter.acquire());
            EXPECT_FALSE(limiter.try_acquire());
            EXPECT_FALSE(limiter.try_acquire_for(1s)) << "comes too late, so it does not wait";
            EXPECT_EQ(limiter.available_permits(), 0);
        }
        std::vector<std::string> const parts{"limiter \"mail\": ", "I/O thread", "async_"};
        expect(Errc::would_deadlock, parts, [&] { limiter.acquire(); });
        expect(Errc::would_deadlock, parts, [&] { (void)limiter.try_acquire_for(2h); });
        expect(Errc::would_deadlock, parts, [&] { limiter.acquire(1, std::stop_token{}); });
        expect(Errc::would_deadlock, {"key \"ann\" of keyed limiter \"api\": "},
               [&] { users.acquire("ann"); });
        done.set_value();
    });
    get(done.get_future());
    EXPECT_EQ(client().stats().waiters, 0u);
    if (time_stands_still()) advance(1h);  // elsewhere nothing was taken to begin with
    EXPECT_EQ(limiter.available_permits(), 2) << "those who did not wait took nothing";
}

TEST_P(Misuse, ABlockingCallThatWouldWaitOnAnExecutorOfTheUsers)
{
    asio::io_context io;
    asio::thread_pool pool{1};
    asio::any_io_executor const executors[] = {
        io.get_executor(),
        asio::make_strand(io),
        asio::make_strand(asio::any_io_executor{io.get_executor()}),
        asio::any_io_executor{asio::prefer(io.get_executor(), asio::execution::outstanding_work.tracked)},
        pool.get_executor(),
        asio::make_strand(pool),
    };
    for (auto const& executor : executors) {
        SCOPED_TRACE(executor.target_type().name());
        auto mine = world().client({.executor = executor});
        auto limiter = mine.rate_limiter("mail");
        std::promise<void> done;
        limiter.async_set_rate(Rate::per_hour(1), {}, [&](error_code) {
            if (time_stands_still()) {
                EXPECT_TRUE(limiter.try_acquire());
                EXPECT_FALSE(limiter.try_acquire());
            }
            expect(Errc::would_deadlock, {"limiter \"mail\": ", "async_"}, [&] { limiter.acquire(); });
            done.set_value();
        });
        auto future = done.get_future();
        for (auto const end = std::chrono::steady_clock::now() + patience; is_pending(future);) {
            ASSERT_LT(std::chrono::steady_clock::now(), end) << "hangs";
            io.restart();
            io.poll();
        }
    }
    pool.join();
}

TEST_P(Misuse, AnotherThreadMayBlockWhileTheIoThreadIsBusy)
{
    auto limiter = limiter_with(Rate::per_hour(1));
    limiter.acquire();
    auto blocked = std::async(std::launch::async, [&] { return limiter.acquire(); });
    await_waiters(1);
    std::promise<void> denied;
    limiter.async_exists([&](error_code, bool) {
        EXPECT_FALSE(limiter.try_acquire()) << "behind a waiter, and still no wait of its own";
        if (time_stands_still()) {  // the embedded store answers at once
            EXPECT_FALSE(limiter.peek());
        }
        denied.set_value();
    });
    get(denied.get_future());
    limiter.release(1);
    EXPECT_TRUE(get(std::move(blocked)));
}

TEST_P(Misuse, ABlockingCallOnAnExecutorThatNobodyRuns)
{
    asio::io_context io;
    auto mine = world().client({.command_timeout = 10ms, .executor = io.get_executor()});
    auto limiter = mine.rate_limiter("mail");
    if (time_stands_still()) {  // the embedded store needs none
        limiter.set_rate(Rate::per_hour(1));
        EXPECT_TRUE(limiter.acquire());
        return;
    }
    std::vector<std::string> const parts{"limiter \"mail\": ", "nobody runs", "async_"};
    expect(Errc::would_deadlock, parts, [&] { limiter.set_rate(Rate::per_hour(1)); });
    expect(Errc::would_deadlock, parts, [&] { limiter.acquire(); });
}

// ---- options ----

TEST_P(Misuse, ClientOptionsOutOfBounds)
{
    for (Duration const timeout :
         {Duration{0}, Duration{-1s}, Duration{999us}, Duration{1h + 1us}, Duration::max()}) {
        expect(Errc::invalid_argument, {"command_timeout", std::to_string(timeout.count()), "1 ms to 1 h"},
               [&] { world().client({.command_timeout = timeout}); });
    }
    expect(Errc::invalid_argument, {"max_waiters", "at least 1"},
           [&] { world().client({.max_waiters = 0}); });
    expect(Errc::invalid_argument, {"client_id", "129 bytes", "128 is the most"},
           [&] { world().client({.client_id = std::string(129, 'x')}); });
    for (Duration const wait : {Duration{-1us}, Duration{10ms + 1us}}) {
        expect(Errc::invalid_argument, {"busy_wait", std::to_string(wait.count()), "0 to 10 ms"},
               [&] { world().client({.busy_wait = wait}); });
    }
    world().client({.command_timeout = 1ms, .max_waiters = 1});
    world().client({.command_timeout = 1h});
}

TEST_P(Misuse, LimiterOptionsOutOfBounds)
{
    for (Duration const resolution : {Duration{-1us}, Duration{1h + 1us}, Duration::max()}) {
        expect_invalid({"log_resolution", std::to_string(resolution.count()), "one hour"},
                       [&] { limiter("mail", {.log_resolution = resolution}); });
    }
    for (Permits const share : {0, -1}) {
        expect_invalid({"local_share", std::to_string(share), "at least 1"},
                       [&] { limiter("mail", {.local_share = share}); });
        expect(Errc::invalid_argument, {"keyed limiter \"api\": ", "local_share"}, [&] {
            client().keyed_rate_limiter("api", {.rate = Rate::per_second(1), .local_share = share});
        });
    }
    auto const keyed = [&](KeyedOptions const& options) { client().keyed_rate_limiter("api", options); };
    expect(Errc::invalid_argument, {"keyed limiter \"api\": ", "max_keys", "at least 1"},
           [&] { keyed({.rate = Rate::per_second(1), .max_keys = 0}); });
    expect(Errc::invalid_argument, {"keyed limiter \"api\": ", "5/day@UTC", "token_bucket"},
           [&] { keyed({.rate = Rate::calendar(5, CalendarUnit::day)}); });
    expect(Errc::invalid_argument, {"5/s;burst=9", "fixed_window"},
           [&] { keyed({.rate = Rate::per_second(5).with_burst(9), .algorithm = Algorithm::fixed_window}); });
    expect(Errc::invalid_argument, {"5/s", "calendar_window"},
           [&] { keyed({.rate = Rate::per_second(5), .algorithm = Algorithm::calendar_window}); });
}

TEST_P(Misuse, OneNameOpenedWithOtherOptions)
{
    auto coarse = limiter("mail", {.log_resolution = 1s});
    expect(Errc::config_conflict, {"limiter \"mail\": ", "other options", "the same"},
           [&] { limiter("mail", {.log_resolution = 2s}); });
    auto same = limiter("mail", {.log_resolution = 1s});
    auto none = limiter("mail");
    auto other_algorithm = limiter("mail", {.algorithm = Algorithm::token_bucket, .log_resolution = 1s});

    auto users = client().keyed_rate_limiter("api", {.rate = Rate::per_second(5)});
    expect(Errc::config_conflict, {"keyed limiter \"api\": ", "the same"},
           [&] { client().keyed_rate_limiter("api", {.rate = Rate::per_second(6)}); });
    auto other = world().client();
    if (world().compares_keyed_rates()) {
        expect(Errc::config_conflict, {"keyed limiter \"api\"", "5/s", "token_bucket", "the same"},
               [&] { other.keyed_rate_limiter("api", {.rate = Rate::per_second(6)}); });
    }
    auto named_alike = limiter("api");  // a limiter is no keyed limiter
    EXPECT_TRUE(named_alike.try_set_rate(Rate::per_second(1)));
}

}  // namespace
}  // namespace ration::conformance
