#include "conformance/world.hpp"
#include "redis/support/redis_server.hpp"
#include "redis/support/resp_client.hpp"

#include <cstdlib>
#include <iostream>
#include <stdexcept>

namespace ration::conformance {

namespace {

using redis_test::RedisServer;
using redis_test::RespClient;

/// The rule for a user that may do what ration needs, and nothing else: as docs/operations.md has it.
std::vector<std::string> least_privilege(std::string const& user, std::string const& password)
{
    std::vector<std::string> rule{"ACL", "SETUSER", user, "reset", "on", ">" + password, "~*", "&*"};
    for (char const* allowed : {"+hello",
                                "+select",
                                "+ping",
                                "+client|setname",
                                "+evalsha",
                                "+eval",
                                "+time",
                                "+exists",
                                "+pttl",
                                "+pexpire",
                                "+pexpireat",
                                "+persist",
                                "+rename",
                                "+unlink",
                                "+type",
                                "+publish",
                                "+subscribe",
                                "+unsubscribe",
                                "+get",
                                "+set",
                                "+decrby",
                                "+strlen",
                                "+hgetall",
                                "+hmget",
                                "+hset",
                                "+hdel",
                                "+hexists",
                                "+hget",
                                "+hlen",
                                "+hscan",
                                "+zadd",
                                "+zcard",
                                "+zcount",
                                "+zmscore",
                                "+zrange",
                                "+zrangebyscore",
                                "+zrem",
                                "+zremrangebyrank",
                                "+zremrangebyscore",
                                "+zrevrange",
                                "+zscore"}) {
        rule.emplace_back(allowed);
    }
    return rule;
}

/// One server for all tests of this program; each begins with an empty one.
RedisServer& server()
{
    struct WithUser {
        RedisServer instance{{.tcp = true, .tls = true}};

        WithUser()
        {
            std::cout << "server: " << instance.version() << std::endl;
            RespClient admin{instance.socket_path()};
            admin.command(least_privilege("ration", "se:cr@t"));
            // An error where the server does not know them; then nobody needs them.
            admin.command({"ACL", "SETUSER", "ration", "+hpexpire", "+hpttl", "+hpersist"});
        }
    };
    static WithUser made;
    return made.instance;
}

/// Asked beside ration. Who started this program to test `native` must not be left without a word.
bool server_has_native()
{
    static bool const has_it = [] {
        RespClient admin{server().socket_path()};
        bool const found = !admin.list("COMMAND", "LIST", "FILTERBY", "PATTERN", "hpexpire").empty();
        if (!found && std::getenv("RATION_TEST_NATIVE") != nullptr)
            throw std::runtime_error{"RATION_TEST_NATIVE is set, but this server has no HPEXPIRE"};
        return found;
    }();
    return has_it;
}

class RedisWorld final : public World {
public:
    RedisWorld(std::string url, TlsOptions tls) : url_{std::move(url)}, tls_{std::move(tls)}
    {
        RespClient{server().socket_path()}.command({"FLUSHALL"});
    }

    Client client(ClientOptions options) override
    {
        options.tls = tls_;
        if (options.command_timeout == ClientOptions{}.command_timeout) options.command_timeout = patience;
        return Client{url_, std::move(options)};
    }

    void advance(Duration by) override { std::this_thread::sleep_for(by + 2ms); }

    Time wall() const override { return std::chrono::floor<Duration>(std::chrono::system_clock::now()); }
    bool time_stands_still() const override { return false; }
    bool compares_keyed_rates() const override { return false; }
    bool expires_fields_natively() const override { return server_has_native(); }

private:
    std::string const url_;
    TlsOptions const tls_;
};

}  // namespace

std::vector<NewWorld> worlds()
{
    auto const world = [](auto url, auto tls) {
        return [url, tls]() -> std::unique_ptr<World> { return std::make_unique<RedisWorld>(url(), tls()); };
    };
    auto const no_tls = [] { return TlsOptions{}; };
    return {
        {"Tcp", world([] { return server().tcp_url(); }, no_tls)},
        {"Tls",
         world([] { return server().tls_url(); }, [] { return TlsOptions{.ca_file = server().ca_file()}; })},
        {"Unix", world([] { return server().unix_url(); }, no_tls)},
        {"LeastPrivilege",
         world([] { return "redis://ration:se%3Acr%40t@127.0.0.1:" + std::to_string(server().tcp_port()); },
               no_tls)},
    };
}

}  // namespace ration::conformance
