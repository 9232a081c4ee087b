#pragma once

#include "redis/twin_walk.hpp"

namespace ration::redis_test {

/// A limiter with a name: its rate is stored and changes, and it may end and begin anew.
class NamedWalk final : public TwinWalk {
public:
    NamedWalk(Random& random, RedisServer& server, RespClient& client, Algorithm algorithm)
        : NamedWalk{random, server, client, algorithm, random.one_in(4)}
    {}

    /// Removes it, and checks that nothing stays behind.
    void end()
    {
        flat(client_.command(script_words(redis::scripts::remove, keys_, {})));
        EXPECT_EQ(client_.integer("DBSIZE"), 0);
    }

private:
    NamedWalk(Random& random, RedisServer& server, RespClient& client, Algorithm algorithm, bool per_client)
        : TwinWalk{random, server, client, algorithm,
                   Model{algorithm, random_rate(random, algorithm), new_stored(algorithm, per_client)}},
          per_client_{per_client}
    {
        if (algorithm == Algorithm::sliding_log && random.one_in(3))
            resolution_ =
                Duration{random.magnitude(std::max<std::int64_t>(model_.rate().interval().count() / 5, 1))};
        else if (algorithm == Algorithm::sliding_log && random.one_in(3))
            old_members_ = true;
        begin(model_.rate());
    }

    static constexpr std::string_view client_id = "6f9619ff-8b86-4011-b42d-00c04fc964ff";
    static Words all_keys() { return redis::limiter_keys("twin", client_id); }

    static Model::NewStored new_stored(Algorithm algorithm, bool per_client)
    {
        return [algorithm, own = per_client ? 3U : 0U,
                keys = all_keys()](Rate const& rate) -> std::unique_ptr<Stored> {
            switch (algorithm) {
            case Algorithm::sliding_log:
                return std::make_unique<StoredLog>(rate, keys[1 + own], keys[2 + own]);
            case Algorithm::fixed_window: return std::make_unique<StoredWindow>(rate, keys[1 + own]);
            case Algorithm::calendar_window: return std::make_unique<StoredCalendar>(rate, keys[3 + own]);
            case Algorithm::token_bucket: break;
            }
            return std::make_unique<StoredBucket>(rate, keys[3 + own]);
        };
    }

    /// What is not needed stands at the end and may be left out.
    Words take_words(core::Batch const& batch) override
    {
        Words arguments{redis::packed(batch), member_prefix(), seen_rate()};
        if (model_.rate().is_calendar()) {
            arguments.insert(arguments.end(), {expected(), "0.000", calendar(), windows()});
        } else if (resolution_ > Duration{}) {
            arguments.insert(arguments.end(), {expected(), span_text()});
        } else if (random_.one_in(2)) {
            arguments.push_back(expected());
        }
        Words keys = keys_;
        if (!per_client_ && random_.one_in(2)) keys.resize(redis::shared_keys);
        return script_words(redis::scripts::acquire, keys, arguments);
    }

    Words look_words(Permits n) override
    {
        return script_words(redis::scripts::look, keys_,
                            {std::to_string(n), expected(), seen_rate(), calendar(), windows()});
    }

    Words release_words(Permits n) override
    {
        return script_words(redis::scripts::release, keys_, {std::to_string(n), expected(), seen_rate()});
    }

    Operation event() override
    {
        switch (random_.between(1, 12)) {
        case 1: return replace();
        case 2: return remove();
        case 3: return set_if_absent();
        // If it ends before a fixed window does, so does the window, and its model does not know.
        case 4: return algorithm_ == Algorithm::fixed_window ? take() : expire();
        case 5: return algorithm_ == Algorithm::fixed_window ? take() : clear_expiry();
        case 6: return migrate();
        default: return change_rate();
        }
    }

    Operation change_rate()
    {
        // A window that is over may still be stored for a millisecond.
        if (algorithm_ == Algorithm::calendar_window && model_.is_idle(now_)) return take();
        Rate const rate = random_.one_in(2) ? random_rate(random_, algorithm_) : same_interval();
        Duration const keep_alive = random_keep_alive(rate);
        return {configure_words("keep", rate, keep_alive),
                [=, this](redis::Values values) {
                    expect_configured(values, core::Configured::changed);
                    model_.change_rate(rate, now_);
                    if (keep_alive_ > Duration{}) dies_at_.reset();
                    keep_alive_ = keep_alive;
                    used();
                },
                "change to " + to_string(rate) + ", keep_alive " + std::to_string(keep_alive.count())};
    }

    Operation replace()
    {
        Rate const rate = random_rate(random_, algorithm_);
        Duration const keep_alive = random_keep_alive(rate);
        return {configure_words("replace", rate, keep_alive),
                [=, this](redis::Values values) {
                    expect_configured(values, core::Configured::changed);
                    begin_anew(rate, keep_alive);
                },
                "replace by " + to_string(rate)};
    }

    Operation remove()
    {
        return {script_words(redis::scripts::remove, keys_, {}),
                [this](redis::Values values) {
                    EXPECT_EQ(redis::integer_at(values, 1), 1);
                    is_gone();
                },
                "remove"};
    }

    Operation set_if_absent()
    {
        return {configure_words("absent", random_rate(random_, algorithm_), {}),
                [this](redis::Values values) { expect_configured(values, core::Configured::unchanged); },
                "set if absent"};
    }

    Operation expire()
    {
        Duration const span = 1ms * random_.magnitude(2 * (model_.rate().interval() / Duration{1ms}));
        return {script_words(redis::scripts::expire, keys_, {"after", std::to_string(span / Duration{1ms})}),
                [this, span](redis::Values values) {
                    EXPECT_EQ(redis::integer_at(values, 1), 1);
                    dies_at_ = now_in_ms() + span;
                    touched();
                },
                "expire after " + std::to_string(span.count())};
    }

    Operation clear_expiry()
    {
        return {script_words(redis::scripts::expire, keys_, {"never"}),
                [this](redis::Values values) {
                    EXPECT_EQ(redis::integer_at(values, 1), dies_at_ ? 1 : 0);
                    dies_at_.reset();
                    touched();
                },
                "never expire"};
    }

    /// Nothing that anybody could tell by the answers.
    Operation migrate()
    {
        return {script_words(redis::scripts::migrate, keys_, {new_prefix()}),
                [](redis::Values values) {
                    EXPECT_EQ(redis::status_of(values), redis::Status::ok) << redis::text_at(values, 1);
                },
                "migrate"};
    }

    /// In the format of Redisson 3.16.4 to 3.16.8, or in the current one.
    std::string member_prefix()
    {
        auto const prefix = new_prefix();
        return old_members_ ? std::string("\x08\0\0\0\0\0\0\0", 8) + prefix.substr(1, 8) : prefix;
    }

    void used() override
    {
        if (keep_alive_ > Duration{}) dies_at_ = now_in_ms() + keep_alive_;
        touched();
    }

    /// The log of one client ends by itself, a minute after it has lost its meaning; sooner if the clock has stepped back, but
    /// never in less time than that.
    void touched()
    {
        if (per_client_ && algorithm_ == Algorithm::sliding_log)
            forgotten_at_ = now_in_ms() + model_.rate().interval() + 1min;
    }

    /// Redis drops what has expired one millisecond after its time.
    void moved() override
    {
        if (forgotten_at_ && now_in_ms() > *forgotten_at_) model_.reset(model_.rate());
        if (dies_at_ && now_in_ms() > *dies_at_) is_gone();
    }

    Time now_in_ms() const { return std::chrono::floor<std::chrono::milliseconds>(now_); }

    void is_gone()
    {
        tell("  it is gone");
        auto const refused = flat(client_.command(take_words({{{1, true, 1}}})));
        EXPECT_EQ(redis::status_of(refused), redis::Status::not_initialized);
        Rate const rate = random_rate(random_, algorithm_);
        begin(rate);
        begin_anew(rate, {});
    }

    void begin_anew(Rate const& rate, Duration keep_alive)
    {
        model_.reset(rate);
        dies_at_.reset();
        keep_alive_ = keep_alive;
        used();
    }

    Rate same_interval()
    {
        Rate const& rate = model_.rate();
        Permits const permits = random_.magnitude(Rate::max_permits);
        return rate.is_calendar() ? Rate::calendar(permits, rate.unit(), rate.zone(), rate.every())
                                  : Rate::per(permits, rate.interval());
    }

    Duration random_keep_alive(Rate const& rate)
    {
        if (!random_.one_in(3)) return {};
        return std::chrono::ceil<std::chrono::milliseconds>(rate.interval()) * random_.between(1, 3);
    }

    std::string expected() { return random_.one_in(2) ? std::string{to_string(algorithm_)} : std::string{}; }
    std::string seen_rate() { return random_.one_in(4) ? "" : std::to_string(model_.rate().permits()); }
    std::string calendar()
    {
        return model_.rate().is_calendar() ? redis::calendar_text(model_.rate()) : std::string{};
    }

    std::string span_text() const
    {
        return std::to_string(resolution_.count() / 1000) + '.'
               + std::to_string(1000 + resolution_.count() % 1000).substr(1);
    }

    Words configure_words(char const* mode, Rate const& rate, Duration keep_alive)
    {
        Words arguments{mode};
        auto const wanted = redis::config_arguments(
            {rate, {per_client_ ? RateType::per_client : RateType::overall, keep_alive}, algorithm_});
        arguments.insert(arguments.end(), wanted.begin(), wanted.end());
        arguments.push_back(rate.is_calendar() ? windows_at(rate, now_) : std::string{});
        arguments.push_back(member_prefix());
        return script_words(redis::scripts::configure, keys_, arguments);
    }

    static void expect_configured(redis::Values values, core::Configured what)
    {
        ASSERT_EQ(redis::status_of(values), redis::Status::ok) << redis::text_at(values, 1);
        EXPECT_EQ(redis::integer_at(values, 1), static_cast<std::int64_t>(what));
    }

    void begin(Rate const& rate)
    {
        expect_configured(flat(client_.command(configure_words("absent", rate, {}))),
                          core::Configured::created);
    }

    Words keys_ = all_keys();
    bool per_client_;
    bool old_members_ = false;  ///< written as Redisson 3.16.8 does
    Duration keep_alive_{};
    std::optional<Time> dies_at_;
    std::optional<Time> forgotten_at_;
};

}  // namespace ration::redis_test
