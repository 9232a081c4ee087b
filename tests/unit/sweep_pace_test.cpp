#include "core/sweep_pace.hpp"

#include <gtest/gtest.h>

namespace ration::core {
namespace {

using namespace std::chrono_literals;

TEST(SweepPace, FollowsWhatIsDue)
{
    HashOptions const options{.shortest_sweep = 100ms, .longest_sweep = 5s, .sweep_batch = 200};
    auto const nothing = std::optional<Duration>{};
    auto const set = HashStrategy::sorted_set;
    auto const queue = HashStrategy::delay_queue;
    struct Row {
        char const* what;
        HashStrategy strategy;
        bool is_told;
        std::size_t removed;
        std::optional<Duration> next_in;
        std::optional<Duration> pause;
    };
    Row const rows[] = {
        // what                                        strategy told  removed next      pause
        {"a full batch and more is due: at once", set, false, 200, 0us, 0us},
        {"the same with a queue", queue, true, 200, 0us, 0us},
        {"more became due meanwhile: the shortest", set, false, 3, 0us, 100ms},
        {"soon: not more often than the shortest", set, false, 3, 20ms, 100ms},
        {"later: when it is due", set, false, 0, 700ms, 700ms},
        {"much later: somebody may put an earlier one", set, false, 0, 1h, 5s},
        {"nothing expires: the same", set, false, 0, nothing, 5s},
        {"told of earlier ones: when it is due", set, true, 0, 1h, 1h},
        {"told, and nothing expires: until told", set, true, 0, nothing, nothing},
        {"told, soon: not more often than the shortest", set, true, 0, 20ms, 100ms},
        {"a queue, soon: at its moment", queue, true, 3, 20ms, 20ms},
        {"a queue, just due: at once", queue, true, 3, 0us, 0us},
        {"a queue, nothing expires: until told", queue, true, 0, nothing, nothing},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.what);
        Swept const swept{.removed = row.removed, .next_in = row.next_in};
        EXPECT_EQ(pause_after(swept, options, row.strategy, row.is_told), row.pause);
    }
}

}  // namespace
}  // namespace ration::core
