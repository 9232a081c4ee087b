// Arguments, texts and JSON of the ration command.

#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/output.hpp"
#include "cli/row.hpp"
#include "cli/text.hpp"

#include <gtest/gtest.h>

namespace ration::cli {
namespace {

using namespace std::chrono_literals;

TEST(Arguments, counts_are_whole_numbers_within_bounds)
{
    EXPECT_EQ(parse_count("--n", "1", 1, 10), 1);
    EXPECT_EQ(parse_count("--n", "10", 1, 10), 10);
    for (char const* const text :
         {"", "0", "11", "-1", "+1", " 1", "1 ", "1.0", "0x1", "ten", "9223372036854775808"}) {
        EXPECT_THROW(parse_count("--n", text, 1, 10), UsageError) << text;
    }
}

TEST(Arguments, spans_have_a_number_and_a_unit)
{
    EXPECT_EQ(parse_span("--d", "1ms", 1h), 1ms);
    EXPECT_EQ(parse_span("--d", "10s", 1h), 10s);
    EXPECT_EQ(parse_span("--d", "2m", 1h), 2min);
    EXPECT_EQ(parse_span("--d", "1h", 1h), 1h);
    for (char const* const text :
         {"", "s", "1", "0s", "-1s", "1 s", "1S", "1days", "61m", "99999999999999999999s"}) {
        EXPECT_THROW(parse_span("--d", text, 1h), UsageError) << text;
    }
}

TEST(Arguments, algorithms_are_named_as_in_the_api)
{
    EXPECT_EQ(parse_algorithm("--a", "token_bucket"), Algorithm::token_bucket);
    EXPECT_THROW(parse_algorithm("--a", "Token_Bucket"), UsageError);
    EXPECT_THROW(parse_algorithm("--a", ""), UsageError);
}

TEST(Text, of_spans)
{
    EXPECT_EQ(seconds_text(0us), "0.000s");
    EXPECT_EQ(seconds_text(999'499us), "0.999s");
    EXPECT_EQ(seconds_text(999'500us), "1.000s");
    EXPECT_EQ(seconds_text(1h), "3600.000s");
    EXPECT_EQ(span_text(0us), "0s");
    EXPECT_EQ(span_text(1500ms), "1500ms");
    EXPECT_EQ(span_text(90s), "90s");
    EXPECT_EQ(span_text(60s), "1min");
    EXPECT_EQ(span_text(48h), "48h");
    EXPECT_EQ(span_text(1001us), "1001us");
}

TEST(Text, of_numbers_and_waits)
{
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1 000");
    EXPECT_EQ(grouped(-123), "-123");
    EXPECT_EQ(grouped(-1234567), "-1 234 567");
    EXPECT_EQ(wait_text(512ms), "0.512s");
    EXPECT_EQ(wait_text(9999ms), "9.999s");
    EXPECT_EQ(wait_text(59'901ms), "60.0s");
    EXPECT_EQ(wait_text(90s), "1min 30s");
    EXPECT_EQ(wait_text(2h), "2h");
    EXPECT_EQ(wait_text(49h), "2d 1h");
}

TEST(Text, knows_utf8)
{
    EXPECT_EQ(utf8_size("a"), 1U);
    EXPECT_EQ(utf8_size("é"), 2U);
    EXPECT_EQ(utf8_size("●"), 3U);
    EXPECT_EQ(utf8_size("\xf0\x9f\x98\x80"), 4U);
    for (char const* const bad :
         {"\x80", "\xc0\xaf", "\xc3", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"})
        EXPECT_EQ(utf8_size(bad), 0U) << bad;
    EXPECT_EQ(printable("mail:ü"), "mail:ü");
    EXPECT_EQ(printable("a\x1b[31mb"), "\"a\\x1B[31mb\"");
    EXPECT_EQ(printable(""), "\"\"");
    EXPECT_EQ(left_aligned("ü", 3), "ü  ");
    EXPECT_EQ(right_aligned("ü", 3), "  ü");
}

TEST(Json, is_one_line_whatever_the_text)
{
    EXPECT_EQ(JsonLine{}.text(), "{}");
    EXPECT_EQ(JsonLine{}.add("a", 1).add("b", true).add("c", "x\"\\\n\x01").text(),
              R"({"a":1,"b":true,"c":"x\"\\\u000a\u0001"})");
    EXPECT_EQ(JsonLine{}.add("bytes", "\xff\xc3\xa9\x7f").add_null("n").text(),
              "{\"bytes\":\"\\u00ff\xc3\xa9\\u007f\",\"n\":null}");
    EXPECT_EQ(JsonLine{}.add("list", std::vector{JsonLine{}.add("a", 1), JsonLine{}}).text(),
              R"({"list":[{"a":1},{}]})");
    EXPECT_EQ(JsonLine{}.add_ms("ms", 1000us).add_ms("us", 1us).add_ms("both", 999'500us).text(),
              R"({"ms":1,"us":0.001,"both":999.5})");
}

TEST(Row, cuts_what_does_not_fit)
{
    Row row{5};
    EXPECT_EQ(row.put(3, "abc"), 6);
    row.put(-1, "xy");
    EXPECT_EQ(row.text(false), "y  ab");
    EXPECT_EQ(Row{0}.text(true), "");
    EXPECT_EQ(Row{-3}.text(true), "");
}

TEST(Row, counts_characters_not_bytes)
{
    Row row{3};
    EXPECT_EQ(row.put(0, "●·●", Style::good), 3);
    EXPECT_EQ(row.text(true), "\x1b[1;32m●·●\x1b[0m");
}

}  // namespace
}  // namespace ration::cli
