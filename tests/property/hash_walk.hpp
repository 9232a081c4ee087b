#pragma once

// A random history of a hash whose fields expire, against a model: no expired field is ever returned, no live one is ever
// lost, and the size is exact, after whatever puts, sweeps and steps of the clock.

#include "core/hash_store.hpp"
#include "property/seed.hpp"
#include "property/walk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ration::testing {

using namespace std::chrono_literals;

/// What the walk needs to know of a store, whose time passes only when it says so.
struct HashWorld {
    core::HashStore& hash;
    std::function<void(Time)> set_time;
    bool sweeps = true;  ///< removes what has expired when told to, and only then
    bool clock_steps_back = true;
    bool meets_moments = true;  ///< may be asked in the very millisecond in which a field expires
};

class HashWalk {
public:
    HashWalk(HashWorld const& world, std::uint64_t from) : world_{world}, random_{from} {}

    void run(int steps)
    {
        world_.set_time(now_);
        walk(steps, [&] { one_step(); });
    }

private:
    static constexpr Time never = Time::max();
    struct Content {
        std::string value;
        Time until = never;
    };

    bool is_live(Content const& content) const { return now_ < content.until; }
    std::string any_field() { return "f" + std::to_string(random_.between(0, 40)); }
    std::optional<Duration> any_ttl()
    {
        if (random_.one_in(4)) return std::nullopt;
        return random_.one_in(4) ? Duration{1ms * random_.magnitude(1'000'000)}
                                 : Duration{1ms * random_.between(1, 30)};
    }
    Content const* live(std::string const& field) const
    {
        auto const found = model_.find(field);
        return found != model_.end() && is_live(found->second) ? &found->second : nullptr;
    }

    void one_step()
    {
        switch (random_.between(0, 13)) {
        case 0:
        case 1:
        case 2: put(); break;
        case 3:
        case 4: pass(1ms * random_.between(0, 20)); break;
        case 5:
            if (world_.clock_steps_back && random_.one_in(4)) pass(-1ms * random_.between(1, 50));
            break;
        case 6:
        case 7: read(); break;
        case 8: remove(); break;
        case 9: expire(); break;
        case 10: sweep(); break;
        case 11: visit(); break;
        case 12:
            EXPECT_EQ(answer_of<std::size_t>([&](auto reply) { world_.hash.size(std::move(reply)); }),
                      live_count());
            break;
        case 13:
            if (random_.one_in(40)) {
                answer_of<core::Unit>([&](auto reply) { world_.hash.clear(std::move(reply)); });
                model_.clear();
            }
            break;
        }
    }

    std::size_t live_count() const
    {
        return static_cast<std::size_t>(std::count_if(
            model_.begin(), model_.end(), [&](auto const& entry) { return is_live(entry.second); }));
    }

    bool something_expires_now() const
    {
        return std::any_of(model_.begin(), model_.end(),
                           [&](auto const& entry) { return entry.second.until == now_; });
    }

    void pass(Duration span)
    {
        now_ += span;
        while (!world_.meets_moments && something_expires_now()) now_ += 1ms;
        world_.set_time(now_);
    }

    void put()
    {
        std::vector<core::HashPut> puts;
        std::vector<bool> expected;
        bool const all_alike = random_.one_in(2);
        auto const ttl = any_ttl();
        for (int count = random_.one_in(3) ? 10 : 1; count > 0; --count) {
            core::HashPut one{any_field(), std::to_string(++values_), all_alike ? ttl : any_ttl(),
                              !all_alike && random_.one_in(4)};
            expected.push_back(!one.if_absent || !live(one.field));
            if (expected.back()) model_[one.field] = {one.value, one.ttl ? now_ + *one.ttl : never};
            puts.push_back(std::move(one));
        }
        EXPECT_EQ(
            (answer_of<std::vector<bool>>([&](auto reply) { world_.hash.put(puts, std::move(reply)); })),
            expected);
    }

    void read()
    {
        std::vector<std::string> fields;
        std::vector<std::optional<std::string>> expected;
        for (int count = random_.between(1, 8); count > 0; --count) {
            fields.push_back(any_field());
            auto const* const content = live(fields.back());
            expected.push_back(content ? std::optional{content->value} : std::nullopt);
        }
        EXPECT_EQ((answer_of<std::vector<std::optional<std::string>>>(
                      [&](auto reply) { world_.hash.get(fields, std::move(reply)); })),
                  expected);
        auto const state =
            answer_of<core::FieldState>([&](auto reply) { world_.hash.state(fields[0], std::move(reply)); });
        auto const* const content = live(fields[0]);
        EXPECT_EQ(state.exists, content != nullptr);
        if (content && content->until != never) {
            EXPECT_EQ(state.ttl, content->until - now_);
        } else {
            EXPECT_EQ(state.ttl, std::nullopt);
        }
    }

    void remove()
    {
        std::vector<std::string> const fields{any_field(), any_field()};
        std::size_t expected = 0;
        for (auto const& field : fields) {
            if (!live(field)) continue;
            model_.erase(field);
            ++expected;
        }
        EXPECT_EQ((answer_of<std::size_t>([&](auto reply) { world_.hash.remove(fields, std::move(reply)); })),
                  expected);
    }

    void expire()
    {
        auto const field = any_field();
        auto const ttl = any_ttl();
        auto const* const content = live(field);
        bool const expected = content && (ttl || content->until != never);
        if (expected) model_[field].until = ttl ? now_ + *ttl : never;
        EXPECT_EQ((answer_of<bool>([&](auto reply) { world_.hash.expire(field, ttl, std::move(reply)); })),
                  expected);
    }

    void visit()
    {
        std::map<std::string, std::string> expected;
        for (auto const& [field, content] : model_) {
            if (is_live(content)) expected[field] = content.value;
        }
        std::map<std::string, std::string> seen;
        std::optional<std::string> from;
        do {
            auto page =
                answer_of<core::HashPage>([&](auto reply) { world_.hash.page(from, std::move(reply)); });
            for (auto& [field, value] : page.entries) seen[field] = value;
            from = page.next;
        } while (from);
        EXPECT_EQ(seen, expected);
    }

    void sweep()
    {
        if (!world_.sweeps) return;
        std::size_t const limit = random_.one_in(2) ? 200 : 3;
        auto const swept = answer_of<core::Swept>([&](auto reply) {
            world_.hash.sweep({limit, true}, std::move(reply));
        });
        std::size_t const due = model_.size() - live_count();
        EXPECT_EQ(swept.removed, std::min(due, limit));
        EXPECT_EQ(swept.entries.size(), swept.removed);
        for (auto const& [field, value] : swept.entries) {
            auto const found = model_.find(field);
            ASSERT_NE(found, model_.end()) << field << " was swept twice, or never put";
            EXPECT_FALSE(is_live(found->second)) << field;
            EXPECT_EQ(found->second.value, value);
            model_.erase(found);
        }
        std::optional<Duration> next;
        for (auto const& [field, content] : model_) {
            if (content.until == never) continue;
            auto const left = std::max(content.until - now_, Duration{});
            next = std::min(next.value_or(left), left);
        }
        EXPECT_EQ(swept.next_in, next);
    }

    HashWorld world_;
    Random random_;
    Time now_ = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
    std::map<std::string, Content> model_;
    int values_ = 0;
};

}  // namespace ration::testing
