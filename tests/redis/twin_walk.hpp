#pragma once

// A random history of one limiter, in C++ and in Redis. See twin_test.cpp.

#include "redis/twin_pair.hpp"

#include <deque>

namespace ration::redis_test {

/// The clock, the requests and the comparison: what limiters with a name and keys of a keyed limiter have in common.
class TwinWalk {
public:
    virtual ~TwinWalk() = default;

    /// Some operations at one moment. Returns how many.
    int moment()
    {
        move_clock();
        if (random_.one_in(8)) {
            run({event()});
            return 1;
        }
        std::vector<Operation> operations;
        for (auto count = random_.between(1, 10); count > 0; --count) operations.push_back(any_operation());
        run(operations);
        return static_cast<int>(operations.size());
    }

    std::string story() const
    {
        std::string text;
        for (auto const& line : story_) text += line + '\n';
        return text;
    }

protected:
    TwinWalk(Random& random, RedisServer& server, RespClient& client, Algorithm algorithm, Model model)
        : random_{random},
          server_{server},
          client_{client},
          algorithm_{algorithm},
          model_{std::move(model)},
          modest_{random.one_in(2)}
    {
        Time const starts[] = {new_year(1990), new_year(2024), last_moment() - 30 * 365 * 24h};
        set_clock(random_.pick(starts) + unit_of(algorithm) * random.between(0, 1'000'000));
    }

    virtual Words take_words(core::Batch const& batch) = 0;
    virtual Words look_words(Permits n) = 0;
    virtual Words release_words(Permits n) = 0;
    /// What only this kind of limiter can do. It may change what all others depend on.
    virtual Operation event() = 0;
    /// The clock was moved.
    virtual void moved() {}
    /// It was asked for permits, or given some back.
    virtual void used() {}
    /// The part of a reply that concerns this limiter.
    virtual std::vector<redis::Value> own_part(redis::Values values) const
    {
        return redis::unpacked({values.begin(), values.end()});
    }

    /// Sends all at once, and compares reply by reply.
    void run(std::vector<Operation> const& operations)
    {
        auto const questions = model_.stored().questions();
        std::vector<Words> commands = questions;
        for (auto const& operation : operations) {
            commands.push_back(operation.words);
            commands.insert(commands.end(), questions.begin(), questions.end());
        }
        auto const replies = client_.pipeline(commands);
        std::span<Reply const> rest{replies};
        auto const check_stored = [&] {
            model_.check_stored(rest.first(questions.size()), now_);
            rest = rest.subspan(questions.size());
        };
        tell("at " + std::to_string(now_.time_since_epoch().count()) + ", " + to_string(model_.rate()));
        check_stored();
        for (auto const& operation : operations) {
            if (::testing::Test::HasFailure()) return;
            tell("  " + operation.text);
            auto const values = flat(rest.front());
            operation.check(values);
            rest = rest.subspan(1);
            check_stored();
        }
    }

    Operation any_operation()
    {
        switch (random_.between(1, 20)) {
        case 1:
        case 2: return look();
        case 3: return available();
        case 4: return release();
        default: return take();
        }
    }

    Operation take()
    {
        auto const batch = random_batch(random_, model_.rate().capacity(), modest_);
        return {take_words(batch),
                [this, batch](redis::Values all) {
                    auto const values = own_part(all);
                    if (!decided(values)) return;
                    auto const answer = redis::decode_answer(batch, values);
                    ASSERT_TRUE(answer) << "the reply contradicts itself";
                    used();
                    auto const expected = as_told(model_.take(now_, batch, resolution_));
                    EXPECT_EQ(answer->outcomes, expected)
                        << "Redis: " << text_of(answer->outcomes) << "\nC++: " << text_of(expected);
                    EXPECT_EQ(answer->capacity, model_.rate().capacity());
                    if (auto const& last = expected.back(); !last.error && !last.decision.granted)
                        wait_ = on_grid(last.decision.retry_after);
                },
                text_of(batch)};
    }

    Operation look()
    {
        Permits const n = random_n(random_, model_.rate().capacity(), modest_);
        return {look_words(n),
                [this, n](redis::Values values) {
                    if (!decided(values)) return;
                    std::vector<core::Outcome> const found{redis::decode_look(n, values)};
                    auto const expected = as_told({model_.look(now_, n)});
                    EXPECT_EQ(found, expected)
                        << "Redis: " << text_of(found) << "\nC++: " << text_of(expected);
                },
                "look " + std::to_string(n)};
    }

    Operation available()
    {
        return {look_words(0),
                [this](redis::Values values) {
                    if (!decided(values)) return;
                    EXPECT_EQ(redis::decode_available(values), model_.available(now_));
                },
                "available"};
    }

    Operation release()
    {
        Permits const n = random_n(random_, model_.rate().capacity(), modest_);
        return {release_words(n),
                [this, n](redis::Values values) {
                    ASSERT_EQ(redis::status_of(values), redis::Status::ok);
                    EXPECT_EQ(redis::integer_at(values, 1), n);
                    used();
                    model_.release(now_, n);
                },
                "release " + std::to_string(n)};
    }

    /// False: the script asks for other windows, with reason.
    bool decided(redis::Values values)
    {
        if (redis::status_of(values) == redis::Status::need_window) {
            EXPECT_EQ(redis::integer_at(values, 1), now_.time_since_epoch().count());
            EXPECT_TRUE(windows_do_not_fit_) << "the windows that were sent hold this moment";
            return false;
        }
        EXPECT_EQ(redis::status_of(values), redis::Status::ok) << redis::text_at(values, 1);
        return redis::status_of(values) == redis::Status::ok;
    }

    std::string windows()
    {
        return model_.rate().is_calendar() ? windows_at(model_.rate(), windows_of_) : std::string{};
    }

    /// Mostly those of now. At some moments those of the window before, of which this is the next; at some those of a time
    /// so different that they do not hold now.
    void choose_windows()
    {
        if (!model_.rate().is_calendar()) return;
        bool const fit = !random_.one_in(20);
        windows_do_not_fit_ = !fit;
        windows_of_ = now_;
        if (!fit) {
            windows_of_ += model_.rate().interval() * (random_.one_in(2) ? 4 : -4);
        } else if (random_.one_in(3)) {
            windows_of_ = core::calendar_window_at(model_.rate(), now_).begin - 1us;
        }
    }

    Duration on_grid(Duration wait) const
    {
        return is_on_milliseconds(algorithm_) ? std::chrono::ceil<std::chrono::milliseconds>(wait) : wait;
    }

    /// In Redis a log frees permits when a new millisecond begins, also those that with a resolution would free before it; the wait
    /// is until then.
    std::vector<core::Outcome> as_told(std::vector<core::Outcome> outcomes) const
    {
        if (algorithm_ != Algorithm::sliding_log) return outcomes;
        for (auto& [error, decision, detail] : outcomes) {
            if (error || decision.granted) continue;
            decision.retry_after = on_grid(decision.retry_after) - between_;
        }
        return outcomes;
    }

    void tell(std::string line)
    {
        story_.push_back(std::move(line));
        if (story_.size() > 40) story_.pop_front();
    }

    std::string new_prefix()
    {
        std::string prefix = "\x10";
        for (int i = 0; i < 16; ++i) prefix += static_cast<char>(random_.between(0, 255));
        return prefix;
    }

    void set_clock(Time now)
    {
        now_ = now;
        // What is on the grid of milliseconds must not see what lies between, but for how long it is until the next.
        between_ = Duration{is_on_milliseconds(algorithm_) ? random_.between(0, 999) : 0};
        server_.clock().freeze(now + between_);
    }

    static constexpr Time new_year(int year)
    {
        return std::chrono::sys_days{std::chrono::year{year} / 1 / 1};
    }

    /// With a resolution, the score of a member may be a fraction of a millisecond: exact enough until 2109.
    Time last_moment() const { return new_year(algorithm_ == Algorithm::sliding_log ? 2109 : 2199); }

    void move_clock()
    {
        Duration const step = random_step(random_, model_.rate(), wait_, unit_of(algorithm_), modest_);
        if (step < last_moment() - now_ && now_ + step > new_year(1985)) set_clock(now_ + step);
        moved();
        choose_windows();
    }

    Random& random_;
    RedisServer& server_;
    RespClient& client_;
    Algorithm algorithm_;
    Model model_;
    bool modest_;
    Duration resolution_{};
    Time now_{};
    Duration between_{};
    Duration wait_{};
    Time windows_of_{};
    bool windows_do_not_fit_ = false;
    std::deque<std::string> story_;
};

}  // namespace ration::redis_test
