// A cache of agents by id, in one hash whose fields expire: agent_cache redis://127.0.0.1:6379
//
// Without a server it runs inside this process.

#include <ration/ration.hpp>

#include <iostream>
#include <string>

using namespace std::chrono_literals;

namespace {

int loads = 0;

std::string load_from_database(std::string const& id)
{
    ++loads;
    return "profile of " + id;
}

//! [cache]
class Agents {
public:
    explicit Agents(ration::Client& client) : cache_{client.expiring_hash("agents")} {}

    std::string find(std::string const& id)
    {
        if (auto known = cache_.get(id)) return *known;
        std::string profile = load_from_database(id);
        cache_.put(id, profile, 10min);  // each agent is forgotten by itself
        return profile;
    }

    void changed(std::string const& id) { cache_.remove(id); }

private:
    ration::ExpiringHash cache_;
};
//! [/cache]

}  // namespace

int main(int argc, char** argv)
try {
    ration::Client client{argc > 1 ? argv[1] : "memory:", {.command_timeout = 5s}};
    client.expiring_hash("agents").clear();
    Agents cache{client};
    cache.find("007");
    cache.find("007");
    cache.find("008");
    cache.changed("007");
    cache.find("007");
    std::cout << loads << " of 4 came from the database\n";

    //! [calls]
    ration::ExpiringHash hash = client.expiring_hash("agents");
    hash.put_all({{"009", "profile of 009"}, {"010", "profile of 010"}}, 1h);
    for (auto const& [id, profile] : hash.get_all({"008", "009", "nobody"}))
        std::cout << id << ": " << profile << '\n';
    if (hash.put_if_absent("011", "being loaded", 30s)) std::cout << "011 is ours to load\n";
    hash.expire("010", 2h);  // not that soon
    hash.persist("009");     // never
    hash.for_each([](std::string const& id, std::string const&) { std::cout << id << " is known\n"; });
    std::cout << hash.size() << " agents, 011 for " << hash.remaining_ttl("011").value_or(0s) / 1s
              << " s more\n";
    //! [/calls]
    bool ok = loads == 3 && hash.size() == 5;
    //! [readme]
    auto agents = client.expiring_hash("agents");
    agents.put("007", "profile of 007", 10min);
    if (auto known = agents.get("007")) std::cout << *known << '\n';

    auto retries = client.delay_queue("retries");
    retries.offer("order 17", 50ms);
    ration::Item item = retries.take();  // waits until it is due
    //! [/readme]
    ok = ok && item.value == "order 17";
    hash.clear();
    return ok ? 0 : 1;
} catch (ration::Error const& error) {
    std::cerr << error.what() << '\n';
    return 3;
}
