#include "hash_place.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace ration::bench {

namespace {

using namespace std::chrono_literals;

constexpr auto patience = 20s;

struct NativeServer {
    redis_test::RedisServer server{{.tcp = true, .program = RATION_NATIVE_SERVER}};
    redis_test::RespClient control{server.socket_path()};
};

NativeServer& native_server()
{
    static NativeServer native;
    return native;
}

bool has_native()
{
    return std::filesystem::exists(RATION_NATIVE_SERVER);
}

double number_after(std::string const& info, std::string const& name)
{
    auto const found = info.find(name);
    return found == info.npos ? 0 : std::strtod(info.c_str() + found + name.size(), nullptr);
}

}  // namespace

void start_newer_server()
{
    if (has_native()) std::fprintf(stderr, "%s for hashes, too\n", native_server().server.version().c_str());
}

std::vector<HashKind> hash_kinds()
{
    std::vector<HashKind> kinds{{HashStrategy::sorted_set, false}, {HashStrategy::delay_queue, false}};
    if (has_native()) kinds.push_back({HashStrategy::native, true});
    return kinds;
}

HashPlace place_of(Scene& scene, bool natively)
{
    if (!natively) return {scene.version(), scene.port(), scene.control()};
    auto& native = native_server();
    return {native.server.version(), native.server.tcp_port(), native.control};
}

Client HashPlace::client() const
{
    return Client{"redis://127.0.0.1:" + std::to_string(port),
                  {.command_timeout = patience, .busy_wait = 0us}};
}

CommandStats HashPlace::stats(std::string const& command) const
{
    auto const info = control.text("INFO", "commandstats");
    auto const line = info.find("cmdstat_" + command + ":");
    if (line == info.npos) return {};
    auto const own = info.substr(line, info.find('\r', line) - line);
    return {number_after(own, "calls="), number_after(own, "usec=")};
}

void HashPlace::clear() const
{
    control.text("FLUSHALL", "SYNC");
    control.text("CONFIG", "RESETSTAT");
}

double HashPlace::used_memory() const
{
    return number_after(control.text("INFO", "memory"), "\nused_memory:");
}

double HashPlace::processor_time() const
{
    auto const info = control.text("INFO", "cpu");
    return 1e6
           * (number_after(info, "used_cpu_user_main_thread:")
              + number_after(info, "used_cpu_sys_main_thread:"));
}

PlainClient::PlainClient(HashPlace const& place)
    : connection_{std::make_shared<redis::Connection>(
        io_.get_executor(), true, core::parse_store_url("redis://127.0.0.1:" + std::to_string(place.port)),
        TlsOptions{}, patience)}
{}

PlainClient::~PlainClient()
{
    connection_->close();
    work_.reset();
    thread_.join();
}

void PlainClient::run(std::vector<std::string> words)
{
    std::promise<void> done;
    start(std::move(words), [&] { done.set_value(); });
    done.get_future().wait();
}

void PlainClient::start(std::vector<std::string> words, std::function<void()> then)
{
    connection_->plain(std::move(words), std::chrono::steady_clock::now() + patience,
                       [then = std::move(then)](redis::Reply const&) { then(); });
}

}  // namespace ration::bench
