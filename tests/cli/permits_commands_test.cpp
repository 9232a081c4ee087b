// set, try, release and delete: what they do to a real server, what they print and what they exit with.

#include "cli/on_server.hpp"

namespace ration::cli_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Set : public OnServer {};
class Try : public OnServer {};
class Release : public OnServer {};
class Delete : public OnServer {};

TEST_F(Set, writes_what_java_reads)
{
    auto const result = ration({"set", "mail", "10/1s"});
    EXPECT_EQ(result.exit, 0);
    EXPECT_EQ(result.out, "mail: set to 10/s (sliding_log)\n");
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(redis().list("HMGET", "mail", "rate", "interval", "type", "keepAliveTime"),
                ElementsAre("10", "1000", "0", "0"));
}

TEST_F(Set, replaces_and_forgets_unless_told_otherwise)
{
    ration({"set", "mail", "5/h"});
    ration({"try", "mail", "5"});
    EXPECT_EQ(ration({"set", "mail", "5/h"}).exit, 0);
    EXPECT_EQ(json({"info", "mail"}).at("available").as_int64(), 5);
}

TEST_F(Set, if_absent_leaves_a_rate_alone_and_says_so)
{
    EXPECT_EQ(json({"set", "mail", "5/h", "--if-absent"}).at("result").as_string(), "created");
    auto const again = json({"set", "mail", "7/h", "--if-absent"}, 1);
    EXPECT_EQ(again.at("result").as_string(), "exists");
    EXPECT_FALSE(again.at("changed").as_bool());
    EXPECT_EQ(again.at("rate").as_int64(), 5) << "what is stored, not what was asked for";
}

TEST_F(Set, if_changed_is_done_when_it_is_as_wanted)
{
    EXPECT_EQ(json({"set", "mail", "5/h", "--if-changed"}).at("result").as_string(), "created");
    ration({"try", "mail", "2"});
    EXPECT_EQ(json({"set", "mail", "5/h", "--if-changed"}).at("result").as_string(), "unchanged");
    EXPECT_EQ(json({"info", "mail"}).at("available").as_int64(), 3);
    EXPECT_EQ(json({"set", "mail", "6/h", "--if-changed"}).at("result").as_string(), "changed");
    EXPECT_EQ(json({"info", "mail"}).at("available").as_int64(), 6);
}

TEST_F(Set, keep_state_keeps_grants_and_needs_a_limiter)
{
    auto const missing = ration({"set", "mail", "5/h", "--keep-state"});
    EXPECT_EQ(missing.exit, 1);
    EXPECT_EQ(missing.out, "mail: left alone, it has no rate to update\n");
    EXPECT_EQ(json({"set", "mail", "5/h", "--keep-state"}, 1).at("result").as_string(), "missing");
    EXPECT_EQ(redis().integer("EXISTS", "mail"), 0);

    ration({"set", "mail", "5/h"});
    ration({"try", "mail", "4"});
    EXPECT_EQ(json({"set", "mail", "6/h", "--keep-state"}).at("result").as_string(), "updated");
    EXPECT_EQ(json({"info", "mail"}).at("available").as_int64(), 2);
}

TEST_F(Set, takes_every_kind_of_rate)
{
    struct Row {
        std::vector<std::string> arguments;
        char const* rate;
        std::int64_t interval_ms;
        char const* algorithm;
        char const* type;
        std::int64_t keep_alive_ms;
    };
    Row const rows[] = {
        {{"10/1s"}, "10/s", 1000, "sliding_log", "overall", 0},
        {{"1/500ms", "--type", "per-client"}, "1/500ms", 500, "sliding_log", "per-client", 0},
        {{"60/m;burst=10", "--keep-alive", "2h"},
         "60/m;burst=10",
         60'000,
         "token_bucket",
         "overall",
         7'200'000},
        {{"5/s", "--algorithm", "fixed_window"}, "5/s", 1000, "fixed_window", "overall", 0},
        {{"5/s", "--algorithm=token_bucket", "--type=overall"}, "5/s", 1000, "token_bucket", "overall", 0},
        {{"9/day@Asia/Shanghai"}, "9/day@Asia/Shanghai", 86'400'000, "calendar_window", "overall", 0},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.rate);
        std::vector<std::string> arguments{"set", "x"};
        arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
        json(arguments);
        auto const info = json({"info", "x"});
        EXPECT_EQ(text_at(info, "limiter"), "x");
        EXPECT_EQ(text_at(info, "rate_text"), row.rate);
        EXPECT_EQ(info.at("interval_ms").as_int64(), row.interval_ms);
        EXPECT_EQ(text_at(info, "algorithm"), row.algorithm);
        EXPECT_EQ(text_at(info, "type"), row.type);
        EXPECT_EQ(info.at("keep_alive_ms").as_int64(), row.keep_alive_ms);
        EXPECT_EQ(info.at("ttl_ms").is_null(), row.keep_alive_ms == 0);
    }
}

TEST_F(Set, another_algorithm_needs_a_replacement)
{
    ration({"set", "mail", "5/h"});
    EXPECT_EQ(
        text_at(json({"set", "mail", "5/h", "--keep-state", "--algorithm", "token_bucket"}, 3), "error"),
        "config_conflict");
    EXPECT_EQ(json({"set", "mail", "5/h", "--algorithm", "token_bucket"}).at("algorithm").as_string(),
              "token_bucket");
}

TEST_F(Try, says_granted_or_denied_in_words_and_by_its_exit_code)
{
    ration({"set", "mail", "5/h"});
    auto const granted = ration({"try", "mail", "3"});
    EXPECT_EQ(granted.exit, 0);
    EXPECT_EQ(granted.out, "granted, 2 left\n");
    auto const denied = ration({"try", "mail", "3"});
    EXPECT_EQ(denied.exit, 1);
    EXPECT_THAT(denied.out, StartsWith("denied, 2 left, try again in "));
    EXPECT_EQ(denied.err, "");
    EXPECT_EQ(ration({"try", "mail"}).exit, 0) << "one permit, if nothing is said";
}

TEST_F(Try, has_stable_names_in_json)
{
    ration({"set", "mail", "2/h"});
    auto const granted = json({"try", "mail"});
    EXPECT_EQ(granted.size(), 6U);
    EXPECT_EQ(text_at(granted, "limiter"), "mail");
    EXPECT_TRUE(granted.at("granted").as_bool());
    EXPECT_EQ(granted.at("remaining").as_int64(), 1);
    EXPECT_EQ(granted.at("retry_after_ms").to_number<double>(), 0);
    EXPECT_GT(granted.at("reset_after_ms").to_number<double>(), 1'000'000);
    EXPECT_EQ(text_at(granted, "basis"), "store");
    auto const denied = json({"try", "mail", "2"}, 1);
    EXPECT_FALSE(denied.at("granted").as_bool());
    EXPECT_GT(denied.at("retry_after_ms").to_number<double>(), 1'000'000);
}

TEST_F(Try, waits_no_longer_than_it_may_and_not_in_vain)
{
    ration({"set", "mail", "1/h"});
    EXPECT_EQ(ration({"try", "mail", "--timeout", "0"}).exit, 0);
    EXPECT_EQ(ration({"try", "mail", "--timeout", "30m"}).exit, 1)
        << "denied at once: it would come too late";
    ration({"set", "quick", "1/50ms"});
    ration({"try", "quick"});
    EXPECT_EQ(ration({"try", "quick", "--timeout", "1m"}).exit, 0);
}

TEST_F(Try, more_than_the_rate_is_wrong_usage)
{
    ration({"set", "mail", "5/h"});
    auto const error = json({"try", "mail", "6"}, 2);
    EXPECT_EQ(error.size(), 2U);
    EXPECT_EQ(text_at(error, "error"), "permits_exceed_rate");
    EXPECT_THAT(text_at(error, "message"), HasSubstr("never holds more than 5"));
}

TEST_F(Try, an_unknown_limiter_is_a_data_error)
{
    auto const error = json({"try", "nobody"}, 3);
    EXPECT_EQ(text_at(error, "error"), "not_initialized");
    EXPECT_THAT(text_at(error, "message"), HasSubstr("ration set NAME RATE"));
}

TEST_F(Try, per_client_needs_to_know_who_asks)
{
    ration({"set", "worker", "1/h", "--type", "per-client"});
    auto const who = ration({"try", "worker"});
    EXPECT_EQ(who.exit, 2);
    EXPECT_THAT(who.err, HasSubstr("--client-id"));
    EXPECT_EQ(ration({"try", "worker", "--client-id", "a"}).exit, 0);
    EXPECT_EQ(ration({"try", "worker", "--client-id", "a"}).exit, 1);
    EXPECT_EQ(ration({"try", "worker", "--client-id", "b"}).exit, 0);
}

TEST_F(Release, gives_back)
{
    ration({"set", "mail", "5/h"});
    ration({"try", "mail", "4"});
    EXPECT_EQ(ration({"release", "mail", "3"}).out, "released 3 permits, 4 free\n");
    auto const object = json({"release", "mail", "100"});
    EXPECT_EQ(object.at("released").as_int64(), 100);
    EXPECT_EQ(object.at("available").as_int64(), 5) << "never above full";
    EXPECT_EQ(text_at(json({"release", "nobody", "1"}, 3), "error"), "not_initialized");
    ration({"set", "worker", "1/h", "--type", "per-client"});
    EXPECT_EQ(ration({"release", "worker", "1"}).exit, 2);
    EXPECT_EQ(ration({"release", "worker", "1", "--client-id", "a"}).exit, 0);
}

TEST_F(Delete, leaves_nothing_behind)
{
    ration({"set", "mail", "5/h"});
    ration({"try", "mail", "4"});
    EXPECT_EQ(ration({"delete", "mail"}).out, "mail: deleted\n");
    EXPECT_EQ(redis().integer("DBSIZE"), 0);
    auto const none = ration({"delete", "mail"});
    EXPECT_EQ(none.exit, 1);
    EXPECT_EQ(none.out, "mail: there is no such limiter\n");
    EXPECT_FALSE(json({"delete", "mail"}, 1).at("deleted").as_bool());
}

TEST_F(Set, names_may_be_anything)
{
    for (std::string const name : {"with space", "{braces}", "ü", "\xff\xfe", "a\nb", "--dashes"}) {
        SCOPED_TRACE(name);
        auto const set = run({"--json", "set", "5/h", "--", name, "5/h"}, environment());
        EXPECT_EQ(set.exit, 2) << "one word too many";
        auto const result = run({"--json", "set", "--", name, "5/h"}, environment());
        EXPECT_EQ(result.exit, 0) << result.err;
        EXPECT_EQ(object_of(result.out).at("result").as_string(), "set");
        EXPECT_EQ(redis().integer("EXISTS", name), 1);
        EXPECT_EQ(std::ranges::count(run({"set", "--", name, "5/h"}, environment()).out, '\n'), 1)
            << "no name can fake a line";
    }
}

}  // namespace
}  // namespace ration::cli_test
