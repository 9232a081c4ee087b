#pragma once

#include "client/sentences.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace ration::client {

/// What a client has open, by name: opened twice it is one and the same.
///
/// Thing has `options()`; its destructor calls `forget`.
template <class Thing, class Options>
class Registry {
public:
    /// `make(name)` makes a new one. Throws Error about `who` if it is open with other options. None are always right, if there
    /// is such a thing.
    template <class Make>
    std::shared_ptr<Thing> open(std::string_view name, Options const& options, std::string const& who,
                                Make make)
    {
        std::string key{name};
        std::shared_ptr<Thing> thing;  // outlives the lock: its destructor takes it
        std::lock_guard const lock{mutex_};
        auto& known = things_[key];
        thing = known.lock();
        if (!thing) {
            thing = make(std::move(key));
            known = thing;
        } else if (!are_none(options) && options != thing->options()) {
            throw make_error(who, {Errc::config_conflict, "this client has it open with other options; "
                                                          "give the same ones"
                                                              + std::string{may_be_none ? ", or none" : ""}});
        }
        return thing;
    }

    /// Of one that is being destroyed, unless a new one has taken its place.
    void forget(std::string const& name)
    {
        std::lock_guard const lock{mutex_};
        auto const found = things_.find(name);
        if (found != things_.end() && found->second.expired()) things_.erase(found);
    }

    std::vector<std::shared_ptr<Thing>> all() const
    {
        std::vector<std::shared_ptr<Thing>> all;
        std::lock_guard const lock{mutex_};
        for (auto const& [name, weak] : things_) {
            if (auto thing = weak.lock()) all.push_back(std::move(thing));
        }
        return all;
    }

private:
    static constexpr bool may_be_none = std::is_default_constructible_v<Options>;

    static bool are_none(Options const& options)
    {
        if constexpr (may_be_none) return options == Options{};
        return false;
    }

    std::mutex mutable mutex_;
    std::unordered_map<std::string, std::weak_ptr<Thing>> things_;
};

}  // namespace ration::client
