// A crowd that does not wait has two calls out, with half of it each (rule 2 of docs/request-queue.md). Here it always does;
// whether it is worth it, is another matter: overlap_test.

#include "core/request_queue.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ration::core {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t half = 32;
constexpr Permits plenty = 1000;

class Crowd : public testing::Test {
protected:
    Request& join(bool patient = false, std::optional<Algorithm> expected = {})
    {
        Request& request = requests.emplace_back();
        request.patient = patient;
        request.expected = expected;
        queue.join(request, now);
        return request;
    }

    void join_all(std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i) join();
    }

    /// The size of the call that leaves now, as "0: 32" if its number is 0; else what else is to be done.
    std::string next()
    {
        auto const action = queue.next(now);
        if (auto const* call = std::get_if<RequestQueue::Call>(&action)) {
            std::size_t size = 0;
            for (core::Run const& run : call->batch.runs) size += run.count;
            sizes[call->number] = size;
            return std::to_string(call->number) + ": " + std::to_string(size);
        }
        if (std::holds_alternative<RequestQueue::Turn>(action)) {
            queue.turned();
            return next();
        }
        return std::holds_alternative<RequestQueue::Wait>(action) ? "wait" : "nothing";
    }

    /// All in the call are granted, or only the first so many evaluated.
    void answer(std::size_t call, std::optional<std::size_t> evaluated = {})
    {
        Outcome granted;
        granted.decision.granted = true;
        queue.answered({std::vector<Outcome>(evaluated.value_or(sizes.at(call)), granted), plenty}, now,
                       call);
    }

    /// How many were completed since the last time, with that error or none.
    std::size_t completed(std::optional<Errc> error = {})
    {
        std::vector<RequestQueue::Completion> all;
        queue.take_completed(all);
        for (auto const& [request, outcome] : all) {
            EXPECT_EQ(outcome.error, error);
            EXPECT_TRUE(done.emplace(request, outcome).second) << "completed twice";
        }
        return all.size();
    }

    void send_both_halves()
    {
        join_all(2 * half);
        ASSERT_EQ(next(), "0: 32");
        ASSERT_EQ(next(), "1: 32");
        ASSERT_EQ(next(), "nothing") << "no third";
    }

    RequestQueue queue{1, Overlap::always()};
    Time now{1h};
    std::deque<Request> requests;
    std::map<std::size_t, std::size_t> sizes;
    std::map<Request const*, Outcome> done;
};

TEST_F(Crowd, GoesInTwoHalves)
{
    send_both_halves();
    for (int round = 0; round < 5; ++round) {
        for (std::size_t call : {0u, 1u}) {
            answer(call);
            EXPECT_EQ(completed(), half);
            join_all(half);
            EXPECT_EQ(next(), std::to_string(call) + ": 32") << "while the other is out";
            EXPECT_EQ(next(), "nothing");
        }
    }
}

TEST_F(Crowd, IsNotAFew)
{
    join_all(2 * RequestQueue::min_half - 1);
    EXPECT_EQ(next(), "0: 31");
    join_all(RequestQueue::min_half - 1);
    EXPECT_EQ(next(), "nothing") << "a handful is better off with those who come next";
    join();
    EXPECT_EQ(next(), "1: 16");
}

TEST_F(Crowd, DoesNotFollowACallThatIsMuchLarger)
{
    join_all(400);
    EXPECT_EQ(next(), "0: 200");
    EXPECT_EQ(next(), "1: 200");
    answer(1);
    EXPECT_EQ(completed(), 200u);
    join_all(99);
    EXPECT_EQ(next(), "nothing");
    join();
    EXPECT_EQ(next(), "1: 100");
}

TEST_F(Crowd, TakesNoMoreThanAFullCallEach)
{
    join_all(3 * RequestQueue::max_batch);
    EXPECT_EQ(next(), "0: 512");
    EXPECT_EQ(next(), "1: 512");
    EXPECT_EQ(next(), "nothing");
}

TEST_F(Crowd, IsOneCallWhileSomebodyWaits)
{
    join_all(2 * half);
    join(true);
    EXPECT_EQ(next(), "0: 65") << "nobody may be served past him";
    EXPECT_EQ(next(), "nothing");
    answer(0);
    EXPECT_EQ(completed(), 65u);
}

TEST_F(Crowd, LetsWhoWaitsGoAloneWhenBothAreBack)
{
    send_both_halves();
    Request const& patient = join(true);
    join_all(half);
    EXPECT_EQ(next(), "nothing");
    answer(0);
    EXPECT_EQ(next(), "nothing") << "the other half may still take what he waits for";
    answer(1);
    EXPECT_EQ(completed(), 2 * half);
    EXPECT_EQ(next(), "0: 33");
    answer(0);
    EXPECT_EQ(completed(), half + 1);
    EXPECT_TRUE(done.at(&patient).decision.granted);
}

TEST_F(Crowd, IsAnsweredInAnyOrder)
{
    send_both_halves();
    answer(1);
    EXPECT_EQ(completed(), half);
    for (std::size_t i = 0; i < half; ++i) {
        EXPECT_FALSE(done.contains(&requests[i]));
        EXPECT_TRUE(done.contains(&requests[half + i]));
    }
    join_all(half);
    EXPECT_EQ(next(), "1: 32");
    answer(0);
    EXPECT_EQ(completed(), half);
    EXPECT_TRUE(done.contains(&requests.front()));
    EXPECT_EQ(queue.size(), half);
}

TEST_F(Crowd, IsAskedForAgainWhereAnAnswerStopsEarly)
{
    send_both_halves();
    answer(0, 12);
    EXPECT_EQ(completed(), 12u);
    EXPECT_EQ(next(), "0: 20") << "those in front of the other call, and only they";
    answer(1);
    answer(0);
    EXPECT_EQ(completed(), half + 20);
    EXPECT_EQ(queue.size(), 0u);
}

TEST_F(Crowd, LosesOneCallAndKeepsTheOther)
{
    send_both_halves();
    queue.lost(now, nullptr, 0);
    EXPECT_EQ(completed(Errc::outcome_unknown), half);
    answer(1);
    EXPECT_EQ(completed(), half);

    send_both_halves();
    queue.failed(Errc::store_unavailable, now, nullptr, 1);
    EXPECT_EQ(completed(Errc::store_unavailable), half);
    answer(0);
    EXPECT_EQ(completed(), half);
    EXPECT_EQ(queue.size(), 0u);
}

TEST_F(Crowd, CanBeCancelledInEitherCall)
{
    send_both_halves();
    queue.cancel(requests[3]);
    queue.cancel(requests[half + 3]);
    EXPECT_EQ(completed(), 0u) << "the answer decides";
    answer(1);
    answer(0);
    EXPECT_EQ(completed(), 2 * half);
    EXPECT_TRUE(done.at(&requests[3]).decision.granted);
}

TEST_F(Crowd, MayTakeTheLimiterForDifferentThings)
{
    for (std::size_t i = 0; i < half; ++i) join(false, Algorithm::sliding_log);
    for (std::size_t i = 0; i < half; ++i) join(false, Algorithm::token_bucket);
    EXPECT_EQ(next(), "0: 32");
    EXPECT_EQ(next(), "1: 32");
}

TEST_F(Crowd, EndsAtOnce)
{
    send_both_halves();
    queue.end(Errc::client_closed);
    EXPECT_EQ(completed(Errc::client_closed), 2 * half);
    answer(0);
    answer(1);
    EXPECT_EQ(completed(), 0u);
    EXPECT_EQ(next(), "nothing");
}

}  // namespace
}  // namespace ration::core
