#include <ration/error.hpp>

#include <cstddef>
#include <new>

namespace ration {
namespace {

class Category final : public std::error_category {
public:
    char const* name() const noexcept override { return "ration"; }

    std::string message(int value) const override
    {
        switch (static_cast<Errc>(value)) {
        case Errc::permits_exceed_rate: return "more permits asked than the limiter can ever hold";
        case Errc::not_initialized: return "no rate is set under this name";
        case Errc::invalid_argument: return "an argument that can never be right";
        case Errc::store_unavailable: return "the store was not reached; nothing was taken";
        case Errc::outcome_unknown: return "the store's answer was lost; the permits count as used";
        case Errc::incompatible_data:
            return "the store holds something under this name that ration cannot read";
        case Errc::config_conflict: return "what is stored and what the call asks for do not go together";
        case Errc::would_deadlock: return "a blocking call would wait for the very thread it runs on";
        case Errc::queue_full: return "too many requests are waiting";
        case Errc::client_closed: return "the client is closed";
        case Errc::cancelled: return "cancelled by the caller";
        case Errc::too_many_keys: return "the keyed limiter is full of keys that are all in use";
        case Errc::access_denied: return "the store refused this user";
        }
        return "unknown ration error " + std::to_string(value);
    }

    std::error_condition default_error_condition(int value) const noexcept override
    {
        // Callers that know nothing of ration still recognise these two. An `if` and not a switch: every
        // other error is its own condition.
        if (static_cast<Errc>(value) == Errc::cancelled) return std::errc::operation_canceled;
        if (static_cast<Errc>(value) == Errc::invalid_argument) return std::errc::invalid_argument;
        return {value, *this};
    }
};

}  // namespace

std::error_category const& error_category() noexcept
{
    // Never destroyed: an error may be looked at while the program ends.
    alignas(Category) static std::byte room[sizeof(Category)];
    static Category const& category = *new (room) Category;
    return category;
}

std::error_code make_error_code(Errc code) noexcept
{
    return {static_cast<int>(code), error_category()};
}

Error::Error(Errc code, std::string const& sentence)
    : std::system_error{make_error_code(code), sentence},
      sentence_{std::make_shared<std::string const>(sentence)}
{}

}  // namespace ration
