#pragma once

// What the demo has seen so far: plain data. demo_run.cpp makes the events, demo_view.cpp draws the state,
// demo_check.cpp judges it.

#include <ration/decision.hpp>
#include <ration/limiter_options.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ration::cli {

/// What was asked for.
struct DemoPlan {
    static constexpr Duration work_time =
        std::chrono::milliseconds{50};  ///< between a grant and asking again

    int workers = 20;
    Rate rate = Rate::per_second(5);
    std::optional<Algorithm> algorithm{};
    std::optional<Permits> grants{};     ///< end after so many
    std::optional<Duration> duration{};  ///< end after so long
    int processes = 0;                   ///< that the workers are in; 0: threads of this one
    std::string where = "the embedded store";

    /// About how long it will take.
    Duration expected_length() const;
};

struct DemoEvent {
    enum class Kind : std::uint8_t { waiting, granted };

    Kind kind = Kind::granted;
    int worker = 0;     ///< from 1
    Duration at{};      ///< since the start
    Duration waited{};  ///< granted: for how long it had waited
    Decision decision{};
};

struct DemoGrant {
    Duration at{};
    Duration reset_after{};
};

struct DemoWorker {
    struct Wait {
        Duration from{};
        std::optional<Duration> until{};  ///< empty: still waiting
    };
    std::vector<Duration> grants{};
    std::vector<Wait> waits{};

    bool is_waiting() const { return !waits.empty() && !waits.back().until; }
};

struct DemoState {
    DemoPlan plan{};
    LimiterConfig config{};
    Duration elapsed{};
    std::vector<DemoWorker> workers{};
    std::vector<DemoGrant>
        grants{};          ///< in the order of their moments; with processes, as the server has them
    std::size_t told = 0;  ///< grants that workers were told of

    DemoState(DemoPlan const& what, LimiterConfig const& stored);

    void apply(DemoEvent const& event);
    int waiting() const;
    bool everyone_had_a_turn() const;

    /// Whether the demo has shown what it was asked to show.
    bool is_over() const;
};

}  // namespace ration::cli
