#include "interop/scene.hpp"

#include <atomic>

namespace ration::interop {

using std::chrono::milliseconds;

Scene::Scene(Jars const& jars, Version chosen, Time time)
    : version{std::move(chosen)},
      server{{.tcp = true, .own_clock = true}},
      redis{server.socket_path()},
      java{java_command(jars, version, server)},
      ration{server.unix_url(), version.options()}
{
    if (time == Time::frozen) server.clock().freeze(std::chrono::floor<milliseconds>(server.clock().now()));
}

ProcessSide::Command java_command(Jars const& jars, Version const& version,
                                  redis_test::RedisServer const& server)
{
    static std::atomic<int> started{0};
    auto const log = "java-" + std::to_string(++started) + ".log";
    return {.name = "Redisson " + version.text,
            .arguments = jars.command(version, server.tcp_port()),
            .environment = server.clock_environment(),
            .log = std::filesystem::path{server.socket_path()}.replace_filename(log)};
}

std::int64_t Scene::now_ms()
{
    return server.clock().now().time_since_epoch() / milliseconds{1};
}

}  // namespace ration::interop
