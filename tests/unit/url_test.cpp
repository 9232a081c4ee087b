#include "core/ipv6.hpp"
#include "core/url.hpp"

#include <ration/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ration::core {
namespace {

using Kind = StoreUrl::Kind;
using testing::HasSubstr;
using testing::Not;

TEST(StoreUrl, Reads)
{
    struct Row {
        char const* what;
        char const* text;
        StoreUrl url;
        char const* full;  // what to_string shows
    };
    Row const rows[] = {
        {"a store of one's own", "memory:", {}, "memory:"},
        {"a store to share", "memory:tests", {.name = "tests"}, "memory:tests"},
        {"a name with anything printable", "memory:a:b/c%20@d", {.name = "a:b/c%20@d"}, "memory:a:b/c%20@d"},
        {"just a host",
         "redis://localhost",
         {.kind = Kind::redis, .host = "localhost"},
         "redis://localhost:6379/0"},
        {"an empty database is the first",
         "redis://h/",
         {.kind = Kind::redis, .host = "h"},
         "redis://h:6379/0"},
        {"a port", "redis://h:7000", {.kind = Kind::redis, .host = "h", .port = 7000}, "redis://h:7000/0"},
        {"the last port and database",
         "redis://h:65535/2147483647",
         {.kind = Kind::redis, .host = "h", .port = 65535, .db = 2147483647},
         "redis://h:65535/2147483647"},
        {"TLS", "rediss://h", {.kind = Kind::redis, .tls = true, .host = "h"}, "rediss://h:6379/0"},
        {"schemes know no case", "REDIS://h", {.kind = Kind::redis, .host = "h"}, "redis://h:6379/0"},
        {"user and password",
         "redis://app:secret@h/3",
         {.kind = Kind::redis, .user = "app", .password = "secret", .host = "h", .db = 3},
         "redis://app:***@h:6379/3"},
        {"password alone",
         "redis://:secret@h",
         {.kind = Kind::redis, .password = "secret", .host = "h"},
         "redis://:***@h:6379/0"},
        {"a user who needs no password, or a password whose colon was forgotten",
         "redis://app@h",
         {.kind = Kind::redis, .user = "app", .host = "h"},
         "redis://***@h:6379/0"},
        {"encoded and with colons",
         "redis://a%40b:p%2F%3a:x%25@h",
         {.kind = Kind::redis, .user = "a@b", .password = "p/::x%", .host = "h"},
         "redis://a%40b:***@h:6379/0"},
        {"IPv4",
         "redis://127.0.0.1:1",
         {.kind = Kind::redis, .host = "127.0.0.1", .port = 1},
         "redis://127.0.0.1:1/0"},
        {"IPv6", "redis://[::1]", {.kind = Kind::redis, .host = "::1"}, "redis://[::1]:6379/0"},
        {"IPv6 with all",
         "rediss://u:p@[2001:db8::7]:6380/1",
         {.kind = Kind::redis,
          .tls = true,
          .user = "u",
          .password = "p",
          .host = "2001:db8::7",
          .port = 6380,
          .db = 1},
         "rediss://u:***@[2001:db8::7]:6380/1"},
        {"a socket",
         "unix:/run/r.sock",
         {.kind = Kind::unix_socket, .path = "/run/r.sock"},
         "unix:/run/r.sock"},
        {"a socket as others write it",
         "unix:///r.sock",
         {.kind = Kind::unix_socket, .path = "/r.sock"},
         "unix:/r.sock"},
        {"a socket and a database",
         "unix:/r.sock?db=5",
         {.kind = Kind::unix_socket, .path = "/r.sock", .db = 5},
         "unix:/r.sock?db=5"},
        {"a path with a space and a question mark",
         "unix:/my%20r%3F.sock",
         {.kind = Kind::unix_socket, .path = "/my r?.sock"},
         "unix:/my%20r%3F.sock"},
        {"a path that begins with two slashes is no host",
         "unix:/%2Fr.sock",
         {.kind = Kind::unix_socket, .path = "//r.sock"},
         "unix:////r.sock"},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.what);
        auto const url = parse_store_url(row.text);
        EXPECT_EQ(url, row.url);
        EXPECT_EQ(to_string(url), row.full);
        if (url.user.empty() && url.password.empty()) {
            EXPECT_EQ(parse_store_url(row.full), url);
        }
    }
}

std::string error_of(std::string_view text)
{
    try {
        return "no error: " + to_string(parse_store_url(text));
    } catch (Error const& error) {
        EXPECT_EQ(error.code(), Errc::invalid_argument);
        return error.what();
    }
}

TEST(StoreUrl, SaysWhatIsWrongAndWhere)
{
    struct Row {
        std::string text;
        char const* problem;
    };
    using namespace std::string_literals;
    Row const rows[] = {
        {"", "character 1: it is empty; begin with memory:, redis://, rediss:// or unix:/"},
        {"localhost", "character 1: unknown scheme"},
        {"localhost:6379", "character 1: unknown scheme"},
        {"http://localhost", "character 1: unknown scheme"},
        {"memory", "character 1: unknown scheme"},
        {"memory://x", "character 8: unexpected \"//\"; write memory: or memory:NAME"},
        {"memory:" + std::string(1025, 'x'), "character 8: the name is longer than 1024 bytes"},
        {"memory:a b", "character 9: a space"},
        {"memory:a\nb", "character 9: a control character"},
        {"memory:a\0b"s, "character 9: a control character"},
        {" redis://h", "character 1: a space"},
        {"redis:h", "character 7: expected \"//\"; write redis://[user[:password]@]host[:port][/db]"},
        {"redis://", "character 9: the host is missing"},
        {"redis:///0", "character 9: the host is missing"},
        {"redis://:6379", "character 9: the host is missing"},
        {"redis://u:p@", "character 13: the host is missing"},
        {"redis://h:", "character 11: the port is not a number from 1 to 65535"},
        {"redis://h:0", "character 11: the port is not a number"},
        {"redis://h:65536", "character 11: the port is not a number"},
        {"redis://h:-1", "character 11: the port is not a number"},
        {"redis://h:06379", "character 11: the port is not a number"},
        {"redis://h:99999999999999999999", "character 11: the port is not a number"},
        {"redis://::1", "character 10: more than one \":\"; write an IPv6 address in brackets"},
        {"redis://fe80::1:6379", "character 14: more than one \":\"; write an IPv6 address in brackets"},
        {"redis://[::1", "character 9: not an IPv6 address in brackets"},
        {"redis://[]", "character 9: not an IPv6 address in brackets"},
        {"redis://[1.2.3.4]", "character 9: not an IPv6 address in brackets"},
        {"redis://[::1]6379", "character 14: expected a port or the end after the bracket"},
        {"redis://h$", "character 10: a character that no host name has"},
        {"redis://" + std::string(254, 'h'), "character 9: the host is longer than 253 characters"},
        {"redis://h/x", "character 11: the database is not a number from 0 to 2147483647"},
        {"redis://h/-1", "character 11: the database is not a number"},
        {"redis://h/2147483648", "character 11: the database is not a number"},
        {"redis://h/0/", "character 11: the database is not a number"},
        {"redis://h?db=1", "character 10: expected /db or the end"},
        {"redis://h#x", "character 10: expected /db or the end"},
        {"redis://u:a@b@h", "character 12: a character that must be encoded in the user or password"},
        {"redis://u:a/b@h", "character 12: a character that must be encoded in the user or password"},
        {"redis://u:%4@h", "character 11: \"%\" is not followed by two hex digits"},
        {"redis://u:%zz@h", "character 11: \"%\" is not followed by two hex digits"},
        {"redis://u:%@h", "character 11: \"%\" is not followed by two hex digits"},
        {"unix:", "character 6: expected an absolute path; write unix:/path?db=0"},
        {"unix:r.sock", "character 6: expected an absolute path"},
        {"unix://run/r.sock", "character 8: a host has no place in a unix: URL"},
        {"unix:/r.sock?", "character 13: expected ?db=n or the end"},
        {"unix:/r.sock?db=", "character 17: the database is not a number"},
        {"unix:/r.sock?timeout=1", "character 13: expected ?db=n or the end"},
        {"unix:/r%00", "character 6: a zero byte in the path"},
        {"unix:/" + std::string(107, 'x'), "character 6: the path is longer than 107 bytes"},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.text);
        EXPECT_THAT(error_of(row.text), testing::StartsWith("store URL, "));
        EXPECT_THAT(error_of(row.text), HasSubstr(row.problem));
    }
}

TEST(StoreUrl, KnowsIpv6)
{
    for (char const* const good : {"::", "::1", "1::", "fe80::1", "2001:db8:0:0:0:0:0:7", "2001:DB8::7",
                                   "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "::ffff:192.0.2.1",
                                   "64:ff9b::255.0.0.9", "1:2:3:4:5:6:7.8.9.10"}) {
        EXPECT_TRUE(is_ipv6(good)) << good;
    }
    for (char const* const bad : {"",
                                  ":",
                                  ":::",
                                  "1",
                                  "1:2",
                                  "1.2.3.4",
                                  "1:2:3:4:5:6:7",
                                  "1:2:3:4:5:6:7:8:9",
                                  "1::2::3",
                                  "1:2:3:4:5:6:7:8::",
                                  "::12345",
                                  "::g",
                                  ":1::",
                                  "1::2:",
                                  "::1.2.3",
                                  "::1.2.3.4.5",
                                  "::256.0.0.1",
                                  "::01.2.3.4",
                                  "1.2.3.4::",
                                  "1:2:3:4:5:6:7:1.2.3.4",
                                  "fe80::1%eth0",
                                  "::1 "}) {
        EXPECT_FALSE(is_ipv6(bad)) << bad;
    }
}

TEST(StoreUrl, NoErrorRevealsAPassword)
{
    for (char const* const text : {
             "redis://u:hunter2",              // the host was forgotten
             "redis://u:hunter2/0",            // so was it here
             "redis://:hunter2",               //
             "redis:u:hunter2@h",              // the slashes were forgotten
             "redis://u:hunter2@",             //
             "redis://u:hunter2@h:x",          // something else is wrong
             "redis://u:hunter2@h/x",          //
             "redis://u:hunter2@@h",           //
             "redis://u:@hunter2@h",           //
             "redis://u:/hunter2@h",           //
             "redis://u:?hunter2@h/0",         //
             "redis://u:#hunter2@h/0",         //
             "redis://u:%hunter2@h",           //
             "redis://u:%2hunter2@h",          //
             "redis://u:[hunter2]@h",          //
             "redis://[hunter2]",              //
             "redis://u:hunter2 @h",           //
             "redis://u:hunter2@h h",          //
             "redis://u:hunter2\n@h",          //
             "rediss://u:/hunter2",            //
             "u:hunter2@h",                    // no scheme
             "hunter2:x@h",                    //
             "hunter2://h",                    //
             "hunter2",                        //
             "unix://u:hunter2@/run/r.sock",   //
             "unix:/r.sock?password=hunter2",  //
             "memory://u:hunter2@h",           //
         }) {
        SCOPED_TRACE(text);
        EXPECT_THAT(error_of(text), testing::StartsWith("store URL, "));
        EXPECT_THAT(error_of(text), Not(HasSubstr("hunter2")));
    }
}

TEST(StoreUrl, WritingHidesThePassword)
{
    for (char const* const text : {"redis://u:hunter2@h", "rediss://:hunter2@[::1]:1/2"}) {
        EXPECT_THAT(to_string(parse_store_url(text)), Not(HasSubstr("hunter2")));
        EXPECT_THAT(to_string(parse_store_url(text)), HasSubstr(":***@"));
    }
}

}  // namespace
}  // namespace ration::core
