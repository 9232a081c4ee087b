#include "core/ticked_time.hpp"

#include "property/seed.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace ration::core {
namespace {

using namespace std::chrono_literals;

constexpr Ticks span = TickedTime::span;
constexpr Ticks first = 1'000'000'000'000;

/// A machine whose counter and clock are told what to show: the counter runs at `per_nanosecond`, from `first_tick` on.
struct Machine {
    double per_nanosecond = 2.5;
    Ticks first_tick = first;
    std::int64_t first_clock = 7'000'000'000'000'123;  // does not begin with a microsecond
    double nanoseconds = 0;                            // since then

    Ticks ticks() const { return first_tick + static_cast<Ticks>(nanoseconds * per_nanosecond); }
    std::int64_t clock() const { return first_clock + static_cast<std::int64_t>(nanoseconds); }
    Duration time() const { return Duration{clock() / 1000}; }
    void pass(double span_of_nanoseconds) { nanoseconds += span_of_nanoseconds; }

    /// What a thread does that wants to know the time. `reading`: how long the clock takes, half before it is made.
    Duration ask(TickedTime& time, double reading = 20)
    {
        ++asked;
        if (Ticks const now = ticks(); time.knows(now)) return time.at(now);
        ++asked_the_system;
        Ticks const before = ticks();
        pass(reading / 2);
        auto const shown = clock();
        pass(reading / 2);
        return time.learn(before, shown, ticks());
    }

    int asked = 0;
    int asked_the_system = 0;
};

TEST(TickedTime, KnowsNothingAtFirst)
{
    TickedTime const time;
    for (Ticks const ticks : {Ticks{0}, Ticks{1}, span, ~Ticks{0}}) EXPECT_FALSE(time.knows(ticks)) << ticks;
}

TEST(TickedTime, LearnsThePaceOverOneSpanAndUsesItForAnother)
{
    TickedTime time;
    EXPECT_EQ(5us, time.learn(first, 5000, first));
    EXPECT_FALSE(time.knows(first));
    EXPECT_EQ(6us, time.learn(first + span - 1, 6000, first + span - 1));  // too early to learn from
    EXPECT_FALSE(time.knows(first + span - 1));

    Ticks const begin = first + span;
    EXPECT_EQ(105us, time.learn(begin, 105'000, begin));  // 100 µs a span
    EXPECT_FALSE(time.knows(begin - 1));
    EXPECT_TRUE(time.knows(begin));
    EXPECT_TRUE(time.knows(begin + span - 1));
    EXPECT_FALSE(time.knows(begin + span));
    EXPECT_EQ(105us, time.at(begin));
    EXPECT_EQ(154us, time.at(begin + span / 2 - 10));
    EXPECT_EQ(155us, time.at(begin + span / 2 + 10));
    EXPECT_EQ(204us, time.at(begin + span - 1));
}

/// To the tick: one less would only be slow, one more would be another time.
TEST(TickedTime, KnowsForHowLongItStaysTheSameTime)
{
    SCOPED_TRACE(testing::seed_text());
    testing::Random random;
    for (int machines = 0; machines < 200; ++machines) {
        Ticks const begin = static_cast<Ticks>(random.magnitude(std::int64_t{1} << 61)) + span;
        auto const clock = random.magnitude(std::int64_t{1} << 61);
        TickedTime time;
        time.learn(begin - span, clock, begin - span);
        time.learn(begin, clock + random.magnitude(1'000'000), begin);  // from one tick a microsecond to none
        if (!time.knows(begin)) continue;
        for (Ticks ticks = begin; time.knows(ticks);) {
            auto const now = time.at(ticks);
            auto const same = time.rest_of_microsecond(ticks);
            ASSERT_EQ(same.begin, ticks);
            ASSERT_GT(same.length, 0U);
            Ticks const last = ticks + same.length - 1;
            ASSERT_TRUE(time.knows(last));
            ASSERT_EQ(time.at(last), now);
            ticks = last + 1;
            ASSERT_TRUE(!time.knows(ticks) || time.at(ticks) > now);
            ticks += static_cast<Ticks>(random.magnitude(3000));
        }
    }
}

TEST(TickedTime, LearnsNothingFromWhatMayHideAnything)
{
    constexpr Ticks late = TickedTime::longest_lesson + 1;
    struct Row {
        char const* what;
        Ticks before;
        std::int64_t clock;
        Ticks after;
        bool learned;
    };
    // Told at the first tick that it is 5000 ns.
    Row const rows[] = {
        {"a plain reading", first + span, 105'000, first + span, true},
        {"one that took long, but not too long", first + span, 105'000, first + span + TickedTime::max_doubt,
         true},
        {"an interrupted one", first + span, 105'000, first + 1 + span + TickedTime::max_doubt, false},
        {"interrupted, and the counter stepped back", first + span, 105'000, first - 1, false},
        {"a pause as long as it may be", first + late - 1, 105'000, first + late - 1, true},
        {"a longer pause", first + late, 105'000, first + late, false},
        {"the counter stepped back", first - 1, 105'000, first - 1, false},
        {"the clock stood still", first + span, 5000, first + span, false},
        {"the clock stepped back", first + span, 4000, first + span, false},
        {"the counter slept with the machine", first + span, 5000 + (std::int64_t{1} << 31), first + span,
         false},
    };
    for (auto const& row : rows) {
        SCOPED_TRACE(row.what);
        TickedTime time;
        time.learn(first, 5000, first);
        time.learn(row.before, row.clock, row.after);
        EXPECT_EQ(row.learned, time.knows(row.before + (row.after - row.before) / 2));
    }
}

TEST(TickedTime, GoesOnAfterASurprise)
{
    TickedTime time;
    Machine machine;
    auto const run = [&] {
        for (int i = 0; i < 1000; ++i) {
            machine.ask(time);
            machine.pass(1000);
        }
        int const before = machine.asked_the_system;
        for (int i = 0; i < 1000; ++i) {
            auto const truth = machine.time();
            auto const told = machine.ask(time);
            EXPECT_LE(std::abs((told - truth).count()), 1);
            machine.pass(1000);
        }
        EXPECT_LE(machine.asked_the_system - before, 11);  // once in 105 µs
        EXPECT_GE(machine.asked_the_system - before, 6);   // once in 154 µs
    };
    run();
    machine.nanoseconds += 3e12;  // nobody asked for an hour
    run();
    machine.first_tick = 5000;  // the counter began anew
    run();
    machine.first_tick += Ticks{1} << 60;  // and jumped
    run();
    machine.per_nanosecond = 1.7;  // the machine moved to a slower one
    run();
}

/// The worst that a counter which runs evenly allows for.
TEST(TickedTime, IsOffByLessThanTheDoubtOfTwoReadings)
{
    SCOPED_TRACE(testing::seed_text());
    testing::Random random;
    for (int machines = 0; machines < 200; ++machines) {
        TickedTime time;
        Machine machine;
        machine.per_nanosecond = static_cast<double>(random.between(800, 6000)) / 1000;
        machine.first_tick = static_cast<Ticks>(random.magnitude(std::int64_t{1} << 61));
        machine.first_clock = random.magnitude(std::int64_t{1} << 61);
        double const bound = 2.0 * static_cast<double>(TickedTime::max_doubt) / machine.per_nanosecond;
        double const longest_reading = static_cast<double>(TickedTime::max_doubt) / machine.per_nanosecond;
        Duration latest = Duration::min();
        for (int i = 0; i < 2000; ++i) {
            // A reading is made at its begin or at its end, which is what misleads the most.
            auto const told = [&] {
                Ticks const now = machine.ticks();
                if (time.knows(now)) return time.at(now);
                double const reading = random.one_in(20) ? 5 * longest_reading : longest_reading * 0.99;
                bool const early = random.one_in(2);
                if (!early) machine.pass(reading);
                auto const shown = machine.clock();
                Ticks const moment = machine.ticks();
                auto const length = static_cast<Ticks>(reading * machine.per_nanosecond);
                return early ? time.learn(moment, shown, moment + length)
                             : time.learn(moment - length, shown, moment);
            }();
            auto const error = static_cast<double>(told.count() * 1000 - machine.clock());
            ASSERT_LE(error, bound) << "reading " << i;
            ASSERT_GE(error, -bound - 1000) << "reading " << i;  // and it shows whole microseconds
            ASSERT_GE(told, latest);
            latest = told;
            machine.pass(static_cast<double>(random.magnitude(random.one_in(50) ? 10'000'000 : 20'000)));
        }
    }
}

TEST(TickedTime, NeverGoesBackWhateverHappens)
{
    SCOPED_TRACE(testing::seed_text());
    testing::Random random;
    TickedTime time;
    Ticks ticks = 1'000'000;
    std::int64_t clock = 1'000'000;
    Duration latest = Duration::min();
    int known = 0;
    for (int i = 0; i < 200'000; ++i) {
        ticks += static_cast<Ticks>(random.magnitude(1 << 20));
        clock += random.magnitude(1 << 20);
        if (random.one_in(100)) ticks -= static_cast<Ticks>(random.magnitude(1 << 30));
        if (random.one_in(100)) clock -= random.magnitude(1 << 30);
        if (time.knows(ticks)) ++known;
        auto const told = time.knows(ticks)
                              ? time.at(ticks)
                              : time.learn(ticks, clock, ticks + static_cast<Ticks>(random.magnitude(2000)));
        ASSERT_GE(told, latest);
        latest = told;
    }
    EXPECT_GT(known, 10'000);
}

}  // namespace
}  // namespace ration::core
