#pragma once

// A random history of a delay queue, against a model: nothing is delivered early, out of order, twice, or under two leases,
// and nothing is lost.

#include "core/queue_store.hpp"
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

struct QueueWorld {
    core::QueueStore& queue;
    std::optional<Duration> lease;
    std::function<void(Time)> set_time;
};

class QueueWalk {
public:
    QueueWalk(QueueWorld const& world, std::uint64_t from) : world_{world}, random_{from} {}

    void run(int steps)
    {
        world_.set_time(now_);
        walk(steps, [&] { one_step(); });
    }

private:
    struct Content {
        std::string value;
        Time due;   // or when the lease ended
        int order;  // of the offer
        Time leased_until{};
    };

    bool is_leased(Content const& content) const { return now_ < content.leased_until; }

    /// A lease that has ended is an item that is due since then.
    void return_unacked()
    {
        for (auto& [id, content] : model_) {
            if (content.leased_until == Time{} || is_leased(content)) continue;
            content.due = content.leased_until;
            content.leased_until = {};
        }
    }

    /// Those that wait, in the order in which they come.
    std::vector<std::string> waiting() const
    {
        std::vector<std::string> ids;
        for (auto const& [id, content] : model_) {
            if (!is_leased(content)) ids.push_back(id);
        }
        std::sort(ids.begin(), ids.end(), [&](auto const& a, auto const& b) {
            auto const& x = model_.at(a);
            auto const& y = model_.at(b);
            return std::pair{x.due, x.order} < std::pair{y.due, y.order};
        });
        return ids;
    }

    std::string any_id()
    {
        if (model_.empty() || random_.one_in(8)) return random_.one_in(2) ? "17" : "nonsense";
        auto entry = model_.begin();
        std::advance(entry,
                     random_.between<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(model_.size()) - 1));
        return entry->first;
    }

    void one_step()
    {
        return_unacked();
        switch (random_.between(0, 9)) {
        case 0:
        case 1:
        case 2: offer(); break;
        case 3:
        case 4:
            now_ += 1us * random_.between(0, 30'000);
            world_.set_time(now_);
            break;
        case 5:
        case 6: take(); break;
        case 7: ack(); break;
        case 8: cancel(); break;
        case 9: look(); break;
        }
    }

    void offer()
    {
        auto const value = std::to_string(++offers_);
        Duration const delay = 1us * random_.between(-5, 50'000);
        core::Due due{delay};
        if (random_.one_in(3)) due = now_ + delay;
        auto const id =
            answer_of<std::string>([&](auto reply) { world_.queue.offer(value, due, std::move(reply)); });
        EXPECT_TRUE(model_.emplace(id, Content{value, now_ + std::max(delay, Duration{}), offers_}).second)
            << "the id " << id << " is in use";
    }

    void take()
    {
        auto const count = random_.between<std::size_t>(1, 4);
        auto const taken =
            answer_of<core::Taken>([&](auto reply) { world_.queue.take(count, std::move(reply)); });
        std::vector<Item> expected;
        for (auto const& id : waiting()) {
            auto& content = model_.at(id);
            if (content.due > now_ || expected.size() == count) break;
            expected.push_back({id, content.value});
        }
        ASSERT_EQ(taken.items.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(taken.items[i].id, expected[i].id);
            EXPECT_EQ(taken.items[i].value, expected[i].value);
            if (world_.lease) {
                model_.at(expected[i].id).leased_until = now_ + *world_.lease;
            } else {
                model_.erase(expected[i].id);
            }
        }
        std::optional<Duration> next;
        for (auto const& [id, content] : model_) {
            auto const moment = is_leased(content) ? content.leased_until : content.due;
            auto const left = std::max(moment - now_, Duration{});
            next = std::min(next.value_or(left), left);
        }
        EXPECT_EQ(taken.next_in, next);
    }

    void ack()
    {
        auto const id = any_id();
        auto const found = model_.find(id);
        bool const expected = found != model_.end() && is_leased(found->second);
        EXPECT_EQ((answer_of<bool>([&](auto reply) { world_.queue.ack(id, std::move(reply)); })), expected);
        if (expected) model_.erase(found);
    }

    void cancel()
    {
        auto const id = any_id();
        auto const found = model_.find(id);
        bool const expected = found != model_.end() && !is_leased(found->second);
        EXPECT_EQ((answer_of<bool>([&](auto reply) { world_.queue.cancel(id, std::move(reply)); })),
                  expected);
        if (expected) model_.erase(found);
    }

    void look()
    {
        auto const ids = waiting();
        EXPECT_EQ((answer_of<std::size_t>([&](auto reply) { world_.queue.size(std::move(reply)); })),
                  ids.size());
        auto const head =
            answer_of<std::optional<Item>>([&](auto reply) { world_.queue.peek(std::move(reply)); });
        ASSERT_EQ(head.has_value(), !ids.empty());
        if (head) {
            EXPECT_EQ(head->id, ids.front());
            EXPECT_EQ(head->value, model_.at(ids.front()).value);
        }
    }

    QueueWorld world_;
    Random random_;
    Time now_ = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1};
    std::map<std::string, Content> model_;
    int offers_ = 0;
};

}  // namespace ration::testing
