#include "redis/support/redis_server.hpp"

#include "redis/support/clock_page.hpp"
#include "redis/support/resp_client.hpp"
#include "redis/support/sockets.hpp"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace ration::redis_test {

namespace {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

std::string default_program()
{
    char const* const chosen = std::getenv("RATION_TEST_SERVER");
    return chosen != nullptr && *chosen != '\0' ? chosen : "redis-server";
}

void append(std::vector<std::string>& list, std::vector<std::string> const& more)
{
    list.insert(list.end(), more.begin(), more.end());
}

/// The value of a line "name:value" of INFO; empty if there is none.
std::string field(std::string const& info, std::string const& name)
{
    auto const start = info.find("\n" + name + ":");
    if (start == info.npos) return {};
    auto const value = start + name.size() + 2;
    return info.substr(value, info.find('\r', value) - value);
}

}  // namespace

RedisServer::RedisServer(RedisServerOptions options) : options_{std::move(options)}
{
    if (options_.program.empty()) options_.program = default_program();
    if (options_.tls) certificates_ = make_certificates(directory_.path() / "tls");
    if (options_.own_clock) clock_.emplace(directory_.path() / "clock");
    choose_ports();
    start();
}

void RedisServer::choose_ports()
{
    // Both are held until both are chosen, else they could be the same.
    auto const tcp = take_free_port();
    auto const tls = take_free_port();
    if (options_.tcp) tcp_port_ = tcp.number;
    if (options_.tls) tls_port_ = tls.number;
}

std::vector<std::string> RedisServer::command_line() const
{
    std::vector<std::string> line{
        options_.program, "--daemonize", "no",        "--dir",  directory_.path(),        "--unixsocket",
        socket_path(),    "--bind",      "127.0.0.1", "--port", std::to_string(tcp_port_)};
    append(line,
           {"--save", "", "--appendonly", options_.append_only ? "yes" : "no", "--appendfsync", "always"});
    if (certificates_) {
        append(line, {"--tls-port", std::to_string(tls_port_), "--tls-ca-cert-file", certificates_->ca,
                      "--tls-cert-file", certificates_->server_certificate, "--tls-key-file",
                      certificates_->server_key, "--tls-auth-clients",
                      options_.require_client_certificate ? "yes" : "optional"});
    }
    append(line, options_.arguments);
    return line;
}

std::vector<std::string> RedisServer::clock_environment() const
{
    if (!clock_) return {};
    return {std::string{"LD_PRELOAD="} + RATION_CLOCK_SHIM,
            std::string{clock_page_variable} + "=" + clock_->file().string()};
}

void RedisServer::start()
{
    if (process_) throw std::logic_error{"the server runs already"};
    auto const deadline = SteadyClock::now() + 20s;
    for (;;) {
        process_.emplace(ServerProcess::Command{command_line(), clock_environment(), log_file()});
        if (wait_until_it_answers(deadline)) break;
        auto const log = end_of_log();
        auto const ended = !process_->is_running();
        process_.reset();
        // Somebody else was quicker to use our port; to look whether it is free takes it for a moment, too.
        auto const port_was_taken = ended && log.find("Address already in use") != log.npos;
        if (!port_was_taken || SteadyClock::now() >= deadline) {
            throw std::runtime_error{options_.program + (ended ? " ended" : " did not answer within 20 s")
                                     + "; the end of its log:\n" + log};
        }
        if (!started_once_) choose_ports();
    }
    started_once_ = true;
}

bool RedisServer::wait_until_it_answers(SteadyClock::time_point deadline)
{
    while (!answers()) {
        if (!process_->is_running() || SteadyClock::now() >= deadline) return false;
        std::this_thread::sleep_for(5ms);
    }
    return true;
}

bool RedisServer::answers() const
{
    try {
        // Any error but this is an answer, too: some servers want a password first.
        return !RespClient{socket_path()}.command({"PING"}).text.starts_with("LOADING");
    } catch (std::runtime_error const&) {
        return false;
    }
}

std::string RedisServer::end_of_log() const
{
    std::ostringstream log;
    log << std::ifstream{log_file()}.rdbuf();
    auto const text = log.str();
    constexpr std::size_t enough = 2000;
    return text.size() <= enough ? text : text.substr(text.size() - enough);
}

std::string RedisServer::version() const
{
    auto const info = RespClient{socket_path()}.text("INFO", "server");
    auto const valkey = field(info, "valkey_version");
    return valkey.empty() ? "redis " + field(info, "redis_version") : "valkey " + valkey;
}

void RedisServer::kill_hard()
{
    process_.reset();
}

void RedisServer::stop()
{
    if (!process_) return;
    resume();
    process_->signal(SIGTERM);
    process_->wait(10s);
    process_.reset();
}

void RedisServer::pause()
{
    process_.value().signal(SIGSTOP);
}

void RedisServer::resume()
{
    process_.value().signal(SIGCONT);
}

}  // namespace ration::redis_test
