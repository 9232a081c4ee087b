// What Redisson 4.7.0 gets wrong (docs/redisson.md has the numbers), shown on Redisson, and what ration does instead, on the same steps.

#include "interop/redisson_stories.hpp"

namespace ration::interop {

std::vector<Story> const& defect_stories()
{
    static std::vector<Story> const stories{
        {"defect 1",
         "availablePermits stores something",
         {{"try-set lim 10 1000 0", "true"}, {"available lim", "10"}, {"keys", "2", "1"}},
         "looking leaves nothing behind that could outlive the limiter"},
        {"defect 2",
         "what is released comes back twice",
         {{"set lim 10 1000 0", ""},
          {"try lim 3", "true"},
          {"release lim 3", ""},
          {"advance 1000"},
          {"available lim", "13", "10"}},
         "ration's release takes the grant out of the log too, so it never is above the rate"},
        {"defect 3",
         "permits lost by the server",
         {{"set lim 10 1000 0", ""},
          {"try lim 8", "true"},
          {"lose permits"},
          {"try lim 8", "error in the script", "false"},
          {"advance 1000"},
          {"try lim 8", "error in the script", "true"}},
         "Redisson fails for ever; ration counts what is missing as granted at the next request"},
        {"defect 4",
         "the value lost by the server",
         {{"set lim 10 1000 0", ""}, {"try lim 10", "true"}, {"lose value"}, {"try lim 10", "true", "false"}},
         "ration counts what the log says is in use; Redisson grants twice the rate"},
        {"defect 6",
         "keepAliveTime cannot be taken back",
         {{"set lim 10 1000 0 5000", ""}, {"set lim 10 1000 0", ""}, {"time-to-live lim", "5000", "-1"}},
         "ration's set_rate replaces all of the config"},
        {"defect 7",
         "no permits",
         {{"set lim 10 1000 0", ""},
          {"try lim 0", "true", "error invalid_argument"},
          {"try lim -5", "true", "error invalid_argument"}},
         "ration refuses less than one permit; Redisson stores it, and a negative number raises what is "
         "free"},
        {"defect 8",
         "no interval",
         {{"try-set lim 10 0 0", "true", "error invalid_argument"}, {"exists lim", "true", "false"}},
         "a rate without an interval limits nothing; ration refuses it"},
        {"defect 10",
         "debt is forgotten",
         {{"set lim 10 1000 0", ""},
          {"try lim 1", "true"},
          {"advance 100"},
          {"try lim 7", "true"},
          {"update lim 5 1000 0 0 1", "true"},
          {"advance 900"},
          {"try lim 1", "true", "false"}},
         "seven are in use of five; ration's update_rate remembers it"},
    };
    return stories;
}

}  // namespace ration::interop
