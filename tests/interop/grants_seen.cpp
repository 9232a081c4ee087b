#include "interop/grants_seen.hpp"

#include "interop/stored.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace ration::interop {

namespace {

using std::chrono::milliseconds;

std::string upper(std::string text)
{
    for (auto& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

class LogGrants final : public GrantsSeen {
public:
    LogGrants(std::string const& name, Rate const& rate)
        : key_{LimiterKeys{name}.permits}, rate_{rate.permits()}, interval_{rate.interval() / milliseconds{1}}
    {}

    /// ZADD key [NX] score member
    void see(redis_test::MonitorLine const& line) override
    {
        auto const& words = line.words;
        if (words.size() < 4 || words[1] != key_ || upper(words[0]) != "ZADD") return;
        auto const grant = grant_of(words.back(), std::stoll(words[words.size() - 2]));
        note(line.time_ms, grant.permits);
        longest_way_ = std::max(longest_way_, line.time_ms - grant.time_ms);
        enter(line.time_ms, grant);
    }

    void finish() override
    {
        if (auto const most = most_in(interval_ - longest_way_); most > rate_)
            complain(std::to_string(most) + " permits were granted within an interval less the longest way");
    }

    std::string remark() const override
    {
        return "most in any second of the server " + std::to_string(most_in(interval_))
               + ", longest way of a call to the server " + std::to_string(longest_way_) + " ms";
    }

private:
    void enter(std::int64_t now, Grant const& grant)
    {
        for (auto first = out_.begin(); first != out_.end() && first->first <= now; first = out_.erase(first))
            sum_ -= first->second;
        out_.emplace(grant.time_ms + interval_, grant.permits);
        sum_ += grant.permits;
        if (sum_ > rate_)
            complain("at " + std::to_string(now) + ", " + std::to_string(sum_) + " permits are out");
    }

    std::string key_;
    Permits rate_;
    std::int64_t interval_;
    std::multimap<std::int64_t, Permits> out_;  ///< by the time at which they are free
    Permits sum_ = 0;
    std::int64_t longest_way_ = 0;
};

class WindowGrants final : public GrantsSeen {
public:
    WindowGrants(std::string const& name, Rate const& rate)
        : key_{LimiterKeys{name}.value}, rate_{rate.permits()}, interval_{rate.interval() / milliseconds{1}}
    {}

    /// SET key value PX ms, or DECRBY key permits
    void see(redis_test::MonitorLine const& line) override
    {
        auto const& words = line.words;
        if (words.size() < 3 || words[1] != key_) return;
        auto const command = upper(words[0]);
        auto const number = std::stoll(words[2]);
        if (command == "DECRBY") {
            change_to(value_ - number, line.time_ms);
        } else if (command == "SET") {
            if (words.size() == 5 && begins_anew(std::stoll(words[4]), line.time_ms)) open(line.time_ms);
            change_to(number, line.time_ms);
        }
    }

    std::string remark() const override { return std::to_string(windows_) + " windows"; }

private:
    /// A window that has all its time left is new, or has been opened in this very millisecond.
    bool begins_anew(std::int64_t time_left, std::int64_t now) const
    {
        return time_left == interval_ && (windows_ == 0 || now - opened_ > interval_ / 2);
    }

    void open(std::int64_t now)
    {
        ++windows_;
        opened_ = now;
        value_ = rate_;
        if (windows_ == 1) first_ = now;
        constexpr std::int64_t slack =
            500;  // of a busy server between the command and the line that shows it
        if ((windows_ - 1) * interval_ > now - first_ + slack) {
            complain("at " + std::to_string(now) + " window " + std::to_string(windows_)
                     + " opened, the first at " + std::to_string(first_));
        }
    }

    void change_to(Permits value, std::int64_t now)
    {
        if (value < 0) complain("the counter fell to " + std::to_string(value));
        if (value > value_) complain("the counter rose to " + std::to_string(value) + " in an open window");
        note(now, value_ - value);
        value_ = value;
    }

    std::string key_;
    Permits rate_;
    std::int64_t interval_;
    Permits value_ = 0;
    std::int64_t windows_ = 0;
    std::int64_t first_ = 0;
    std::int64_t opened_ = 0;
};

}  // namespace

Permits GrantsSeen::granted_between(std::int64_t from_ms, std::int64_t to_ms) const
{
    Permits sum = 0;
    for (auto const& [time_ms, permits] : grants_) {
        if (time_ms >= from_ms && time_ms < to_ms) sum += permits;
    }
    return sum;
}

Permits GrantsSeen::most_in(std::int64_t span_ms) const
{
    Permits most = 0;
    Permits sum = 0;
    auto first = grants_.begin();
    for (auto const& [time_ms, permits] : grants_) {
        sum += permits;
        for (; first->first <= time_ms - span_ms; ++first) sum -= first->second;
        most = std::max(most, sum);
    }
    return most;
}

std::unique_ptr<GrantsSeen> grants_of_a_log(std::string const& name, Rate const& rate)
{
    return std::make_unique<LogGrants>(name, rate);
}

std::unique_ptr<GrantsSeen> grants_of_a_window(std::string const& name, Rate const& rate)
{
    return std::make_unique<WindowGrants>(name, rate);
}

}  // namespace ration::interop
