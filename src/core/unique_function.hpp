#pragma once

#include <memory>
#include <utility>

namespace ration::core {

template <class Signature>
class UniqueFunction;

/// A function object that can only be moved, so that it may own a completion handler.
/// (std::move_only_function is C++23.)
template <class R, class... Arguments>
class UniqueFunction<R(Arguments...)> {
public:
    template <class F>
    UniqueFunction(F f)
        : target_{std::make_unique<Target<F>>(std::move(f))}  // implicit, as std::function's is
    {}

    R operator()(Arguments... arguments) { return target_->call(std::forward<Arguments>(arguments)...); }

private:
    struct Callable {
        virtual ~Callable() = default;
        virtual R call(Arguments... arguments) = 0;
    };

    template <class F>
    struct Target final : Callable {
        explicit Target(F f) : function{std::move(f)} {}
        R call(Arguments... arguments) override { return function(std::forward<Arguments>(arguments)...); }
        F function;
    };

    std::unique_ptr<Callable> target_;
};

}  // namespace ration::core
