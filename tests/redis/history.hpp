#pragma once

#include "redis/monitor.hpp"

#include <ration/rate.hpp>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ration::redis_test {

/// The whole history of one sliding log, by the server's time, and the laws that it must obey:
///
///   - whenever something is granted, what was granted in (t - interval, t] and not released since is at most the rate
///   - after each script, the value and the permits in the log are the rate
///
/// It goes by the commands that the server executed and repeats them on a copy. `name` has no braces.
class History {
public:
    History(std::string const& name, Rate const& rate)
        : value_key_{"{" + name + "}:value"},
          log_key_{"{" + name + "}:permits"},
          rate_{rate.permits()},
          interval_ms_{rate.interval() / std::chrono::milliseconds{1}}
    {}

    void see(MonitorLine const& line)
    {
        if (!line.by_script) check_sum();  // the script before it, if any, has ended
        now_ms_ = line.time_ms;
        auto const& words = line.words;
        if (words.size() < 2) return;
        if (words[0] == "UNLINK" || words[0] == "DEL") {
            for (std::size_t i = 1; i < words.size(); ++i) drop_key(words[i]);
        } else if (words[1] == value_key_) {
            if (words[0] == "SET") value_ = std::stoll(words[2]);
            if (words[0] == "DECRBY" && value_) *value_ -= std::stoll(words[2]);
        } else if (words[1] == log_key_) {
            change_log(words);
        }
    }

    Permits granted() const { return granted_; }
    Permits given_back() const { return given_back_; }  ///< left the log before their time
    int grants() const { return grants_; }

    /// The first breach of a law, or nothing.
    std::string problem() const { return problem_; }

private:
    using Member = std::pair<std::int64_t, std::string>;

    static Permits permits_of(std::string const& member)
    {
        std::uint32_t permits = 0;
        std::memcpy(&permits, member.data() + member.size() - sizeof permits, sizeof permits);
        return permits;
    }

    void change_log(std::vector<std::string> const& words)
    {
        if (words[0] == "ZADD" && words[2] == "NX") {
            enter(std::stoll(words[3]), words[4]);
        } else if (words[0] == "ZADD") {  // a part of it was released
            add({std::stoll(words[2]), words[3]});
            given_back_ -= permits_of(words[3]);
        } else if (words[0] == "ZREM") {
            for (auto member = log_.begin(); member != log_.end(); ++member) {
                if (member->second == words[2]) return drop(member, std::next(member));
            }
        } else if (words[0] == "ZREMRANGEBYRANK") {
            auto const from = std::next(log_.begin(), std::stoll(words[2]));
            drop(from, std::next(from, std::stoll(words[3]) - std::stoll(words[2]) + 1));
        } else if (words[0].starts_with("ZREM") || words[0] == "RENAME") {
            complain(words[0] + " is not expected here");
        }
    }

    void enter(std::int64_t time_ms, std::string const& member)
    {
        add({time_ms, member});
        granted_ += permits_of(member);
        ++grants_;
        Permits in_window = 0;
        for (auto each = log_.rbegin(); each != log_.rend() && each->first > time_ms - interval_ms_; ++each) {
            in_window += permits_of(each->second);
        }
        if (in_window > rate_) {
            complain(std::to_string(in_window) + " permits in the interval that ends at "
                     + std::to_string(time_ms));
        }
    }

    void add(Member member)
    {
        sum_ += permits_of(member.second);
        log_.insert(std::move(member));
    }

    void drop(std::set<Member>::iterator from, std::set<Member>::iterator to)
    {
        for (auto member = from; member != to; ++member) {
            sum_ -= permits_of(member->second);
            if (member->first > now_ms_ - interval_ms_) given_back_ += permits_of(member->second);
        }
        log_.erase(from, to);
    }

    void drop_key(std::string const& key)
    {
        if (key == value_key_) value_.reset();
        if (key == log_key_) drop(log_.begin(), log_.end());
    }

    void check_sum()
    {
        if (value_.value_or(rate_) + sum_ == rate_) return;
        complain("at " + std::to_string(now_ms_) + " the value was " + std::to_string(value_.value_or(rate_))
                 + " and the log held " + std::to_string(sum_));
    }

    void complain(std::string text)
    {
        if (problem_.empty()) problem_ = std::move(text);
    }

    std::string value_key_;
    std::string log_key_;
    Permits rate_;
    std::int64_t interval_ms_;
    std::int64_t now_ms_ = 0;
    std::optional<Permits> value_;
    std::set<Member> log_;  // in the server's order
    Permits sum_ = 0;       // of the log
    Permits granted_ = 0;
    Permits given_back_ = 0;
    int grants_ = 0;
    std::string problem_;
};

/// A history that is being written.
class WatchedHistory {
public:
    WatchedHistory(std::string const& socket_path, std::string const& name, Rate const& rate)
        : history_{name, rate},
          monitor_{socket_path, [this](MonitorLine const& line) { history_.see(line); }, "watcher"}
    {}

    /// Of all that was executed before this call.
    History const& finished()
    {
        monitor_.finish();
        return history_;
    }

private:
    History history_;
    Monitor monitor_;
};

}  // namespace ration::redis_test
