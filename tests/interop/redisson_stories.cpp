// One row for each test of RedissonRateLimiterTest, under its name. Time stands still and is moved, so what Redisson's tests sleep
// through is one step here, and intervals are short where a Java call has to wait for its next attempt in real time.

#include "interop/redisson_stories.hpp"

namespace ration::interop {

namespace {

using Steps = std::vector<Step>;

Steps operator+(Steps left, Steps const& right)
{
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

Steps operator*(int times, Step const& step)
{
    return Steps(static_cast<std::size_t>(times), step);
}

Step const now_true{"try lim 1", "true"};
Step const now_false{"try lim 1", "false"};

Steps release_story(std::string const& type)
{
    return {{"set lim 10 5000 " + type, ""}, {"try lim 3", "true"},
            {"available lim", "7"},          {"release lim 3", ""},
            {"available lim", "10"},         {"release lim 10", ""},
            {"available lim", "10"},         {"release lim 0", "", "error invalid_argument"},
            {"available lim", "10"},         {"release lim -1", "error invalid_argument"}};
}

Steps change_rate_story(std::string const& type)
{
    return {{"set lim 10 5000 " + type, ""}, {"acquire lim 1", ""}, {"available lim", "9"},
            {"set lim 20 5000 " + type, ""}, {"acquire lim 1", ""}, {"available lim", "19"},
            {"delete lim", "true"}};
}

}  // namespace

std::vector<Story> const& redisson_stories()
{
    static std::vector<Story> const stories{
        {"1",
         "testKeepAliveTime",
         {{"try-set lim 1 1000 0 1000", "true"},
          {"advance 1101"},
          {"exists lim", "false"},
          {"try-set lim 10 2000 0 2000", "true"},
          {"advance 1000"},
          {"try lim 1", "true"},
          {"time-to-live lim", "2000"}}},
        {"2",
         "testExpire2",
         {{"try-set lim 5 5000 0", "true"},
          {"expire lim 10000", "true"},
          {"acquire lim 1", ""},
          {"advance 12000"},
          {"keys", "0"}}},
        {"3",
         "testRateValue",
         {{"set lim 10 300 0", ""},
          {"start 25 acquire lim 1"},
          {"done", "10"},
          {"permits", "10"},
          {"advance 300"},
          {"done", "20"},
          {"permits", "10"},
          {"advance 300"},
          {"done", "25"}},
         "Redisson stores one member for each caller, ration one for each call, which may combine several; "
         "the permits are "
         "the same"},
        {"4",
         "testExpire",
         {{"try-set lim 2 5000 0", "true"},
          now_true,
          {"expire lim 1000", "true"},
          {"advance 1100"},
          {"keys", "0"}}},
        {"5",
         "testAcquisitionInterval",
         {{"try-set lim 2 5000 0", "true"},
          now_true,
          {"advance 4000"},
          now_true,
          {"advance 1050"},
          now_true,
          now_false}},
        {"6", "testRateConfig", {{"try-set lim 1 5000 0", "true"}, {"config lim", "1 5000 0"}}},
        {"7",
         "testAvailablePermits",
         {{"try-set lim 10 5000 0", "true"},
          {"available lim", "10"},
          {"acquire lim 1", ""},
          {"available lim", "9"},
          {"advance 6000"},
          {"available lim", "10"}}},
        {"8",
         "testUpdateRateConfig",
         {{"try-set lim 1 5000 0", "true"},
          {"config lim", "1 5000 0"},
          {"set lim 2 5000 0", ""},
          {"config lim", "2 5000 0"}}},
        {"9",
         "testPermitsExceeding",
         {{"try-set lim 1 1000 1", "true"}, {"try lim 20", "error permits_exceed_rate"}, now_true}},
        {"10", "testZeroTimeout",
         Steps{{"try-set lim 5 1000 0", "true"}, {"available lim", "5"}} + 2 * Step{"try-for lim 1 0", "true"}
             + Steps{{"available lim", "3"}} + 2 * Step{"try-for lim 1 0", "true"}
             + Steps{{"available lim", "1"}} + Steps{{"try-for lim 1 0", "true"}, {"available lim", "0"}}
             + 5 * Step{"try-for lim 1 0", "false"} + Steps{{"advance 1000"}}
             + 5 * Step{"try-for lim 1 0", "true"} + 5 * Step{"try-for lim 1 0", "false"}},
        {"11",
         "testTryAcquire",
         {{"try-set lim 1 5000 0", "true"},
          {"try-for lim 1 1000", "true"},
          {"try-for lim 1 1000", "false"},
          now_false},
         "ration says no at once when the permits will come too late; Redisson waits until the timeout is "
         "over"},
        {"12",
         "testAcquire",
         {{"try-set lim 1 100 0", "true"},
          {"start 5 acquire lim 1"},
          {"done", "1"},
          {"advance 100"},
          {"done", "2"},
          {"advance 100"},
          {"done", "3"},
          {"advance 100"},
          {"done", "4"},
          {"advance 100"},
          {"done", "5"},
          now_false}},
        {"13", "test",
         Steps{{"try-set lim 10 1000 0", "true"}, {"try-set lim 20 1000 0", "false"}} + 10 * now_true
             + 10 * now_false + Steps{{"advance 1050"}} + 10 * now_true + 10 * now_false
             + Steps{{"advance 1050"}} + 10 * now_true + 10 * now_false},
        {"14",
         "testRemove",
         {{"delete lim", "false"},
          {"try-set lim 5 5000 0", "true"},
          {"keys", "1"},
          now_true,
          {"delete lim", "true"},
          {"keys", "0"}}},
        {"15",
         "testConcurrency2",
         {{"try-set lim 18 300 0", "true"},
          {"start 40 acquire lim 1"},
          {"done", "18"},
          {"advance 299"},
          {"permits", "18"},
          {"advance 1"},
          {"done", "36"},
          {"advance 300"},
          {"done", "40"}}},
        {"16",
         "testConcurrency",
         {{"try-set lim 10 300 0", "true"},
          {"start 30 try-for lim 1 50000"},
          {"done", "10"},
          {"permits", "10"},
          {"advance 300"},
          {"done", "20"},
          {"advance 300"},
          {"done", "30"}}},
        {"17", "testChangeRate", change_rate_story("1") + change_rate_story("0")},
        {"18",
         "testSetStateArgs",
         {{"set-args lim 10 1000 0 0 1", ""},
          {"try lim 3", "true"},
          {"available lim", "7"},
          {"advance 1100"},
          {"try lim 3", "true"},
          {"available lim", "7"}}},
        {"19",
         "testSetStateArgsKeepState",
         {{"set lim 10 5000 0", ""},
          {"try lim 3", "true"},
          {"set-args lim 20 5000 0 0 1", ""},
          {"available lim", "17"}}},
        {"20",
         "testSetStateArgsNotKeepState",
         {{"set lim 10 5000 0", ""},
          {"try lim 3", "true"},
          {"set-args lim 20 5000 0 0 0", ""},
          {"available lim", "20"}}},
        {"21",
         "testUpdateRateNonExisting",
         {{"update lim 10 5000 0 0 1", "false"},
          {"update lim 10 5000 1 0 1", "false"},
          {"exists lim", "false"}}},
        {"22",
         "testUpdateRateKeepsState",
         {{"set lim 10 5000 0", ""},
          {"update lim 10 5000 0 0 1", "true"},
          {"available lim", "10"},
          {"try lim 2", "true"},
          {"update lim 10 5000 0 0 1", "true"},
          {"available lim", "8"},
          {"try lim 10", "false"},
          {"try lim 8", "true"}}},
        {"23",
         "testUpdateRateHigherRate",
         {{"set lim 10 2000 0", ""},
          {"try lim 4", "true"},
          {"update lim 20 5000 0 0 1", "true"},
          {"available lim", "16"},
          {"try lim 16", "true"}}},
        {"24",
         "testUpdateRateLowerRateNewValuePositive",
         {{"set lim 10 5000 0", ""},
          {"try lim 3", "true"},
          {"update lim 5 5000 0 0 1", "true"},
          {"available lim", "2"},
          {"try lim 3", "false"},
          {"try lim 2", "true"}}},
        {"25",
         "testUpdateRateLowerRateNewValueNegative",
         {{"set lim 10 5000 0", ""},
          {"try lim 8", "true"},
          {"update lim 5 5000 0 0 1", "true"},
          {"available lim", "0"},
          {"try lim 1", "false"},
          {"try lim 2", "false"}}},
        {"26",
         "testUpdateRatePermitResetFull",
         {{"set lim 10 1000 0", ""},
          {"try lim 8", "true"},
          {"advance 2000"},
          {"update lim 10 1000 0 0 1", "true"},
          {"available lim", "10"}}},
        {"27",
         "testUpdateRateModeChangeClearsState",
         {{"set lim 10 5000 0", ""},
          {"try lim 4", "true"},
          {"update lim 10 5000 1 0 1", "true"},
          {"available lim", "10"}}},
        {"28",
         "testUpdateRateKeepAliveTimeLessThanIntervalThrows",
         {{"set lim 10 5000 0", ""}, {"update lim 10 5000 0 1000 1", "error invalid_argument"}}},
        {"29",
         "testUpdateRateRateIntervalChangeDropsExpired",
         {{"set lim 10 5000 0", ""},
          {"try lim 3", "true"},
          {"advance 1100"},
          {"update lim 10 1000 0 0 1", "true"},
          {"available lim", "10"}}},
        {"30",
         "testUpdateRatePerClientUsesClientState",
         {{"set lim 10 5000 1", ""},
          {"try lim 3", "true"},
          {"update lim 20 5000 1 0 1", "true"},
          {"available lim", "17"}}},
        {"31", "testRelease", release_story("0") + Steps{{"delete lim", "true"}} + release_story("1"),
         "ration refuses to release 0 permits: it is a mistake in the caller"},
    };
    return stories;
}

}  // namespace ration::interop
