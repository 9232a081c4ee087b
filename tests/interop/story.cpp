#include "interop/story.hpp"

#include "interop/expect.hpp"
#include "interop/stored.hpp"
#include "redis/patience.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <thread>

namespace ration::interop {

namespace {

class Teller {
public:
    Teller(Scene& scene, Side& side) : scene_{scene}, side_{side} {}

    std::string answer(std::string const& line, std::string const& expected)
    {
        std::istringstream words{line};
        std::string word;
        std::string rest;
        words >> word >> std::ws;
        std::getline(words, rest);
        if (word == "advance") return advance(std::stoll(rest));
        if (word == "start") return start(rest);
        if (word == "done") return done(expected);
        if (word == "keys") return std::to_string(scene_.redis.list("KEYS", "*").size());
        if (word == "permits") return permits();
        if (word == "lose") return scene_.redis.integer("DEL", "{lim}:" + rest), "";
        return side_.ask(line);
    }

private:
    std::string advance(std::int64_t milliseconds)
    {
        if (!started_.empty()) let_calls_arrive();
        scene_.advance(milliseconds);
        return {};
    }

    /// Java stamps a grant before it is sent: one that is on its way while the clock moves would be granted in the past.
    /// Between its attempts a waiter is silent for an interval.
    void let_calls_arrive()
    {
        redis_test::becomes_true_within(std::chrono::seconds{3}, [&] {
            auto const before = commands_so_far();
            std::this_thread::sleep_for(std::chrono::milliseconds{50});
            return commands_so_far() == before + 1;  // the question itself
        });
    }

    std::int64_t commands_so_far()
    {
        static constexpr std::string_view label = "total_commands_processed:";
        auto const stats = scene_.redis.text("INFO", "stats");
        return std::stoll(stats.substr(stats.find(label) + label.size()));
    }

    std::string start(std::string const& count_and_line)
    {
        auto const space = count_and_line.find(' ');
        for (int i = std::stoi(count_and_line); i > 0; --i)
            started_.push_back(side_.start(count_and_line.substr(space + 1)));
        return {};
    }

    std::string done(std::string const& expected)
    {
        auto const count = [&] {
            return std::count_if(started_.begin(), started_.end(), [](auto& each) {
                return each.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
            });
        };
        redis_test::becomes_true([&] { return count() >= std::stoll(expected); });
        return std::to_string(count());
    }

    std::string permits()
    {
        auto const log = read_stored(scene_.redis, LimiterKeys{"lim"}).log;
        return std::to_string(
            std::accumulate(log.begin(), log.end(), std::int64_t{0},
                            [](auto sum, Grant const& grant) { return sum + grant.permits; }));
    }

    Scene& scene_;
    Side& side_;
    std::vector<std::future<std::string>> started_;
};

}  // namespace

void tell(Story const& story, Scene& frozen, Side& side)
{
    frozen.redis.command({"FLUSHALL"});
    Teller teller{frozen, side};
    bool const is_ration = &side == &frozen.ration;
    std::string told;
    for (auto const& step : story.steps) {
        auto const& expected = is_ration && !step.of_ration.empty() ? step.of_ration : step.expected;
        auto const found = teller.answer(step.line, expected);
        told += "; " + step.line;
        expect_equal(found, expected, story.number + " " + story.name + ", " + side.name() + told);
    }
}

}  // namespace ration::interop
