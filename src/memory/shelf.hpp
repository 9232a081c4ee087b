#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace ration::memory {

/// Things with names. One that is empty and that nobody holds is dropped some time later. Thread-safe.
///
/// Requires of Thing: `bool is_empty()`, thread-safe.
template <class Thing>
class Shelf {
public:
    std::shared_ptr<Thing> at(std::string const& name)
    {
        std::lock_guard const lock{mutex_};
        if (things_.size() >= tidy_at_) {
            // Each time their number has doubled, so opening one stays cheap on average.
            std::erase_if(things_, [](auto const& named) {
                return named.second.use_count() == 1 && named.second->is_empty();
            });
            tidy_at_ = std::max<std::size_t>(64, 2 * things_.size());
        }
        auto& thing = things_[name];
        if (!thing) thing = std::make_shared<Thing>();
        return thing;
    }

private:
    std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<Thing>> things_;
    std::size_t tidy_at_ = 64;
};

}  // namespace ration::memory
