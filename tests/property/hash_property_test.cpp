// Hashes and delay queues of the embedded store, against their models.

#include "memory/memory_hash.hpp"
#include "memory/memory_queue.hpp"
#include "property/hash_walk.hpp"
#include "property/queue_walk.hpp"

#include <gtest/gtest.h>

namespace ration::memory {
namespace {

/// A clock that can be set anywhere, back too, which the machine's own never is.
class AnyClock final : public Clock {
public:
    Time now() const noexcept override { return time; }
    Time wall() const noexcept override { return time; }

    Time time{};
};

TEST(EmbeddedHash, IsWhatTheModelSays)
{
    SCOPED_TRACE(testing::seed_text());
    for (std::uint64_t walk = 0; walk < 12 && !HasFailure(); ++walk) {
        auto const clock = std::make_shared<AnyClock>();
        MemoryHash hash{std::make_shared<HashData>(), clock, {}};
        testing::HashWalk{{hash, [&](Time time) { clock->time = time; }}, testing::seed() + walk}.run(2000);
    }
}

TEST(EmbeddedQueue, IsWhatTheModelSays)
{
    SCOPED_TRACE(testing::seed_text());
    for (std::uint64_t walk = 0; walk < 12 && !HasFailure(); ++walk) {
        auto const clock = std::make_shared<AnyClock>();
        QueueOptions const options{.lease = std::chrono::milliseconds{25},
                                   .acknowledge =
                                       walk % 2 == 0 ? Acknowledge::manual : Acknowledge::automatic};
        MemoryQueue queue{std::make_shared<QueueData>(), clock, options};
        auto const lease = walk % 2 == 0 ? std::optional{options.lease} : std::nullopt;
        testing::QueueWalk{{queue, lease, [&](Time time) { clock->time = time; }}, testing::seed() + walk}
            .run(2000);
    }
}

}  // namespace
}  // namespace ration::memory
