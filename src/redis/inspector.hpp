#pragma once

#include "redis/questions.hpp"
#include "redis/sight.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ration::redis {

struct ClientSight {
    std::string id;
    StateSight state{};
};

/// One limiter, looked at.
struct LimiterSight {
    std::string name;
    LimiterConfig config;
    Generation generation = Generation::redisson;
    StateSight state{};  ///< shared; per client: of the one asked for, else of one who comes anew
    std::vector<ClientSight> clients{};    ///< per client: those who have state
    std::optional<Duration> ttl{};         ///< empty: it does not expire
    std::optional<std::int64_t> memory{};  ///< bytes of all its keys; empty if the user may not ask
    Time now{};                            ///< the server's clock
    std::vector<std::string> missing{};    ///< what this user could not see, as sentences
};

struct InspectOptions {
    std::optional<Algorithm> algorithm{};   ///< what it is where the data does not say
    std::string client_id{};                ///< whose state `LimiterSight::state` is, with a limit per client
    std::int64_t most_members = 1'000'000;  ///< of a log; if it has more, its value is believed
    bool find_clients = false;  ///< also those that are registered nowhere (Java's), by a scan over all keys
    std::vector<std::string> known_clients{};  ///< also these, if they have state
    std::size_t most_clients = 10'000;         ///< that are looked at
    bool memory = true;
};

/// Looks at limiters by reading their keys. Writes nothing, needs no script: a user who may only read will do. All calls
/// throw Error.
class Inspector {
public:
    Inspector(std::string const& url, TlsOptions const& tls, Duration command_timeout);

    /// not_initialized if there is none.
    LimiterSight look(std::string const& name, InspectOptions const& options = {});

    struct Scanned {
        std::optional<std::int64_t> keys{};   ///< that the database has; empty if the user may not ask
        std::int64_t limiters = 0;            ///< that were shown
        std::vector<std::string> problems{};  ///< limiters that could not be read, as sentences
    };

    /// Shows every limiter whose name matches a glob pattern, in no order. Goes by SCAN, so that the server is never
    /// blocked; what comes or goes meanwhile may be missed.
    Scanned scan(std::string const& pattern, InspectOptions const& options,
                 std::function<void(LimiterSight const&)> const& show);

private:
    RawState read_state(std::string const& name, std::string const& client_id, LimiterConfig const& config,
                        Time now, std::int64_t most_members);
    void read_live(std::string const& log_key, RawState& raw, std::string const& horizon,
                   std::int64_t most_members);
    void see_shared(LimiterSight& sight, InspectOptions const& options);
    void see_clients(LimiterSight& sight, InspectOptions const& options);
    std::vector<std::string> client_ids(LimiterSight& sight, InspectOptions const& options);
    void measure_memory(LimiterSight& sight, std::string const& client_id);

    template <class Visit>
    void scan_keys(std::vector<std::string> const& filter, Visit visit);

    Questions questions_;
};

}  // namespace ration::redis
