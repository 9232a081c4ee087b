// Who watches the watcher: the checks that other tests rely on do notice what they look for.

#include "redis/claims.hpp"
#include "redis/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ration::redis_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::string member(char id, char permits)
{
    return std::string(17, id) + permits + std::string(3, '\0');
}

/// A log of 5 permits in 100 ms, written by hand.
class Log : public testing::Test {
protected:
    void script(std::int64_t time_ms, std::vector<std::vector<std::string>> const& commands)
    {
        history_.see({time_ms, false, {"EVALSHA", "0123"}});
        for (auto const& command : commands) history_.see({time_ms, true, command});
    }
    void grant(std::int64_t time_ms, char id, char permits, std::string const& value)
    {
        script(time_ms, {{"SET", "{one}:value", value},
                         {"ZADD", "{one}:permits", "NX", std::to_string(time_ms), member(id, permits)}});
    }

    History history_{"one", Rate::per(5, 100ms)};
};

TEST_F(Log, IsFineWhenFullAndReused)
{
    grant(1000, 'a', 3, "2");
    grant(1001, 'b', 2, "0");
    script(1100, {{"SET", "{one}:value", "0"},
                  {"ZREMRANGEBYRANK", "{one}:permits", "0", "0"},
                  {"ZADD", "{one}:permits", "NX", "1100", member('c', 3)}});
    script(1101, {});
    EXPECT_EQ(history_.problem(), "");
    EXPECT_EQ(history_.granted(), 8);
    EXPECT_EQ(history_.given_back(), 0);
}

TEST_F(Log, WithTooMuchInAnIntervalIsNoticed)
{
    grant(1000, 'a', 3, "2");
    grant(1099, 'b', 3, "-1");
    EXPECT_THAT(history_.problem(), HasSubstr("6 permits in the interval that ends at 1099"));
}

TEST_F(Log, ThatDoesNotAddUpIsNoticed)
{
    grant(1000, 'a', 3, "3");
    script(1001, {});
    EXPECT_THAT(history_.problem(), HasSubstr("the value was 3 and the log held 3"));
}

TEST_F(Log, TellsWhatLeftItBeforeItsTime)
{
    grant(1000, 'a', 3, "2");
    script(1050, {{"SET", "{one}:value", "4"},
                  {"ZADD", "{one}:permits", "1000", member('a', 1)},
                  {"ZREM", "{one}:permits", member('a', 3)}});
    EXPECT_EQ(history_.given_back(), 2);
    script(1060, {{"SET", "{one}:value", "5"}, {"UNLINK", "{one}:permits"}});
    script(1061, {});
    EXPECT_EQ(history_.given_back(), 3);
    EXPECT_EQ(history_.problem(), "");
}

TEST(Claims, AddUpOnlyWhereThereIsNoDoubt)
{
    auto const at = [](auto time) { return std::chrono::steady_clock::time_point{time}; };
    auto const rate = Rate::per(5, 100ms);
    EXPECT_EQ(most_in_an_interval({{at(0ms), at(1ms), 3}, {at(50ms), at(98ms), 4}}, rate), 7);
    EXPECT_EQ(most_in_an_interval({{at(0ms), at(1ms), 3}, {at(50ms), at(101ms), 4}}, rate), 4);
}

TEST(AMonitoredCommand, IsReadByteForByte)
{
    auto const line = parse_monitor_line(R"(+1700000000.123456 [0 lua] "SET" "a \"b\" \\" "\x10\n\xffz")");
    EXPECT_EQ(line.time_ms, 1'700'000'000'123);
    EXPECT_TRUE(line.by_script);
    EXPECT_EQ(line.words, (std::vector<std::string>{"SET", "a \"b\" \\", "\x10\n\xffz"}));
    EXPECT_FALSE(parse_monitor_line(R"(+1700000000.123456 [0 unix:/tmp/lua] "PING")").by_script);
}

}  // namespace
}  // namespace ration::redis_test
