#pragma once

#include "core/conflict.hpp"
#include "core/store.hpp"
#include "redis/answers.hpp"
#include "redis/stored_config.hpp"

namespace ration::redis {

inline core::NoAnswer no_answer(Failure failure)
{
    return {failure.code, failure.transient, std::make_shared<std::string const>(std::move(failure.detail))};
}

/// What a reply says instead of what was asked for: an error, and the rest of its sentence.
struct Refusal {
    Errc code;
    std::string detail;
};

/// Requires: a status other than ok.
inline Refusal refusal(Values values, std::optional<Algorithm> expected)
{
    switch (status_of(values)) {
    case Status::not_initialized: return {Errc::not_initialized, {}};
    case Status::invalid: return {Errc::invalid_argument, text_at(values, 1)};
    case Status::conflict: {
        auto const stored = algorithm_named(text_at(values, 1));
        auto const wanted = values.size() > 2 ? algorithm_named(text_at(values, 2)) : expected;
        return {Errc::config_conflict, stored && wanted ? core::stored_as(*stored, *wanted) : std::string{}};
    }
    default: return {Errc::incompatible_data, text_at(values, 1)};
    }
}

/// The reply to a question: if the answer was lost, nothing was taken with it.
template <class T>
core::Reply<T> for_question(core::Reply<T> reply)
{
    return [reply = std::move(reply)](core::Result<T> result) mutable {
        if (result.error == Errc::outcome_unknown) result.error = Errc::store_unavailable;
        reply(std::move(result));
    };
}

/// Completes an operation beside the queue: `decode(values)` makes the result of a reply that is ok.
template <class T, class Decode>
core::UniqueFunction<void(Reply)> result_of(std::optional<Algorithm> expected, core::Reply<T> reply,
                                            Decode decode)
{
    return [expected, decode, reply = std::move(reply)](Reply answer) mutable {
        if (auto* const failure = std::get_if<Failure>(&answer)) {
            reply(core::Result<T>::failed(failure->code, std::move(failure->detail)));
            return;
        }
        auto const& values = std::get<std::vector<Value>>(answer);
        if (status_of(values) == Status::ok) {
            reply(decode(values));
        } else {
            auto [code, detail] = refusal(values, expected);
            reply(core::Result<T>::failed(code, std::move(detail)));
        }
    };
}

}  // namespace ration::redis
