#include "interop/matrix.hpp"

#include "interop/cells.hpp"
#include "interop/checks.hpp"
#include "interop/report.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <iomanip>
#include <iostream>
#include <memory>
#include <thread>

namespace ration::interop {

namespace {

constexpr std::array cell_names{"bytes", "turns", "load", "lifecycle"};
using Row = std::array<bool, cell_names.size()>;

class Matrix {
public:
    explicit Matrix(Options const& options) : options_{options}, jars_{options.jars}
    {
        for (auto const& name : options.versions) versions_.push_back(jars_.version(name));
        rows_.resize(versions_.size());
    }

    void run()
    {
        std::vector<std::function<void()>> tasks;
        tasks.reserve(versions_.size());
        for (std::size_t i = 0; i < versions_.size(); ++i)
            tasks.emplace_back([this, i] { test(versions_[i], rows_[i]); });
        add_checks(tasks);
        std::atomic<std::size_t> next{0};
        std::vector<std::jthread> workers;
        workers.reserve(static_cast<std::size_t>(options_.at_once));
        for (int i = 0; i < options_.at_once; ++i) {
            workers.emplace_back([&] {
                for (auto at = next++; at < tasks.size(); at = next++) tasks[at]();
            });
        }
    }

    bool print() const
    {
        std::cout << '\n' << std::left << std::setw(18) << "Redisson";
        for (auto const* name : cell_names) std::cout << std::setw(11) << name;
        std::cout << '\n';
        std::size_t good = 0;
        for (std::size_t i = 0; i < versions_.size(); ++i) {
            std::cout << std::setw(18) << title(versions_[i]);
            for (bool const cell : rows_[i]) {
                std::cout << std::setw(11) << (cell ? "ok" : "FAILED");
                good += cell ? 1 : 0;
            }
            std::cout << '\n';
        }
        if (failed_checks_ > 0) std::cout << failed_checks_ << " of the checks beside the matrix FAILED\n";
        auto const all = versions_.size() * cell_names.size();
        std::cout << "interop: " << good << " of " << all << " cells" << std::endl;
        return good == all && failed_checks_ == 0;
    }

private:
    static std::string title(Version const& version)
    {
        return version.name == version.text ? version.name : version.name + " (" + version.text + ")";
    }

    // ---- the cells of one version ----

    void test(Version const& version, Row& row)
    {
        std::unique_ptr<Scene> frozen;
        std::unique_ptr<Scene> running;
        auto const with = [&](std::unique_ptr<Scene>& scene, Scene::Time time) -> Scene& {
            if (!scene) scene = std::make_unique<Scene>(jars_, version, time);
            scene->redis.command({"FLUSHALL"});
            return *scene;
        };
        auto const with_frozen = [&]() -> Scene& { return with(frozen, Scene::Time::frozen); };
        auto const with_running = [&]() -> Scene& { return with(running, Scene::Time::running); };
        auto const cell = [&](std::size_t number, std::function<std::string()> const& action) {
            row.at(number) = report_.run(title(version), cell_names.at(number), action);
        };
        cell(0, [&] { return bytes(with_frozen()); });
        cell(1, [&] {
            return turns(with_frozen(), with_running(), {.seed = options_.seed, .turns = options_.turns});
        });
        cell(3, [&] { return lifecycle(with_frozen()); });
        frozen.reset();
        std::lock_guard const alone{under_load_};
        cell(2,
             [&] { return load(with_running(), options_.load, static_cast<std::int64_t>(options_.seed)); });
    }

    // ---- beside the matrix ----

    /// Each needs versions of its own. The usual ones are there; who picks others is told what is left out.
    void add_checks(std::vector<std::function<void()>>& tasks)
    {
        auto const add = [&](char const* name, std::vector<std::string> const& needed, auto const& check) {
            for (auto const& each : needed) {
                if (std::count(options_.versions.begin(), options_.versions.end(), each) == 0) {
                    std::cout << name << ": left out, it needs Redisson " << each << std::endl;
                    return;
                }
            }
            tasks.emplace_back([=, this] {
                if (!report_.run("beside the matrix", name, check)) ++failed_checks_;
            });
        };
        add("behaviours", {"4.7.0"}, [this] { return behaviours(jars_, jars_.version("4.7.0")); });
        add("upgrade", {"3.16.1", "3.34.0"},
            [this] { return rolling_upgrade(jars_, jars_.version("3.16.1"), jars_.version("3.34.0")); });
        add("clock skew", {"4.7.0"}, [this] { return clock_skew(jars_, jars_.version("4.7.0")); });
    }

    Options options_;
    Jars jars_;
    std::vector<Version> versions_;
    std::vector<Row> rows_;
    Report report_;
    std::atomic<int> failed_checks_{0};
    std::mutex under_load_;
};

}  // namespace

bool run_matrix(Options const& options)
{
    std::cout << "seed " << options.seed << std::endl;
    Matrix matrix{options};
    matrix.run();
    return matrix.print();
}

}  // namespace ration::interop
