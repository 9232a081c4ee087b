#pragma once

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/system/error_code.hpp>

#include <type_traits>
#include <utility>

namespace ration::detail {

template <class T>
struct SignatureOf {
    using type = void(boost::system::error_code, T);
};
template <>
struct SignatureOf<void> {
    using type = void(boost::system::error_code);
};

/// void(error_code, T), or void(error_code) for an operation without a result.
template <class T>
using Signature = typename SignatureOf<T>::type;

/// Any completion handler for T, erased so that the code behind it is compiled once, and where it wants to run.
///
/// The executor is kept beside the handler because the one that any_completion_handler offers cannot promise to
/// run it later, and a handler must never run inside the call that completes it.
template <class T>
struct Handler {
    boost::asio::any_completion_handler<Signature<T>> function;
    boost::asio::any_io_executor executor;
};

/// Starts an operation once its handler is known. A named type and not a lambda: asio::cancel_after asks the
/// initiation for its executor.
template <class T, class Start>
class Initiation {
public:
    using executor_type = boost::asio::any_io_executor;

    Initiation(executor_type executor, Start start) : executor_{std::move(executor)}, start_{std::move(start)}
    {}

    executor_type get_executor() const noexcept { return executor_; }

    template <class CompletionHandler>
    void operator()(CompletionHandler&& handler)
    {
        auto target = boost::asio::get_associated_executor(handler, executor_);
        if constexpr (std::is_convertible_v<decltype(target), executor_type>) {
            start_(Handler<T>{std::forward<CompletionHandler>(handler), std::move(target)});
        } else {
            // An executor we cannot keep: from ours, go on to the handler's.
            auto const slot = boost::asio::get_associated_cancellation_slot(handler);
            auto hop = [handler = std::forward<CompletionHandler>(handler)](auto... results) mutable {
                boost::asio::dispatch(boost::asio::append(std::move(handler), std::move(results)...));
            };
            start_(Handler<T>{boost::asio::bind_cancellation_slot(slot, std::move(hop)), executor_});
        }
    }

private:
    executor_type executor_;
    Start start_;  // called with the handler; owns what the operation needs
};

template <class T, class Start, class Token>
auto initiate(boost::asio::any_io_executor executor, Start start, Token&& token)
{
    return boost::asio::async_initiate<Token, Signature<T>>(
        Initiation<T, Start>{std::move(executor), std::move(start)}, token);
}

/// Tells a completion token from a number of permits.
template <class T>
concept NotANumber = !std::is_arithmetic_v<std::remove_cvref_t<T>>;

}  // namespace ration::detail
