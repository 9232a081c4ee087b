#include "client/reply.hpp"

namespace ration::client {

core::Reply<Decision> peek_behind(QueueDriver* driver, Permits n, core::Reply<Decision> reply)
{
    auto const behind = driver ? driver->denial_behind_head() : std::nullopt;
    return [n, behind, reply = std::move(reply)](core::Result<Decision> result) mutable {
        if (result.error == Errc::permits_exceed_rate) {
            result.detail = problem_of({result.error, result.value, {}}, n).detail;
        } else if (!result.error && behind) {
            result.value = *behind;
        }
        reply(std::move(result));
    };
}

}  // namespace ration::client
