#include "interop/cells.hpp"
#include "interop/expect.hpp"
#include "interop/stored.hpp"

#include <functional>
#include <vector>

namespace ration::interop {

namespace {

/// The same calls, made by each side on a limiter of its own. `@` is the limiter; "advance MS" moves the clock.
struct Same {
    std::string what;
    std::function<bool(Version const&)> applies;
    std::vector<std::string> steps;
    std::string prefix = {};  ///< of the limiters' names
};

bool to_all(Version const&)
{
    return true;
}

std::vector<Same> const stories{
    {"grants and denials",
     to_all,
     {"try-set @ 10 2000 0", "try-set @ 20 2000 0", "try @ 3", "advance 100", "try @ 2", "try @ 6",
      "advance 1901", "try @ 4"}},
    {"all of it, twice", to_all, {"try-set @ 10 2000 0", "try @ 10", "advance 2001", "try @ 10"}},
    {"large numbers", to_all, {"try-set @ 4294967295 86400000 0", "try @ 16909060", "try @ 4000000000"}},
    {"a name with braces", to_all, {"try-set @ 10 2000 0", "try @ 3"}, "a{b}c"},
    {"each client for itself",
     to_all,
     {"try-set @ 10 2000 1", "try @ 3", "advance 100", "try @ 8", "try @ 7"}},
    {"removed",
     [](Version const& version) { return version.delete_tells(); },
     {"try-set @ 10 2000 0", "try @ 3", "delete @", "exists @"}},
    {"it ends by itself",
     [](Version const& version) { return version.has_expiry(); },
     {"try-set @ 10 2000 0", "try @ 3", "expire @ 7000", "advance 1000", "try @ 2", "time-to-live @",
      "clear-expiry @", "time-to-live @"}},
    {"replaced",
     [](Version const& version) { return version.has_set_rate(); },
     {"set @ 10 2000 0", "try @ 4", "set @ 20 1000 0", "try @ 4", "config @"}},
    {"kept alive by its use",
     [](Version const& version) { return version.has_keep_alive(); },
     {"try-set @ 10 2000 0 5000", "advance 1000", "try @ 4", "advance 1000", "try @ 8", "advance 5001",
      "exists @"}},
    {"updated",
     [](Version const& version) { return version.has_update(); },
     {"set-args @ 10 5000 0 0 0", "try @ 3", "advance 100", "update @ 20 6000 0 0 1", "try @ 2",
      "update @ 5 100 0 0 1", "try @ 5"}},
};

class BytesCell {
public:
    explicit BytesCell(Scene& scene) : scene_{scene} {}

    std::string run()
    {
        int told = 0;
        for (auto const& story : stories) {
            if (!story.applies(scene_.version)) continue;
            tell(story);
            ++told;
        }
        return std::to_string(told) + " stories";
    }

private:
    void tell(Same const& story)
    {
        by_java_ = story.prefix + "by-java";
        by_ration_ = story.prefix + "by-ration";
        for (auto const& step : story.steps) {
            auto const what = "'" + story.what + "' at '" + step + "'";
            if (step.starts_with("advance ")) {
                scene_.advance(std::stoll(step.substr(8)));
            } else {
                expect_equal(scene_.ration.ask(for_limiter(step, by_ration_)),
                             scene_.java.ask(for_limiter(step, by_java_)),
                             what + ", ration's answer and Java's");
                expect_same_stored(what);
            }
        }
        read_each_other("'" + story.what + "'");
        scene_.redis.command({"FLUSHALL"});
    }

    static std::string for_limiter(std::string step, std::string const& name)
    {
        return step.replace(step.find('@'), 1, name);
    }

    void expect_same_stored(std::string const& what)
    {
        auto const stored_as = [&](std::string const& name) {
            return to_string(without_known_differences(read_stored(scene_.redis, keys_of(name))));
        };
        expect_equal(stored_as(by_ration_), stored_as(by_java_),
                     what + ", what ration stored and what Java stored");
    }

    /// Of whichever client has written there: Java does not tell its id.
    LimiterKeys keys_of(std::string const& name)
    {
        LimiterKeys const shared{name};
        auto const own = scene_.redis.list("KEYS", shared.value + ":*");  // braces mean nothing in a pattern
        return own.empty() ? shared : LimiterKeys{name, own.at(0).substr(shared.value.size() + 1)};
    }

    /// The table "what is stored" of docs/redisson.md.
    Stored without_known_differences(Stored stored) const
    {
        stored.config.erase("algorithm");  // ours; Java does not read it
        if (!scene_.version.has_keep_alive()) stored.config.erase("keepAliveTime");
        bool const per_client = stored.config["type"] == "1";
        if (!scene_.version.counts_in_windows() && (per_client || !scene_.version.copies_time_to_live()))
            stored.value_ttl = stored.log_ttl = 0;
        return stored;
    }

    void read_each_other(std::string const& what)
    {
        auto const both = [&](std::string const& line) {
            auto const ours = scene_.ration.ask(for_limiter(line, by_java_));
            auto const theirs = scene_.java.ask(for_limiter(line, by_ration_));
            if (theirs == "missing") return;
            expect_equal(theirs, ours, what + ", what Java read of ration's and ration of Java's: " + line);
        };
        if (scene_.ration("exists", by_java_) == "true") {
            both("config @");
            both("available @");
            both("try @ 1");
            both("try @ 5");
        }
        both("exists @");
    }

    Scene& scene_;
    std::string by_java_;
    std::string by_ration_;
};

}  // namespace

std::string bytes(Scene& frozen)
{
    return BytesCell{frozen}.run();
}

}  // namespace ration::interop
