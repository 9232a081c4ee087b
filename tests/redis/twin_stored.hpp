#pragma once

// What a script must have stored, told by models of their own: core::LimiterState does not say how much is in debt.

#include "property/naive_models.hpp"
#include "redis/stored_bucket.hpp"
#include "redis/twin_draw.hpp"
#include "redis/twin_scripts.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <span>

namespace ration::redis_test {

/// What one limiter stores, read after each operation, and what it should be.
///
/// All times are on the grid of the algorithm.
class Stored {
public:
    virtual ~Stored() = default;

    virtual void asked(Time now) = 0;  ///< permits, whether granted or not
    virtual void granted(Time now, Permits n, Duration resolution) = 0;
    virtual void released(Time now, Permits n) = 0;
    virtual void changed(Rate const& rate, Time now) = 0;

    /// What to send, in order to check the replies.
    virtual std::vector<Words> questions() const = 0;
    virtual bool is_absent(std::span<Reply const> replies) const = 0;

    /// `idle`: the model could as well be a fresh one. `left`: until all is free, if it is not.
    virtual void check(std::span<Reply const> replies, Time now, bool idle, Duration left) const = 0;
};

/// A plain model goes the same way as what is stored.
template <class Model, class Base>
class Modelled : public Base {
public:
    template <class... Keys>
    explicit Modelled(Rate const& rate, Keys... keys) : Base{std::move(keys)...}, rate_{rate}, model_{rate}
    {}

    void asked(Time now) override { model_.settle(now); }
    void granted(Time now, Permits n, Duration resolution) override { model_.add(now, n, resolution); }
    void released(Time now, Permits n) override
    {
        model_.settle(now);
        model_.release(n);
    }
    void changed(Rate const& rate, Time now) override
    {
        model_.settle(now);
        model_.change_rate(rate, now);
        rate_ = rate;
    }

protected:
    Rate rate_;
    Model model_;
};

/// The value and the log of a limiter with a name, or both in the one key of a keyed limiter.
class StoredLog final : public Modelled<testing::NaiveLog, Stored> {
public:
    StoredLog(Rate const& rate, std::string value_key, std::string permits_key)
        : Modelled{rate}, value_key_{std::move(value_key)}, permits_key_{std::move(permits_key)}
    {}
    StoredLog(Rate const& rate, std::string key) : StoredLog{rate, {}, std::move(key)} {}

    std::vector<Words> questions() const override
    {
        return {{"ZRANGE", permits_key_, "0", "-1", "WITHSCORES"},
                is_keyed() ? Words{"PTTL", permits_key_} : Words{"GET", value_key_}};
    }

    bool is_absent(std::span<Reply const> replies) const override
    {
        return replies[0].elements.empty() && (is_keyed() || replies[1].kind == Reply::Kind::nil);
    }

    void check(std::span<Reply const> replies, Time now, bool idle, Duration) const override
    {
        if (is_absent(replies)) {
            EXPECT_TRUE(idle) << "the log is gone";
            return;
        }
        auto const& members = replies[0].elements;
        Permits sum = 0;
        Permits live = 0;
        Permits used = 0;
        for (std::size_t i = 0; i < members.size(); i += 2) {
            double const score = std::stod(members[i + 1].text);
            if (members[i].text == "used") {
                used = static_cast<Permits>(score);
                continue;
            }
            Permits const permits = permits_of_member(members[i].text);
            sum += permits;
            if (score * 1000 > static_cast<double>((now - rate_.interval()).time_since_epoch().count()))
                live += permits;
        }
        EXPECT_EQ(live, rate_.permits() - model_.free_at(now)) << "permits in use";
        if (is_keyed()) {
            EXPECT_EQ(used, sum);
            EXPECT_GE(replies[1].integer, 0) << "the key never expires";
        } else {
            EXPECT_EQ(std::stoll(replies[1].text) + sum, rate_.permits()) << "value + sum of the log";
        }
    }

private:
    bool is_keyed() const { return value_key_.empty(); }

    std::string value_key_;
    std::string permits_key_;
};

/// The one key of each other algorithm.
class StoredKey : public Stored {
public:
    explicit StoredKey(std::string key) : key_{std::move(key)} {}

    std::vector<Words> questions() const override { return {{"GET", key_}, {"PTTL", key_}}; }
    bool is_absent(std::span<Reply const> replies) const override
    {
        return replies[0].kind == Reply::Kind::nil;
    }

    void check(std::span<Reply const> replies, Time now, bool idle, Duration left) const override
    {
        if (is_absent(replies)) {
            EXPECT_TRUE(idle) << "the state is gone";
            return;
        }
        EXPECT_GE(replies[1].integer, 0) << "the key never expires";
        if (!idle) check_text(replies[0].text, std::chrono::milliseconds{replies[1].integer}, now, left);
    }

private:
    virtual void check_text(std::string const& text, Duration ttl, Time now, Duration left) const = 0;

    std::string key_;
};

class StoredWindow final : public Modelled<testing::NaiveFixedWindow, StoredKey> {
public:
    using Modelled::Modelled;

private:
    void check_text(std::string const& text, Duration ttl, Time now, Duration left) const override
    {
        EXPECT_EQ(text, std::to_string(model_.free_at(now)));
        // After a step of the clock back it is too long, until somebody takes or gives back.
        EXPECT_EQ(std::min(ttl, rate_.interval()), left);
    }
};

class StoredCalendar final : public Modelled<testing::NaiveCalendarWindow, StoredKey> {
public:
    using Modelled::Modelled;

private:
    void check_text(std::string const& text, Duration ttl, Time now, Duration left) const override
    {
        using std::chrono::milliseconds;
        Time const stop = now + left;
        EXPECT_EQ(text, std::to_string(rate_.permits() - model_.free_at(now)) + ' '
                            + std::to_string(stop.time_since_epoch().count()));
        EXPECT_EQ(ttl, std::chrono::ceil<milliseconds>(stop) - std::chrono::floor<milliseconds>(now));
    }
};

/// Whole permits that are missing, and parts of one that came back, as of the last write.
class StoredBucket final : public StoredKey {
public:
    StoredBucket(Rate const& rate, std::string key) : StoredKey{std::move(key)} { obey(rate); }

    void asked(Time) override {}

    void granted(Time now, Permits n, Duration) override
    {
        refill(now);
        missing_ += n;
    }

    void released(Time now, Permits n) override
    {
        refill(now);
        if (n >= missing_) {
            missing_ = parts_ = 0;
        } else {
            missing_ -= n;
        }
    }

    void changed(Rate const& rate, Time now) override
    {
        refill(now);
        Wide const old_whole = whole_;
        obey(rate);
        parts_ = parts_ * whole_ / old_whole;
    }

private:
    using Wide = testing::Wide;

    void refill(Time now)
    {
        if (now <= updated_) return;
        Wide const lacking = missing_ * whole_ - parts_ - (now - updated_).count() * refill_;
        missing_ = lacking <= 0 ? 0 : (lacking + whole_ - 1) / whole_;
        parts_ = lacking <= 0 ? 0 : missing_ * whole_ - lacking;
        updated_ = now;
    }

    void obey(Rate const& rate)
    {
        std::int64_t const common = std::gcd(rate.permits(), rate.interval().count());
        whole_ = rate.interval().count() / common;
        refill_ = rate.permits() / common;
    }

    void check_text(std::string const& text, Duration ttl, Time now, Duration left) const override
    {
        // In Lua a wait is 2^53 us at most: longer than these histories last.
        constexpr Time end_of_time = std::chrono::sys_days{std::chrono::year{2200} / 1 / 1};
        EXPECT_EQ(text,
                  stored_bucket(updated_.time_since_epoch().count(), static_cast<std::int64_t>(missing_),
                                static_cast<std::int64_t>(parts_)));
        EXPECT_GE(ttl, std::min(left, end_of_time - now)) << "it would be forgotten before it is full";
    }

    Time updated_{};
    Wide missing_ = 0;
    Wide parts_ = 0;
    Wide whole_ = 1;
    Wide refill_ = 1;
};

}  // namespace ration::redis_test
