#include "interop/cells.hpp"
#include "interop/expect.hpp"
#include "interop/grants_seen.hpp"
#include "interop/load_threads.hpp"
#include "redis/patience.hpp"

#include <algorithm>

namespace ration::interop {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int threads = 4;
Rate const shared_rate = Rate::per_second(1000);

struct Shares {
    Permits java = 0;
    Permits ration = 0;

    Permits total() const { return java + ration; }
};

class LoadCell {
public:
    LoadCell(Scene& scene, std::int64_t seed) : scene_{scene}, seed_{seed} {}

    /// Runs both, and sees that nothing is too much and nothing lost. `ration_load(limiter)` returns the permits it got.
    template <class RationLoad>
    Shares run(std::string const& name, milliseconds span, RationLoad ration_load)
    {
        expect_equal(scene_.ration("try-set", name, 1000, 1000, 0), "true", name);
        seen_ = scene_.version.counts_in_windows() ? grants_of_a_window(name, shared_rate)
                                                   : grants_of_a_log(name, shared_rate);
        redis_test::Monitor monitor{scene_.server.socket_path(), [&](auto const& line) { seen_->see(line); }};
        auto java_answer = scene_.java.start(Side::line_of("load", name, threads, span.count(), seed_));
        Shares shares;
        shares.ration = ration_load(scene_.ration.limiter(name));
        shares.java = permits_of(answer_of(java_answer, "load"));
        monitor.finish();
        seen_->finish();

        expect_equal(seen_->problem(), "", name + ", too much at once");
        expect_equal(seen_->granted(), shares.total(), name + ", permits granted by the server and received");
        all_come_back(name);
        return shares;
    }

    Shares saturate(seconds span)
    {
        return run("saturated", span, [&](RateLimiter const& limiter) {
            return permits_of(load_in_all_ways(limiter, threads, span, seed_));
        });
    }

    /// ration wants half of the rate, Java all it can get. What each got in `span`, once that goes its way.
    Shares pace(std::string const& name, seconds span)
    {
        constexpr seconds before{2};  // Java takes the first window as a whole
        Receipts receipts;
        auto const begin = std::chrono::system_clock::now() + before;
        run(name, before + span, [&](RateLimiter const& limiter) {
            receipts = paced_load(limiter, threads, before + span, shared_rate.permits() / 2);
            return sum_between(receipts, {}, std::chrono::system_clock::time_point::max());
        });
        auto const ms = [](auto time) { return time.time_since_epoch() / milliseconds{1}; };
        Shares shares{.ration = sum_between(receipts, begin, begin + span)};
        shares.java = seen_->granted_between(ms(begin), ms(begin + span)) - shares.ration;
        return shares;
    }

    std::string remark() const { return seen_->remark(); }

private:
    using SystemTime = std::chrono::system_clock::time_point;

    static Permits permits_of(std::string const& answer)
    {
        expect(!answer.starts_with("error"), "under load: " + answer);
        return std::stoll(answer);
    }

    static Permits sum_between(Receipts const& receipts, SystemTime from, SystemTime to)
    {
        Permits sum = 0;
        for (auto const& [time, permits] : receipts) {
            if (time >= from && time < to) sum += permits;
        }
        return sum;
    }

    void all_come_back(std::string const& name)
    {
        auto const comes_back = [&](Side& side) {
            expect(redis_test::becomes_true([&] { return side("try", name, 1000) == "true"; }),
                   name + ": not all permits come back to " + side.name());
        };
        comes_back(scene_.ration);
        comes_back(scene_.java);
    }

    Scene& scene_;
    std::int64_t seed_;
    std::unique_ptr<GrantsSeen> seen_;
};

std::string percent(Permits part, Permits whole)
{
    return std::to_string(whole <= 0 ? 0 : part * 100 / whole) + " %";
}

/// What each side got of its due, when ration wants half.
struct Due {
    Due(Shares const& got, seconds span)
        : java{got.java},
          ration{got.ration},
          java_due{shared_rate.permits() * span.count() - got.ration},
          ration_due{shared_rate.permits() / 2 * span.count()}
    {}

    bool is_fair() const { return java * 10 >= java_due * 8 && ration * 10 >= ration_due * 8; }

    std::string text() const
    {
        return "Java got " + percent(java, java_due) + " of its due, ration " + percent(ration, ration_due);
    }

    Permits java;
    Permits ration;
    Permits java_due;
    Permits ration_due;
};

}  // namespace

std::string load(Scene& running, seconds span, std::int64_t seed)
{
    LoadCell cell{running, seed};
    auto const saturated = cell.saturate(span);
    auto const remark = cell.remark();
    auto const told = "saturated: Java " + percent(saturated.java, saturated.total()) + " of "
                      + std::to_string(saturated.total()) + " (" + remark + "); ration paced to half: ";

    auto const paced_span = std::max(span / 3, seconds{3});
    std::string attempts;
    for (int attempt = 1; attempt <= 3; ++attempt) {  // a machine may be too busy to give anybody a share
        Due const due{cell.pace("paced-" + std::to_string(attempt), paced_span), paced_span};
        if (due.is_fair()) return told + due.text();
        attempts += due.text() + "; ";
    }
    throw Mismatch{told + "not its share, three times: " + attempts};
}

}  // namespace ration::interop
