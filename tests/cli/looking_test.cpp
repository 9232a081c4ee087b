// info and list: on limiters of ration and of every generation of Redisson, by users who may more or less.

#include "cli/on_server.hpp"

namespace ration::cli_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

class Info : public OnServer {
protected:
    void java_limiter(std::string const& name, std::string const& type = "0")
    {
        redis().command({"HSET", name, "rate", "10", "interval", "3600000", "type", type});
    }

    std::int64_t server_ms()
    {
        auto const time = redis().list("TIME");
        return std::stoll(time[0]) * 1000 + std::stoll(time[1]) / 1000;
    }

    /// A grant as a Java client writes it: `head` and the permits, little-endian.
    void java_grant(std::string const& key, std::string head, char permits, std::int64_t age_ms)
    {
        head += std::string{permits, 0, 0, 0};
        redis().command({"ZADD", key, std::to_string(server_ms() - age_ms), head});
    }
};
class List : public Info {};

TEST_F(Info, has_stable_names_in_json)
{
    ration({"set", "mail", "5/h", "--keep-alive", "2h"});
    ration({"try", "mail", "2"});
    auto const info = json({"info", "mail"});
    EXPECT_EQ(text_at(info, "limiter"), "mail");
    EXPECT_EQ(info.at("rate").as_int64(), 5);
    EXPECT_EQ(text_at(info, "rate_text"), "5/h");
    EXPECT_EQ(info.at("interval_ms").as_int64(), 3'600'000);
    EXPECT_EQ(text_at(info, "type"), "overall");
    EXPECT_EQ(text_at(info, "algorithm"), "sliding_log");
    EXPECT_EQ(info.at("keep_alive_ms").as_int64(), 7'200'000);
    EXPECT_EQ(info.at("available").as_int64(), 3);
    EXPECT_EQ(info.at("in_use").as_int64(), 2);
    EXPECT_EQ(info.at("grants").as_int64(), 1);
    EXPECT_EQ(info.at("next_permit_ms").to_number<double>(), 0);
    EXPECT_GT(info.at("ttl_ms").to_number<double>(), 7'000'000);
    EXPECT_GT(info.at("memory_bytes").as_int64(), 100);
    EXPECT_EQ(text_at(info, "generation"), "redisson-3.21");
    EXPECT_TRUE(info.at("exact").as_bool());
}

TEST_F(Info, says_it_in_lines_for_people)
{
    ration({"set", "mail", "5/h"});
    ration({"try", "mail", "5"});
    auto const lines = lines_of(ration({"info", "mail"}).out);
    EXPECT_EQ(lines[0], "mail");
    EXPECT_EQ(lines[1], "  rate          5/h");
    EXPECT_THAT(lines, ::testing::Contains("  free now      0 of 5"));
    EXPECT_THAT(lines, ::testing::Contains("  in use        5 permits, by 1 call"));
    EXPECT_THAT(lines, ::testing::Contains(StartsWith("  next permit   in 59min")));
    EXPECT_THAT(lines, ::testing::Contains("  lifetime      does not expire"));
}

TEST_F(Info, agrees_with_what_a_request_is_told_for_every_algorithm)
{
    for (std::vector<std::string> rate : {std::vector<std::string>{"10/h"},
                                          {"10/h", "--algorithm", "fixed_window"},
                                          {"10/h", "--algorithm", "token_bucket"},
                                          {"10/h;burst=10"},
                                          {"10/year@Europe/Berlin"}}) {
        SCOPED_TRACE(::testing::PrintToString(rate));
        rate.insert(rate.begin(), {"set", "x"});
        ration(rate);
        EXPECT_EQ(json({"info", "x"}).at("available").as_int64(), 10);
        ration({"try", "x", "7"});
        EXPECT_EQ(json({"info", "x"}).at("available").as_int64(), 3);
        ration({"try", "x", "3"});
        auto const info = json({"info", "x"});
        EXPECT_EQ(info.at("available").as_int64(), 0);
        auto const told = json({"try", "x"}, 1);
        // Time passes between the two; both count down from the same moment.
        auto const seen = info.at("next_permit_ms").to_number<double>();
        auto const retry = told.at("retry_after_ms").to_number<double>();
        EXPECT_LE(retry, seen + 1);
        EXPECT_GT(retry, seen - 60'000);
    }
}

TEST_F(Info, tells_every_generation_of_redisson_apart)
{
    struct Row {
        char const* generation;
        std::string head;
    };
    Row const rows[] = {
        {"redisson-3.13.3", std::string(4, 'r')},
        {"redisson-3.16.4", std::string{"\x08\0\0\0\0\0\0\0", 8} + std::string(8, 'r')},
        {"redisson-3.17", "\x08" + std::string(8, 'r')},
        {"redisson-3.21", "\x10" + std::string(16, 'r')},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.generation);
        redis().command({"FLUSHALL"});
        java_limiter("java");
        redis().command({"SET", "{java}:value", "7"});
        java_grant("{java}:permits", row.head, 3, 1000);
        auto const info = json({"info", "java"});
        EXPECT_EQ(text_at(info, "generation"), row.generation);
        EXPECT_EQ(info.at("available").as_int64(), 7);
        EXPECT_EQ(info.at("grants").as_int64(), 1);
        EXPECT_EQ(text_at(info, "algorithm"), "sliding_log");
    }
    java_grant("{java}:permits", std::string(4, 'r'), 1, 500);
    EXPECT_EQ(text_at(json({"info", "java"}), "generation"), "mixed");
    redis().command({"DEL", "{java}:permits", "{java}:value"});
    EXPECT_EQ(text_at(json({"info", "java"}), "generation"), "redisson");
}

TEST_F(Info, sees_the_counter_of_the_oldest_redisson)
{
    java_limiter("java");
    redis().command({"SET", "{java}:value", "4", "PX", "1800000"});
    auto const info = json({"info", "java"});
    EXPECT_EQ(text_at(info, "generation"), "redisson-2.12");
    EXPECT_EQ(text_at(info, "algorithm"), "fixed_window");
    EXPECT_EQ(info.at("available").as_int64(), 4);
    EXPECT_GT(info.at("reset_after_ms").to_number<double>(), 1'000'000);
}

TEST_F(Info, does_not_count_what_has_expired)
{
    java_limiter("java");
    redis().command({"SET", "{java}:value", "2"});
    java_grant("{java}:permits", "\x10" + std::string(16, 'a'), 5, 7'200'000);
    java_grant("{java}:permits", "\x10" + std::string(16, 'b'), 3, 1000);
    auto const info = json({"info", "java"});
    EXPECT_EQ(info.at("available").as_int64(), 7);
    EXPECT_EQ(info.at("in_use").as_int64(), 3);
    EXPECT_EQ(redis().integer("ZCARD", "{java}:permits"), 2) << "looking changes nothing";
}

TEST_F(Info, shows_each_client_of_ours_and_of_java)
{
    ration({"set", "worker", "10/h", "--type", "per-client"});
    ration({"try", "worker", "4", "--client-id", "ours"});
    redis().command({"SET", "{worker}:value:java-id", "9"});
    java_grant("{worker}:permits:java-id", "\x10" + std::string(16, 'a'), 1, 1000);
    auto const info = json({"info", "worker"});
    EXPECT_EQ(info.at("available").as_int64(), 10) << "for one who comes anew";
    std::vector<std::string> clients;
    for (auto const& client : info.at("clients").as_array()) {
        clients.push_back(text_at(client.as_object(), "client") + " "
                          + std::to_string(client.as_object().at("available").as_int64()));
    }
    EXPECT_THAT(clients, UnorderedElementsAre("java-id 9", "ours 6"));
    EXPECT_EQ(json({"info", "worker", "--client-id", "ours"}).at("available").as_int64(), 6);
    EXPECT_THAT(ration({"info", "worker"}).out, HasSubstr("    java-id  9 of 10 free, next now\n"));
}

TEST_F(Info, what_is_no_limiter_is_a_data_error)
{
    redis().command({"SET", "text", "1"});
    redis().command({"HSET", "hash", "a", "1"});
    redis().command({"HSET", "odd", "rate", "many", "interval", "1000", "type", "0"});
    java_limiter("broken");
    redis().command({"ZADD", "{broken}:permits", "99999999999999", "??"});
    EXPECT_EQ(text_at(json({"info", "text"}, 3), "error"), "incompatible_data");
    EXPECT_EQ(text_at(json({"info", "hash"}, 3), "error"), "not_initialized");
    EXPECT_EQ(text_at(json({"info", "nothing"}, 3), "error"), "not_initialized");
    EXPECT_EQ(text_at(json({"info", "odd"}, 3), "error"), "incompatible_data");
    auto const broken = json({"info", "broken"}, 3);
    EXPECT_EQ(text_at(broken, "error"), "incompatible_data");
    EXPECT_THAT(text_at(broken, "message"), StartsWith("limiter \"broken\": "));
}

TEST_F(List, sees_limiters_only_and_says_how_many_keys_it_passed)
{
    ration({"set", "mail:a", "5/h"});
    ration({"set", "mail:b", "60/m;burst=10"});
    ration({"set", "worker", "5/h", "--type", "per-client"});
    java_limiter("java");
    redis().command({"HSET", "hash", "a", "1"});
    for (int i = 0; i < 3000; ++i) redis().command({"SET", "noise:" + std::to_string(i), "1"});

    auto const result = ration({"list"});
    EXPECT_EQ(result.exit, 0);
    auto const lines = lines_of(result.out);
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_EQ(lines[0], "LIMITER  RATE           ALGORITHM     TYPE        FREE  NEXT  EXPIRES  MEMORY");
    EXPECT_THAT(lines[1], StartsWith("java     10/h           sliding_log   overall       10  now   -"));
    EXPECT_THAT(lines[2], StartsWith("mail:a   5/h            sliding_log   overall        5  now   -"));
    EXPECT_THAT(lines[3], StartsWith("mail:b   60/m;burst=10  token_bucket  overall       10  now   -"));
    EXPECT_THAT(lines[4], StartsWith("worker   5/h            sliding_log   per-client     -  -     -"));
    EXPECT_EQ(result.err, "4 limiters, 3005 keys passed\n");

    auto const some = ration({"list", "mail:*"});
    EXPECT_EQ(lines_of(some.out).size(), 3U);
    EXPECT_EQ(some.err, "2 limiters match mail:*, 3005 keys passed\n");
    EXPECT_EQ(ration({"list", "nothing*"}).out, "");
}

TEST_F(List, prints_an_object_per_limiter)
{
    ration({"set", "a", "5/h"});
    ration({"set", "b", "5/h"});
    auto const result = ration({"list", "--json"});
    std::vector<std::string> names;
    for (auto const& object : objects_of(result.out)) {
        names.push_back(text_at(object, "limiter"));
        for (auto const* field :
             {"rate", "interval_ms", "type", "algorithm", "keep_alive_ms", "available", "ttl_ms"})
            EXPECT_TRUE(object.contains(field)) << field;
    }
    EXPECT_THAT(names, UnorderedElementsAre("a", "b"));
    EXPECT_EQ(object_of(result.err).at("limiters").as_int64(), 2);
    EXPECT_EQ(object_of(result.err).at("keys_passed").as_int64(), 2);
}

TEST_F(List, goes_on_where_one_limiter_is_broken)
{
    ration({"set", "good", "5/h"});
    java_limiter("broken");
    redis().command({"ZADD", "{broken}:permits", "99999999999999", "??"});
    auto const result = ration({"list"});
    EXPECT_EQ(result.exit, 0);
    EXPECT_THAT(result.out, HasSubstr("good"));
    EXPECT_THAT(result.err, HasSubstr("limiter \"broken\""));
}

TEST_F(Info, a_user_who_may_only_read_sees_what_he_may)
{
    redis_test::RedisServer own{{.tcp = true}};
    redis_test::RespClient client{own.socket_path()};
    auto const url = [&](char const* user) {
        return "redis://" + std::string{user} + ":pw@127.0.0.1:" + std::to_string(own.tcp_port());
    };
    client.command({"ACL", "SETUSER", "reader", "on", ">pw", "~*", "+@read", "+@connection"});
    client.command({"ACL", "SETUSER", "little", "on", ">pw", "%R~*", "+@connection", "+hmget", "+get",
                    "+pttl", "+zcard", "+zcount", "+zrange", "+scan", "+time"});
    run({"set", "mail", "5/h"}, {{"RATION_STORE", own.unix_url()}});
    run({"try", "mail", "2"}, {{"RATION_STORE", own.unix_url()}});

    auto const reader = run({"info", "mail", "--json"}, {{"RATION_STORE", url("reader")}});
    EXPECT_EQ(reader.exit, 0) << reader.err;
    EXPECT_EQ(object_of(reader.out).at("available").as_int64(), 3);
    EXPECT_FALSE(object_of(reader.out).at("memory_bytes").is_null());
    EXPECT_THAT(reader.err, HasSubstr("TIME")) << "it says what is missing";

    auto const little = run({"info", "mail"}, {{"RATION_STORE", url("little")}});
    EXPECT_EQ(little.exit, 0) << little.err;
    EXPECT_THAT(little.out, HasSubstr("  free now      3 of 5\n"));
    EXPECT_THAT(little.out, Not(HasSubstr("memory")));
    EXPECT_EQ(little.err, "ration: this user may not see its memory (MEMORY USAGE)\n");
    auto const list = run({"list"}, {{"RATION_STORE", url("little")}});
    EXPECT_EQ(list.exit, 0) << list.err;
    EXPECT_THAT(list.out, HasSubstr("mail"));

    auto const denied = run({"try", "mail", "--json"}, {{"RATION_STORE", url("reader")}});
    EXPECT_EQ(denied.exit, 3);
    EXPECT_EQ(text_at(object_of(denied.err), "error"), "access_denied");
    EXPECT_THAT(denied.err, Not(HasSubstr("pw")));
}

}  // namespace
}  // namespace ration::cli_test
