#include <ration/decision.hpp>
#include <ration/error.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
#include <gtest/gtest.h>

#include <set>
#include <type_traits>

namespace ration {
namespace {

static_assert(std::is_nothrow_copy_constructible_v<Error>, "copying an exception must not throw");
static_assert(std::is_convertible_v<Errc, std::error_code>);
static_assert(std::is_convertible_v<Errc, boost::system::error_code>);

TEST(Error, SaysExactlyItsSentence)
{
    Error const error{Errc::queue_full, "limiter \"mail\": 1000 requests wait already"};
    EXPECT_STREQ(error.what(), "limiter \"mail\": 1000 requests wait already");
    EXPECT_EQ(error.code(), Errc::queue_full);

    auto const copy = error;
    EXPECT_STREQ(copy.what(), error.what());

    try {
        throw Error{error};
    } catch (std::system_error const& caught) {
        EXPECT_STREQ(caught.what(), error.what());
        EXPECT_EQ(caught.code().category().name(), std::string{"ration"});
    }
}

TEST(Errc, EveryOneHasAMessageOfItsOwn)
{
    std::set<std::string> messages;
    constexpr int first = static_cast<int>(Errc::permits_exceed_rate);
    constexpr int last = static_cast<int>(Errc::access_denied);
    for (int value = first; value <= last; ++value) messages.insert(error_category().message(value));
    EXPECT_EQ(messages.size(), static_cast<std::size_t>(last - first + 1));
    for (auto const& message : messages) EXPECT_EQ(message.find("unknown"), std::string::npos) << message;
    EXPECT_EQ(error_category().message(0), "unknown ration error 0") << "0 is success and belongs to nobody";
    EXPECT_EQ(error_category().message(999), "unknown ration error 999");
}

TEST(Errc, EveryOneHasANameOfItsOwn)
{
    std::set<std::string_view> names;
    constexpr int last = static_cast<int>(Errc::access_denied);
    for (int value = 1; value <= last; ++value) names.insert(to_string(static_cast<Errc>(value)));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(last));
    EXPECT_FALSE(names.contains("unknown"));
    EXPECT_EQ(to_string(Errc::store_unavailable), "store_unavailable");
    EXPECT_EQ(to_string(static_cast<Errc>(999)), "unknown");
}

TEST(Errc, TwoSpeakTheStandardLanguage)
{
    EXPECT_EQ(make_error_code(Errc::cancelled), std::errc::operation_canceled);
    EXPECT_EQ(make_error_code(Errc::invalid_argument), std::errc::invalid_argument);
    EXPECT_NE(make_error_code(Errc::queue_full), std::errc::operation_canceled);
}

TEST(Errc, WorksWithBothErrorCodes)
{
    std::error_code const plain = Errc::queue_full;
    boost::system::error_code const boost_code = Errc::queue_full;
    EXPECT_TRUE(plain && boost_code.failed());
    EXPECT_EQ(plain, Errc::queue_full);
    EXPECT_EQ(boost_code, Errc::queue_full);
    EXPECT_EQ(Errc::queue_full, boost_code);
    EXPECT_NE(boost_code, Errc::client_closed);
    EXPECT_NE(boost_code, boost::system::error_code{});
    EXPECT_EQ(std::error_code{boost_code}, plain) << "the way through Boost and back changes nothing";
    EXPECT_EQ(boost_code.message(), plain.message());

    boost::system::error_code assigned;
    assigned = Errc::cancelled;
    EXPECT_EQ(assigned, Errc::cancelled);
    EXPECT_EQ(assigned, std::errc::operation_canceled);

    boost::system::system_error const thrown{boost_code};
    EXPECT_EQ(thrown.code(), Errc::queue_full);
}

TEST(Names, AreWhatTheCommandLineWrites)
{
    EXPECT_EQ(to_string(RateType::overall), "overall");
    EXPECT_EQ(to_string(RateType::per_client), "per-client");
    EXPECT_EQ(to_string(Algorithm::sliding_log), "sliding_log");
    EXPECT_EQ(to_string(Algorithm::fixed_window), "fixed_window");
    EXPECT_EQ(to_string(Algorithm::calendar_window), "calendar_window");
    EXPECT_EQ(to_string(Algorithm::token_bucket), "token_bucket");
    EXPECT_EQ(to_string(Basis::store), "store");
    EXPECT_EQ(to_string(Basis::local_fallback), "local_fallback");
    EXPECT_EQ(to_string(Basis::fail_open), "fail_open");
    EXPECT_EQ(to_string(Basis::fail_closed), "fail_closed");
    EXPECT_EQ(to_string(static_cast<Basis>(99)), "unknown");
}

}  // namespace
}  // namespace ration
